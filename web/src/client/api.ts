// The server's HTTP API.

import { type GameState, gameOf } from "../domain/game-state";
import { chosenLanguage, t } from "../domain/i18n";
import type {
  Choices,
  Colour,
  Created,
  FinishedGame,
  GameList,
  Invitations,
  Join,
  Layout,
  Leaderboard,
  Learned,
  Links,
  Lobby,
  Me,
  MePatch,
  Mode,
  NewGame,
  PairingRequest,
  PairingResult,
  Profile,
  PuzzleStanding,
  SavedGame,
  Snapshot,
  Token,
} from "../domain/protocol";

/** A refusal, in words for the person who asked. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly status: number,
  ) {
    super(message);
  }
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = { "Accept-Language": chosenLanguage() };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer: Response;
  try {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    answer = await fetch(path, { method, headers, ...content });
  } catch {
    throw new ApiError(
      t("No connection to the server. Please try again when you are online."),
      "offline",
      0,
    );
  }
  const said = answer.status === 204 ? null : await answer.json().catch(() => null);
  if (answer.ok) return said as T;
  const { code, message } = said?.error ?? {};
  const fallback = t("Something went wrong on the server.");
  throw new ApiError(message ?? fallback, code ?? "unknown", answer.status);
}

async function askGame(method: string, path: string, body?: unknown): Promise<GameState> {
  return gameOf(await ask<Snapshot>(method, path, body));
}

export const api = {
  me: () => ask<Me>("GET", "/api/me"),
  addLearned: async (steps: readonly string[]) =>
    (await ask<Learned>("PUT", "/api/me/learned", { steps })).steps,
  updateMe: (change: MePatch) => ask<Me>("PUT", "/api/me", change),
  register: (name: string, password: string) =>
    ask<Me>("POST", "/api/accounts", { name, password }),
  logIn: (name: string, password: string) => ask<Me>("POST", "/api/session", { name, password }),
  logOut: () => ask<Me>("DELETE", "/api/session"),
  token: () => ask<Token>("POST", "/api/tokens"),
  revokeTokens: () => ask<null>("DELETE", "/api/tokens"),
  createGame: async (wanted: NewGame): Promise<{ game: GameState; invitations: Links }> => {
    const { game, invitations } = await ask<Created>("POST", "/api/games", wanted);
    return { game: gameOf(game), invitations };
  },
  uploadFinished: (game: FinishedGame) => ask<SavedGame>("POST", "/api/games/finished", game),
  pair: (wanted: PairingRequest) => ask<PairingResult>("POST", "/api/pairing", wanted),
  game: (id: string) => askGame("GET", `/api/games/${id}`),
  join: (id: string, how: Join) => askGame("POST", `/api/games/${id}/join`, how),
  invitations: (id: string) => ask<Invitations>("GET", `/api/games/${id}/invitations`),
  fillSeat: (id: string, colour: Colour, level: string) =>
    askGame("POST", `/api/games/${id}/seats/${colour}`, { kind: "computer", level }),
  /** `wanted` is the search, as the query of an address. */
  games: (which: "mine" | "live" | "finished", before: string | null, wanted = "") =>
    ask<GameList>(
      "GET",
      `/api/games?${which}=1${before ? `&before=${encodeURIComponent(before)}` : ""}${wanted && `&${wanted}`}`,
    ),
  lobby: () => ask<Lobby>("GET", "/api/lobby"),
  choices: () => ask<Choices>("GET", "/api/choices"),
  layouts: (mode: Mode) => ask<readonly Layout[]>("GET", `/api/layouts?mode=${mode}`),
  leaders: async (mode: Mode) =>
    (await ask<Leaderboard>("GET", `/api/leaderboard?mode=${mode}`)).players,
  puzzleStanding: () => ask<PuzzleStanding>("GET", "/api/puzzles/me"),
  puzzleResult: (id: string, moves: readonly number[]) =>
    ask<PuzzleStanding>("POST", `/api/puzzles/${encodeURIComponent(id)}/results`, { moves }),
  player: (name: string) => ask<Profile>("GET", `/api/players/${encodeURIComponent(name)}`),
};
