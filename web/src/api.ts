// The server's HTTP side.

import type {
  Colour,
  Game,
  Invitations,
  Layout,
  Me,
  Mode,
  Rating,
  Summary,
  Wish,
} from "./protocol";
import { language, t } from "./words";

/** A refusal, in words for the person who asked. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly status: number,
  ) {
    super(message);
  }
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = { "Accept-Language": language() };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer: Response;
  try {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    answer = await fetch(path, { method, headers, ...content });
  } catch {
    throw new Refused(t("The server can't be reached. Is it running?"), "offline", 0);
  }
  const said = answer.status === 204 ? null : await answer.json().catch(() => null);
  if (answer.ok) return said as T;
  const { code, message } = said?.error ?? {};
  const fallback = t("Something went wrong on the server.");
  throw new Refused(message ?? fallback, code ?? "unknown", answer.status);
}

export interface Page {
  readonly games: readonly Summary[];
  readonly next: string | null;
}

export interface Profile {
  readonly name: string;
  readonly ratings: Partial<Record<Mode, Rating>>;
  readonly history: Partial<Record<Mode, readonly { at: number | string; rating: number }[]>>;
  readonly games?: readonly Summary[];
}

export interface Leader extends Rating {
  readonly name: string;
}

/** Lists come bare or under a name. */
function listed<T>(answer: readonly T[] | Record<string, readonly T[]>): readonly T[] {
  return Array.isArray(answer) ? answer : (Object.values(answer).find(Array.isArray) ?? []);
}

export const api = {
  me: () => ask<Me>("GET", "/api/me"),
  changeMe: (change: { name?: string; language?: string }) => ask<Me>("PUT", "/api/me", change),
  register: (name: string, password: string) =>
    ask<unknown>("POST", "/api/accounts", { name, password }),
  logIn: (name: string, password: string) =>
    ask<unknown>("POST", "/api/session", { name, password }),
  logOut: () => ask<unknown>("DELETE", "/api/session"),
  token: () => ask<{ token: string }>("POST", "/api/tokens"),
  dropTokens: () => ask<unknown>("DELETE", "/api/tokens"),
  newGame: (wish: Wish) =>
    ask<{ game: Game; invitations?: Invitations }>("POST", "/api/games", wish),
  game: (id: string) => ask<Game>("GET", `/api/games/${id}`),
  join: (id: string, how: { seat?: Colour; key?: string; name?: string }) =>
    ask<Game>("POST", `/api/games/${id}/join`, how),
  invitations: (id: string) =>
    ask<{ invitations: Invitations }>("GET", `/api/games/${id}/invitations`),
  fillSeat: (id: string, colour: Colour, level: string) =>
    ask<Game>("POST", `/api/games/${id}/seats/${colour}`, { kind: "computer", level }),
  games: (which: "mine" | "finished", before: string | null) =>
    ask<Page>(
      "GET",
      `/api/games?${which}=1${before ? `&before=${encodeURIComponent(before)}` : ""}`,
    ),
  lobby: () => ask<{ games: readonly Summary[] }>("GET", "/api/lobby"),
  layouts: async (mode: Mode) =>
    listed(await ask<Layout[] | Record<string, Layout[]>>("GET", `/api/layouts?mode=${mode}`)),
  leaders: async (mode: Mode) =>
    listed(await ask<Leader[] | Record<string, Leader[]>>("GET", `/api/leaderboard?mode=${mode}`)),
  player: (name: string) => ask<Profile>("GET", `/api/players/${encodeURIComponent(name)}`),
};
