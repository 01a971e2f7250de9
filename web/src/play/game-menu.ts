// The menu of a game: turn the board, analyse, share, save.

import { html, nothing, type TemplateResult } from "lit";
import { features } from "../domain/features";
import { isLocal } from "../domain/game-ids";
import type { GameState } from "../domain/game-state";
import { hasServer } from "../domain/hosting";
import { t } from "../domain/i18n";
import { attempt, toast } from "../domain/messages";
import { settings } from "../storage/preferences";
import { type IconName, icon } from "../ui/icon";

interface MenuActions {
  readonly flip: () => void;
  readonly close: () => void;
}

/** The tools of a game of which `count` moves are shown. */
export function gameMenu(
  game: GameState,
  count: number,
  mayBeCoached: boolean,
  actions: MenuActions,
): TemplateResult {
  const isOver = game.status === "over";
  return html`<div class="tools" role="toolbar" aria-label=${t("Tools")}>
    ${tool("flip", t("Turn the board"), actions.flip)}
    ${isOver ? link("engine", t("Analyse"), `/analysis?game=${game.id}&at=${count}`) : nothing}
    ${isLocal(game.id) ? localTools(game, count, mayBeCoached, actions) : onlineTools(game, count)}
  </div>`;
}

function onlineTools(game: GameState, count: number): TemplateResult {
  return html`${tool("share", t("Share"), () => shareLink(game))}
    <a class="button quiet" href="/api/games/${game.id}.apgn" download="sumito-${game.id}.apgn"
      >${icon("download")} ${t("Record")}</a
    >
    ${tool("picture", t("Picture"), () => sharePicture(game, count))}`;
}

function localTools(
  game: GameState,
  count: number,
  mayBeCoached: boolean,
  { close }: MenuActions,
): TemplateResult {
  const isFinished = game.status === "over" && game.outcome?.reason !== "aborted";
  return html`${mayBeCoached ? coachTool() : nothing}
    ${tool("download", t("Record"), () => downloadRecord(game.id))}
    ${tool("picture", t("Picture"), () => sharePicture(game, count))}
    ${
      isFinished && hasServer
        ? html`${tool("share", t("Share"), () => shareLink(game))}
          ${tool("up", t("Save to my account"), () => upload(game.id).finally(close))}`
        : nothing
    }`;
}

function tool(name: IconName, text: string, act: () => void): TemplateResult {
  return html`<button class="quiet" @click=${act}>${icon(name)} ${text}</button>`;
}

function link(name: IconName, text: string, path: string): TemplateResult {
  return html`<a class="button quiet" href=${path}>${icon(name)} ${text}</a>`;
}

function coachTool(): TemplateResult {
  const { coach } = settings.now;
  return html`<button
    class="quiet"
    aria-pressed=${coach}
    @click=${() => settings.set({ coach: !coach })}
  >
    ${icon("learn")} ${t("Coach")}
  </button>`;
}

function shareLink(game: GameState): Promise<void> {
  return attempt(async () => (await features().sharing()).shareLink(game));
}

function sharePicture(game: GameState, count: number): Promise<void> {
  return attempt(async () => (await features().sharing()).sharePicture(game, count));
}

function downloadRecord(id: string): Promise<void> {
  return attempt(async () => (await import("../record/stored-game")).download(id));
}

/** Make a game of this browser available on the reader's other devices. */
function upload(id: string): Promise<void> {
  return attempt(async () => {
    const { uploadGame } = await import("../storage/upload");
    await uploadGame(id);
    toast(t("Saved: with your account you find it on every device."));
  });
}
