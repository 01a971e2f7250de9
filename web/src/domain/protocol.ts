// The messages of the server's API. Generated from src/sumito/protocol by `make types`; don't edit.

export const PROTOCOL = 1;

export type Colour = "black" | "white" | "red" | "blue";

export type Mode = "two" | "three" | "teams" | "teams-double";

export type Status = "waiting" | "playing" | "over";

export type Preset = "rulebook" | "tournament";

export type Phrase =
  | "hello"
  | "good-luck"
  | "good-game"
  | "well-played"
  | "thanks"
  | "sorry"
  | "one-moment"
  | "oops"
  | "bye";

export type Ability =
  | "join"
  | "fill"
  | "move"
  | "resign"
  | "abort"
  | "offer_draw"
  | "accept_draw"
  | "decline_draw"
  | "ask_takeback"
  | "accept_takeback"
  | "decline_takeback"
  | "claim_win"
  | "claim_draw"
  | "rematch"
  | "chat";

/** No time control. */
export interface NoClock {
  readonly kind: "none";
}

/** A fixed time for the whole game. */
export interface SuddenDeath {
  readonly kind: "sudden_death";
  readonly ms: number;
}

/** A time for the game, and an increment with each move. */
export interface Fischer {
  readonly kind: "fischer";
  readonly ms: number;
  readonly increment_ms: number;
}

/** A time for the game; the first moments of each turn aren't charged. */
export interface Delay {
  readonly kind: "delay";
  readonly ms: number;
  readonly delay_ms: number;
}

export type Control = NoClock | SuddenDeath | Fischer | Delay;

/** The person who creates the game. */
export interface SeatMe {
  readonly kind: "me";
}

/** Somebody at the same device. */
export interface SeatHere {
  readonly kind: "here";
  readonly name?: string | null;
}

/** An invited person. */
export interface SeatOpen {
  readonly kind: "open";
}

/** The computer. */
export interface SeatComputer {
  readonly kind: "computer";
  readonly level?: string;
}

export type Seating = SeatMe | SeatHere | SeatOpen | SeatComputer;

/** A preset and what differs from it. */
export interface RuleOptions {
  readonly preset?: Preset;
  readonly win_at?: number;
  readonly repetition?: number | null;
  readonly ply_limit?: number | null;
  readonly stuck?: string;
  readonly partner_sidestep?: string;
  readonly first?: string;
  readonly leave_three?: string;
  readonly leave_teams?: string;
  readonly team_talk?: string;
}

/** A game to create. */
export interface NewGame {
  readonly mode?: Mode;
  readonly layout?: string | null;
  readonly rules?: Preset | RuleOptions;
  readonly control?: Control;
  readonly seats?: Partial<Record<Colour, Seating>>;
  readonly rated?: boolean;
  readonly listed?: boolean;
  readonly takebacks?: boolean | null;
  readonly captured?: readonly number[] | null;
  readonly win_at?: number | null;
  readonly draw_lots?: boolean;
  readonly start?: string | null;
}

/** A search for an opponent at the standard layout with a clock. */
export interface PairingRequest {
  readonly control?: Control;
  readonly rated?: boolean;
}

/** One of three players resigned, and the others played on. */
export interface Departure {
  readonly seat: Colour;
  readonly after: number;
}

/** An end that doesn't follow from the moves. */
export interface EndedBy {
  readonly reason: "resigned" | "flag" | "agreed";
  readonly winner?: Colour | null;
  readonly by?: Colour | null;
}

/** A finished game that was played in a page, without the server. */
export interface FinishedGame {
  readonly ref: string;
  readonly game: NewGame;
  readonly moves: readonly number[];
  readonly clocks?: readonly number[];
  readonly left?: readonly Departure[];
  readonly ended?: EndedBy | null;
  readonly begun_at?: number;
}

/** A request for an open seat. */
export interface Join {
  readonly seat?: Colour | null;
  readonly key?: string | null;
  readonly name?: string | null;
}

/** A position that the server's engine is to analyse. */
export interface AnalysisRequest {
  readonly position: string;
  readonly lines?: number;
}

/** A first try at a puzzle. */
export interface PuzzleTry {
  readonly moves: readonly number[];
}

export type TokenScope = "play" | "account";

/** A token to create. */
export interface NewToken {
  readonly scope?: TokenScope;
}

/** Changes of one's name or language. */
export interface MePatch {
  readonly name?: string | null;
  readonly language?: string | null;
}

/** Steps of the course that are done; without an account they are stored in the browser only. */
export interface LearnedSteps {
  readonly steps: readonly string[];
}

/** A name and a password, to sign up or in. */
export interface Credentials {
  readonly name: string;
  readonly password: string;
}

/** A new password, together with the old one. */
export interface PasswordChange {
  readonly old: string;
  readonly new: string;
}

/** The password again, to confirm what can't be undone. */
export interface Confirmation {
  readonly password: string;
}

/** Make a move; refused if the game is not at this ply. */
export interface Play {
  readonly type: "play";
  readonly ref?: string;
  readonly seat?: Colour | null;
  readonly ply: number;
  readonly move: number;
}

/** Resign. */
export interface Resign {
  readonly type: "resign";
  readonly ref?: string;
  readonly seat?: Colour | null;
}

/** Offer a draw. */
export interface OfferDraw {
  readonly type: "offer_draw";
  readonly ref?: string;
  readonly seat?: Colour | null;
}

/** Agree to a draw. */
export interface AcceptDraw {
  readonly type: "accept_draw";
  readonly ref?: string;
  readonly seat?: Colour | null;
}

/** Decline a draw. */
export interface DeclineDraw {
  readonly type: "decline_draw";
  readonly ref?: string;
  readonly seat?: Colour | null;
}

/** Ask to take one's last move back. */
export interface AskTakeback {
  readonly type: "ask_takeback";
  readonly ref?: string;
  readonly seat?: Colour | null;
}

/** Agree to a take-back. */
export interface AcceptTakeback {
  readonly type: "accept_takeback";
  readonly ref?: string;
  readonly seat?: Colour | null;
}

/** Decline a take-back. */
export interface DeclineTakeback {
  readonly type: "decline_takeback";
  readonly ref?: string;
  readonly seat?: Colour | null;
}

/** Abort the game before each side has moved. */
export interface Abort {
  readonly type: "abort";
  readonly ref?: string;
  readonly seat?: Colour | null;
}

/** Claim a game whose other players have been away too long. */
export interface Claim {
  readonly type: "claim";
  readonly ref?: string;
  readonly seat?: Colour | null;
  readonly result?: "win" | "draw";
}

/** Ask for another game with the colours swapped. */
export interface Rematch {
  readonly type: "rematch";
  readonly ref?: string;
  readonly seat?: Colour | null;
}

/** Ask the server to check the clock; any player may. */
export interface Flag {
  readonly type: "flag";
  readonly ref?: string;
}

/** Send a chat line: a text, or one of the phrases. */
export interface Chat {
  readonly type: "chat";
  readonly ref?: string;
  readonly seat?: Colour | null;
  readonly text?: string | null;
  readonly phrase?: Phrase | null;
}

export type Command =
  | Play
  | Resign
  | OfferDraw
  | AcceptDraw
  | DeclineDraw
  | AskTakeback
  | AcceptTakeback
  | DeclineTakeback
  | Abort
  | Claim
  | Rematch
  | Flag
  | Chat;

/** The first message: which events and chat lines the client has. */
export interface Hello {
  readonly type: "hello";
  readonly ref?: string;
  readonly since?: number | null;
  readonly heard?: number;
  readonly protocol?: number;
}

/** Ask which rule forbids these marbles to move in a direction. */
export interface Why {
  readonly type: "why";
  readonly ref?: string;
  readonly cells: readonly string[];
  readonly direction: "E" | "NE" | "NW" | "W" | "SW" | "SE";
}

/** Ask for a pong. */
export interface Ping {
  readonly type: "ping";
  readonly ref?: string;
  readonly sent?: number;
}

/** The answer to the server's ping, by which it measures the lag. */
export interface Pong {
  readonly type: "pong";
  readonly ref?: string;
  readonly sent: number;
}

export type Message = Command | Hello | Why | Ping | Pong;

export type Links = Partial<Record<Colour | "any", string>>;

export type SeatKind = "person" | "computer" | "open";

export type EndReason =
  | "ejected"
  | "no-move"
  | "repetition"
  | "ply-limit"
  | "last-in"
  | "resigned"
  | "flag"
  | "abandoned"
  | "agreed"
  | "aborted";

/** A move that was made, and what it did: the rear or lower end of `moved` comes first. */
export interface PlayedMove {
  readonly ply: number;
  readonly seat: Colour;
  readonly move: number;
  readonly moved: readonly string[];
  readonly pushed: readonly string[];
  readonly ejected: Colour | null;
  readonly nacre: string;
  readonly clock: number | null;
}

/** A seat and who sits there. */
export interface Seat {
  readonly colour: Colour;
  readonly kind: SeatKind;
  readonly name: string;
  readonly level: string | null;
  readonly rating: number | null;
  readonly online: boolean;
  readonly out: boolean;
  readonly guest: boolean;
}

/** A seat in a list of games. */
export interface SeatSummary {
  readonly colour: Colour;
  readonly kind: SeatKind;
  readonly name: string;
  readonly level: string | null;
  readonly rating: number | null;
  readonly guest: boolean;
}

/** How a game ended; no winner is a draw, or a game called off. */
export interface Outcome {
  readonly winner: Colour | null;
  readonly reason: EndReason;
  readonly by: Colour | null;
}

/** A chat line; `sender` is a colour or a spectator's name. */
export interface ChatLine {
  readonly id: number;
  readonly sender: string;
  readonly at: number;
  readonly text: string | null;
  readonly phrase: Phrase | null;
}

/** Open offers: who has made them, and which other sides have agreed, by first colour. */
export interface Offers {
  readonly draw: readonly Colour[];
  readonly takeback: readonly Colour[];
  readonly rematch: readonly Colour[];
  readonly draw_agreed: readonly Colour[];
  readonly takeback_agreed: readonly Colour[];
}

/** The rules of a game: a preset, and every option as it is in force. */
export interface Rules {
  readonly preset: Preset;
  readonly win_at: number;
  readonly repetition: number | null;
  readonly ply_limit: number | null;
  readonly stuck: string;
  readonly partner_sidestep: string;
  readonly first: Colour;
  readonly leave_three: string;
  readonly leave_teams: string;
  readonly team_talk: string;
}

/** A whole game at one version; the last three fields are the reader's own. */
export interface Snapshot {
  readonly id: string;
  readonly mode: Mode;
  readonly sides: readonly (readonly Colour[])[];
  readonly layout: string;
  readonly rules: Rules;
  readonly control: Control;
  readonly rated: boolean;
  readonly listed: boolean;
  readonly takebacks: boolean;
  readonly created_at: number;
  readonly status: Status;
  readonly seats: readonly Seat[];
  readonly start: string;
  readonly position: string;
  readonly turn: Colour | null;
  readonly captured: readonly number[];
  readonly ply: number;
  readonly moves: readonly PlayedMove[];
  readonly clocks: Partial<Record<Colour, number>> | null;
  readonly delay_left: number;
  readonly at: number;
  readonly offers: Offers;
  readonly outcome: Outcome | null;
  readonly rematch: string | null;
  readonly spectators: number;
  readonly chat: readonly ChatLine[];
  readonly version: number;
  readonly you: readonly Colour[];
  readonly can: readonly Ability[];
  readonly legal: string;
}

/** A game in a list. */
export interface Summary {
  readonly id: string;
  readonly mode: Mode;
  readonly layout: string;
  readonly control: Control;
  readonly rated: boolean;
  readonly status: Status;
  readonly seats: readonly SeatSummary[];
  readonly position: string;
  readonly moves: number;
  readonly outcome: Outcome | null;
  readonly created_at: number;
  readonly imported: boolean;
}

/** A move that was played in a position, and how its games went. */
export interface OpeningMove {
  readonly move: string;
  readonly games: number;
  readonly wins: readonly number[];
  readonly draws: number;
  readonly rating: number | null;
  readonly last_at: number;
  readonly last_game: string;
  readonly last_players: readonly string[];
}

/** What was played in a position, the most frequent first; symmetric positions are one. */
export interface Openings {
  readonly position: string;
  readonly games: number;
  readonly moves: readonly OpeningMove[];
}

/** A move with its score and the play that the engine expects. */
export interface EngineLine {
  readonly move: string;
  readonly score: number;
  readonly win_in: number | null;
  readonly depth: number;
  readonly nodes: number;
  readonly ms: number;
  readonly pv: readonly string[];
}

/** The best moves at a depth, the best first. */
export interface EngineLines {
  readonly lines: readonly EngineLine[];
}

/** The game that pairing has found, or in which one waits. */
export interface PairingResult {
  readonly id: string;
  readonly status: Status;
  readonly rated: boolean;
}

/** An uploaded game that is stored. */
export interface SavedGame {
  readonly id: string;
}

/** A new game, and the links of its open seats, for its creator only. */
export interface Created {
  readonly game: Snapshot;
  readonly invitations: Links;
}

/** The links for the open seats. */
export interface Invitations {
  readonly invitations: Links;
}

/** Open games. */
export interface Lobby {
  readonly games: readonly Summary[];
}

/** A page of games; `next` is the cursor of the page after it. */
export interface GameList {
  readonly games: readonly Summary[];
  readonly next: string | null;
}

/** A command was carried out and stored. */
export interface Acknowledged {
  readonly version: number;
}

/** A rating in a mode. */
export interface Rating {
  readonly rating: number;
  readonly games: number;
}

/** An account as its owner sees it. */
export interface Account {
  readonly name: string;
  readonly ratings: Partial<Record<Mode, Rating>>;
}

/** The person who asks. */
export interface Me {
  readonly id: string;
  readonly name: string;
  readonly account: Account | null;
  readonly language: string;
}

/** The steps of the course that are done, on any device. */
export interface Learned {
  readonly steps: readonly string[];
}

/** A bot's token, shown this once. */
export interface Token {
  readonly token: string;
  readonly scope: TokenScope;
}

/** A browser in which one is signed in; `here` is this one. */
export interface Session {
  readonly agent: string;
  readonly created_at: number;
  readonly seen_at: number;
  readonly here: boolean;
}

/** A rating after a game. */
export interface RatingPoint {
  readonly at: number;
  readonly rating: number;
  readonly game: string;
}

/** The public profile of an account. */
export interface Profile {
  readonly name: string;
  readonly since: number;
  readonly ratings: Partial<Record<Mode, Rating>>;
  readonly history: Partial<Record<Mode, readonly RatingPoint[]>>;
  readonly games: readonly Summary[];
}

/** A line of the leaderboard. */
export interface LeaderboardEntry {
  readonly name: string;
  readonly rating: number;
  readonly games: number;
}

/** The leaderboard of a mode. */
export interface Leaderboard {
  readonly mode: Mode;
  readonly players: readonly LeaderboardEntry[];
}

/** A person's puzzle rating and results, and the rating of the puzzle just tried. */
export interface PuzzleStanding {
  readonly rating: number;
  readonly tries: number;
  readonly solved: number;
  readonly puzzle_rating: number | null;
  readonly counted: boolean;
}

/** The ratings of the puzzles that were tried; the others have their first ratings. */
export interface PuzzleRatings {
  readonly ratings: Record<string, number>;
}

/** A start position. */
export interface Layout {
  readonly id: string;
  readonly name: string;
  readonly fair: boolean;
  readonly position: string;
}

/** A strength of the computer. */
export interface Level {
  readonly id: string;
  readonly name: string;
  readonly number: number;
}

/** A way to play: the colours in the order in which they move, and who plays together. */
export interface ModeChoice {
  readonly id: Mode;
  readonly colours: readonly Colour[];
  readonly sides: readonly (readonly Colour[])[];
}

/** The choices for a new game, and the chat phrases. */
export interface Choices {
  readonly modes: readonly ModeChoice[];
  readonly presets: readonly Rules[];
  readonly levels: readonly Level[];
  readonly phrases: readonly Phrase[];
  readonly analysis_ms: number;
}

/** A refusal: a code for programs, a message for people, and details. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details: Record<string, unknown>;
}

/** The body of a refused request. */
export interface ErrorAnswer {
  readonly error: ErrorBody;
}

/** The server and its database are well. */
export interface Health {
  readonly status: string;
}

/** A rating after a game, and in which mode. */
export interface ModePoint {
  readonly mode: string;
  readonly at: number;
  readonly rating: number;
  readonly game: string;
}

/** A chat line as it is stored. */
export interface StoredChatLine {
  readonly game: string;
  readonly at: number;
  readonly line: string;
}

/** All data that is stored about a person; the moves of their games are in the records. */
export interface PersonalData {
  readonly id: string;
  readonly name: string;
  readonly account: string | null;
  readonly language: string | null;
  readonly created_at: number;
  readonly sessions: readonly Session[];
  readonly ratings: Partial<Record<Mode, Rating>>;
  readonly rating_history: readonly ModePoint[];
  readonly games: readonly Summary[];
  readonly chat: readonly StoredChatLine[];
  readonly learned: readonly string[];
}

/** Somebody took a seat. */
export interface Joined {
  readonly type: "joined";
  readonly seat: Colour;
  readonly name: string;
}

/** All seats are taken, and the clock runs. */
export interface Started {
  readonly type: "started";
}

/** The game was called off before it started. */
export interface Cancelled {
  readonly type: "cancelled";
}

/** A move was made. */
export interface Moved {
  readonly type: "moved";
  readonly ply: number;
  readonly seat: Colour;
  readonly move: number;
  readonly moved: readonly string[];
  readonly pushed: readonly string[];
  readonly ejected: Colour | null;
  readonly nacre: string;
  readonly clock: number | null;
}

/** A player was eliminated, and the others play on. */
export interface PlayerEliminated {
  readonly type: "left";
  readonly seat: Colour;
  readonly reason: EndReason;
}

/** The game is over. */
export interface Ended {
  readonly type: "ended";
  readonly outcome: Outcome;
}

/** A player has offered a draw. */
export interface DrawOffered {
  readonly type: "draw_offered";
  readonly seat: Colour;
}

/** A side has agreed to a draw. */
export interface DrawAccepted {
  readonly type: "draw_accepted";
  readonly seat: Colour;
}

/** A draw was declined. */
export interface DrawDeclined {
  readonly type: "draw_declined";
  readonly seat: Colour;
}

/** A player has asked to take their last move back. */
export interface TakebackAsked {
  readonly type: "takeback_asked";
  readonly seat: Colour;
}

/** A side has agreed to a take-back. */
export interface TakebackAccepted {
  readonly type: "takeback_accepted";
  readonly seat: Colour;
}

/** A take-back was declined. */
export interface TakebackDeclined {
  readonly type: "takeback_declined";
  readonly seat: Colour;
}

/** The last `plies` plies are undone. */
export interface TakenBack {
  readonly type: "taken_back";
  readonly plies: number;
}

/** A player has disconnected. */
export interface Disconnected {
  readonly type: "went_away";
  readonly seat: Colour;
}

/** A player who was away has reconnected. */
export interface Reconnected {
  readonly type: "came_back";
  readonly seat: Colour;
}

/** The game resumed after an outage, whose time is charged to nobody. */
export interface Resumed {
  readonly type: "resumed";
  readonly lost: number;
}

/** A player has asked for a rematch. */
export interface RematchOffered {
  readonly type: "rematch_offered";
  readonly seat: Colour;
}

/** The rematch has been created. */
export interface Rematched {
  readonly type: "rematch";
  readonly id: string;
}

export type GameEvent =
  | Joined
  | Started
  | Cancelled
  | Moved
  | PlayerEliminated
  | Ended
  | DrawOffered
  | DrawAccepted
  | DrawDeclined
  | TakebackAsked
  | TakebackAccepted
  | TakebackDeclined
  | TakenBack
  | Disconnected
  | Reconnected
  | Resumed
  | RematchOffered
  | Rematched;

/** The whole game. */
export interface StateFrame {
  readonly type: "state";
  readonly game: Snapshot;
}

/** The fields of a snapshot that an event has changed. */
export interface Patch {
  readonly status?: Status;
  readonly turn?: Colour | null;
  readonly ply?: number;
  readonly captured?: readonly number[];
  readonly clocks?: Partial<Record<Colour, number>> | null;
  readonly delay_left?: number;
  readonly offers?: Offers;
  readonly outcome?: Outcome | null;
  readonly seats?: readonly Seat[];
  readonly rematch?: string | null;
}

/** The fields of a snapshot that are the reader's own, as far as they have changed. */
export interface Mine {
  readonly you?: readonly Colour[];
  readonly can?: readonly Ability[];
  readonly legal?: string;
}

/** An event of the game; versions follow each other without a gap. */
export interface EventFrame {
  readonly type: "event";
  readonly version: number;
  readonly event: GameEvent;
  readonly patch: Patch;
  readonly mine?: Mine;
}

/** Who is connected. */
export interface PresenceFrame {
  readonly type: "presence";
  readonly online: readonly Colour[];
  readonly spectators: number;
  readonly mine?: Mine;
}

/** A computer has started to think, or has finished. */
export interface ThinkingFrame {
  readonly type: "thinking";
  readonly seat: Colour;
  readonly on: boolean;
}

/** A new chat line. */
export interface ChatFrame {
  readonly type: "chat";
  readonly line: ChatLine;
}

/** A command was carried out and stored. */
export interface AckFrame {
  readonly type: "ack";
  readonly ref: string;
  readonly version: number;
}

/** A message was refused: a code for programs, a message for people. */
export interface ErrorFrame {
  readonly type: "error";
  readonly ref: string;
  readonly code: string;
  readonly message: string;
  readonly details: Record<string, unknown>;
}

/** Which rule forbids a move; no reason if it is legal. */
export interface WhyFrame {
  readonly type: "why";
  readonly ref: string;
  readonly message: string;
  readonly reason: string | null;
  readonly values: Record<string, string | number>;
}

/** The answer to a client's ping. */
export interface PongFrame {
  readonly type: "pong";
  readonly sent: number;
  readonly at: number;
}

/** To be answered with a pong at once; the server measures the lag. */
export interface PingFrame {
  readonly type: "ping";
  readonly sent: number;
}

/** Open games, for those who are in the lobby. */
export interface LobbyFrame {
  readonly type: "lobby";
  readonly games: readonly Summary[];
}

export type Frame =
  | StateFrame
  | EventFrame
  | PresenceFrame
  | ThinkingFrame
  | ChatFrame
  | AckFrame
  | ErrorFrame
  | WhyFrame
  | PongFrame
  | PingFrame
  | LobbyFrame;
