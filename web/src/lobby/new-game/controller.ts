// The state of the dialog for a new game: what was chosen, and the game that is made of it. Knows
// no DOM.

import { api } from "../../client/api";
import { attempt } from "../../domain/messages";
import { coloursOf, LEVEL_IDS, MODES } from "../../domain/modes";
import type { Colour, Layout, Mode, NewGame } from "../../domain/protocol";
import { rememberCreated } from "../../storage/created-games";
import { lastChoices, rememberChoices } from "../../storage/new-game-choices";
import {
  type ClockChoice,
  type GameChoices,
  type PlayerNames,
  type Purpose,
  shuffleNames,
  toNewGame,
} from "./terms";

/** What only the form says when it is submitted. */
export type FormChoices = Pick<
  GameChoices,
  "custom" | "rules" | "options" | "goal" | "rated" | "listed" | "friendly"
>;

/** Calls a function a few times, and resolves after the last. */
export type LotDrawing = (shuffle: () => void) => Promise<void>;

export class NewGameController {
  purpose: Purpose = "computer";
  mode: Mode;
  /** Empty until the layouts of the mode are loaded, unless it is remembered. */
  layout: string;
  layouts: readonly Layout[] = [];
  /** An index of `LEVEL_IDS`. */
  level: number;
  colour: Colour | "lots";
  clock: ClockChoice;
  rated = false;
  /** The names of those at this screen, by colour. */
  names: PlayerNames = {};
  isDrawingLots = false;
  /** The game is being made. */
  isBusy = false;
  /** Why it couldn't be made. */
  problem = "";

  constructor(
    private readonly changed: () => void,
    private readonly layoutsOf: (mode: Mode) => Promise<readonly Layout[]> = loadLayouts,
  ) {
    const last = lastChoices();
    this.mode = MODES.find((mode) => mode === last.mode) ?? "two";
    this.layout = last.layout ?? "standard";
    this.level = last.level ?? LEVEL_IDS.indexOf("friendly");
    this.colour = (last.colour as Colour | undefined) ?? "black";
    this.clock = (last.clock as ClockChoice | undefined) ?? "none";
  }

  /** Begin to ask for a game of a kind. */
  open(purpose: Purpose): void {
    this.purpose = purpose;
    if (this.layouts.length === 0) void this.loadLayouts();
    this.changed();
  }

  /** Whether the game is for others to join, at the server. */
  get invites(): boolean {
    return this.purpose === "friends" || this.purpose === "open";
  }

  /** Only games with a clock can be rated. */
  get canBeRated(): boolean {
    return this.clock !== "none";
  }

  get isReady(): boolean {
    return !this.isBusy && !this.isDrawingLots && this.layout !== "";
  }

  set(choices: Partial<Pick<this, "layout" | "level" | "colour" | "clock" | "rated" | "names">>) {
    Object.assign(this, choices);
    this.changed();
  }

  /** Choose a mode: another has other layouts, and may lack the colour. */
  setMode(mode: Mode): Promise<void> {
    this.mode = mode;
    this.layout = mode === "two" ? "standard" : "";
    if (this.colour !== "lots" && !coloursOf(mode).includes(this.colour)) this.colour = "black";
    this.changed();
    return this.loadLayouts();
  }

  private loadLayouts(): Promise<void> {
    return attempt(async () => {
      const { mode } = this;
      const layouts = await this.layoutsOf(mode);
      if (mode !== this.mode) return;
      this.layouts = layouts;
      if (!layouts.some(({ id }) => id === this.layout)) this.layout = layouts[0]?.id ?? "";
      this.changed();
    });
  }

  /** Shuffle the names among the colours; the game can't begin meanwhile. */
  async drawLots(draw: LotDrawing): Promise<void> {
    const colours = coloursOf(this.mode);
    this.isDrawingLots = true;
    this.changed();
    await draw(() => this.set({ names: shuffleNames(this.names, colours) }));
    this.isDrawingLots = false;
    this.changed();
  }

  /** Make the game and remember the choices. Return its id, or null if it couldn't be made. */
  async create(form: FormChoices): Promise<string | null> {
    const { mode, layout, level, colour, clock, names, purpose } = this;
    rememberChoices({ mode, layout, level, colour, clock, purpose });
    this.isBusy = true;
    this.problem = "";
    this.changed();
    try {
      const choices = { mode, layout, level, colour, clock, names, purpose };
      const terms = toNewGame({ ...choices, ...form });
      return await (this.invites ? createInvitation(terms) : this.createHere(terms));
    } catch (error) {
      this.problem = (error as Error).message;
      return null;
    } finally {
      this.isBusy = false;
      this.changed();
    }
  }

  /** A game without others needs no server. */
  private async createHere(terms: NewGame): Promise<string> {
    const names = this.purpose === "here" ? this.names : {};
    return (await import("../../storage/new-game")).createLocalGame(terms, names);
  }
}

/** The loader isn't needed before the dialog is opened. */
async function loadLayouts(mode: Mode): Promise<readonly Layout[]> {
  return (await import("../../kernel/loader")).layouts(mode);
}

async function createInvitation(terms: NewGame): Promise<string> {
  const { game } = await api.createGame(terms);
  rememberCreated(game.id);
  return game.id;
}
