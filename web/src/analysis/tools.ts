// The menu of an analysis: save, share, embed, play on, review.

import { html, type TemplateResult } from "lit";
import { apply, readMarbles } from "../board/state";
import { features } from "../domain/features";
import { t } from "../domain/i18n";
import { attempt, toast } from "../domain/messages";
import { go } from "../domain/navigation";
import { linkTo, linkToAll } from "../record/links";
import { inAddress } from "../record/position";
import type { Study } from "../record/study";
import { copy } from "../ui/copy-link";
import { type IconName, icon } from "../ui/icon";

/** What the page does itself. */
export interface ToolActions {
  readonly flip: () => void;
  readonly openNew: () => void;
  readonly open: () => void;
  readonly done: () => void;
}

/** The menu of an analysis; `done` closes it. */
export function tools(study: Study, turns: number, actions: ToolActions): TemplateResult {
  return html`<div class="tools" @click=${actions.done}>
    ${tool("flip", t("Turn the board"), actions.flip)}
    ${tool("board", t("Set up a position"), () => setUp(study))}
    ${tool("play", t("Play on from here"), () => setUp(study))}
    ${tool("curve", t("Review this game"), () => review(study))}
    ${tool("download", t("Save as a record"), () => save(study))}
    ${tool("invite", t("Link to this position"), () => copy(linkTo(study.record, study.node)))}
    ${tool("share", t("Link with all variations"), () => shareAll(study))}
    ${tool("picture", t("Picture"), () => picture(study, turns))}
    ${tool("play", t("Film of the line"), () => film(study, turns))}
    ${tool("code", t("Embed in a page"), () => embed(study))}
    ${tool("copy", t("Copy the position"), () => copyText(study.board.position))}
    ${tool("again", t("A new board"), actions.openNew)}
    ${tool("open", t("Your analyses"), actions.open)}
  </div>`;
}

function tool(name: IconName, text: string, act: () => void): TemplateResult {
  return html`<button class="quiet" @click=${act}>${icon(name)} ${text}</button>`;
}

/** In the editor one also chooses how to play on. */
function setUp(study: Study): void {
  study.save();
  go(`/editor?position=${inAddress(study.board.position)}`);
}

function review(study: Study): void {
  study.save();
  study.putOnBoard();
  go("/review");
}

async function save(study: Study): Promise<void> {
  const { saveText } = await import("../record/stored-game");
  saveText(study.text(), "sumito-analysis.apgn");
}

async function shareAll(study: Study): Promise<void> {
  await attempt(async () => copy(await linkToAll(study.record, study.referee)));
}

function picture(study: Study, turns: number): Promise<void> {
  return attempt(async () => {
    const { sharePosition } = await features().sharing();
    await sharePosition(readMarbles(study.board.position), turns, "sumito-position");
  });
}

/** From the start of the record to the end of the line that is shown. */
function film(study: Study, turns: number): Promise<void> {
  return attempt(async () => {
    const { shareLine } = await features().sharing();
    const frames = [readMarbles(study.record.start)];
    for (const { effect } of [...study.node.path(), ...study.node.line()]) {
      const before = frames.at(-1);
      if (before && effect) frames.push(apply(before, effect));
    }
    await shareLine(frames, turns, "sumito-line");
  });
}

/** The markup that embeds the position in another page. */
function embed(study: Study): Promise<void> {
  const address = linkTo(study.record, study.node, "/embed").replaceAll("&", "&amp;");
  return copyText(
    `<iframe src="${address}" width="480" height="520" title="Sumito" loading="lazy"></iframe>`,
  );
}

async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text).then(
    () => toast(t("Copied.")),
    () => toast(text),
  );
}
