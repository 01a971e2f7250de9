"""
Kernel of Sumito: positions of every mode on a 61-bit board, and search.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


MOVES: int = 1272

MARBLE: int = 400

def move_name(index: int) -> str:
    """The Aba-Pro name of a move by its number."""

class Position:
    """A game so far: board, past and rules."""

    def __init__(self, text: str, win_at: int = 6, repetition: int = 0, ply_limit: int = 0, partner_sidestep: str = 'any', stuck: str = 'default') -> None: ...

    def text(self) -> str: ...

    def legal(self) -> list[int]:
        """Numbers of the legal moves, ascending."""

    def count(self) -> int:
        """How many legal moves there are."""

    def push(self, index: int) -> None:
        """Plays a move; ValueError if it is illegal."""

    def pop(self) -> None:
        """Takes the last move back; IndexError at the start."""

    def copy(self) -> Position: ...

    @property
    def mode(self) -> str: ...

    @property
    def turn(self) -> int: ...

    @property
    def captured(self) -> list[int]: ...

    @property
    def quiet(self) -> int: ...

    @property
    def ply(self) -> int: ...

    @property
    def hash(self) -> int: ...

    def outcome(self) -> tuple[int | None, str] | None: ...

    def perft(self, depth: int, bulk: bool = True) -> int: ...

    def __repr__(self) -> str: ...

def effects(position: Position) -> list[tuple[int, tuple[list[str], list[str], int | None]]]:
    """
    Every legal move with (moved, pushed, ejected), in the order of numbers.
    """

def why_illegal(position: Position, index: int) -> object:
    """(code, values) of what forbids a move; None if it is legal."""

def move_of(cells: Sequence[str], direction: int) -> int | None:
    """The move of a hand that takes these marbles that way."""

def write_move(position: Position, index: int, notation: str) -> str:
    """A legal move's text in a notation."""

def read_move(position: Position, text: str, notation: str) -> object:
    """A legal move's number, or (code, values) of why not."""

def formations(position: Position) -> list[dict[str, object]]:
    """Every formation on the board, in the order of words and colours."""

def canonical_keys(position: Position, moves: Sequence[int] = []) -> list[tuple[int, int, int | None]]:
    """
    Before each move and after the last: (key, symmetry, move). Positions that can be turned or mirrored onto each other have the same key; the symmetry carries to the one it is of, and so it does the move, which is the lowest of those that are the same there.
    """

def carried_move(index: int, symmetry: int) -> int:
    """A move turned or mirrored."""

def faults(position: Position, played: int, better: Sequence[int], punishment: Sequence[int]) -> list[tuple[str, int, list[str]]]:
    """
    Why a move was a mistake, the most telling first: (code, count, cells) of each. ValueError if a line can't be played.
    """

def chance(hundredths: float, sides: int) -> float:
    """
    The chance of winning of the side with that score, in hundredths of a marble.
    """

def verdict(loss: float) -> str:
    """What a move that loses so much of the chance is called."""

def accuracy(losses: Sequence[float]) -> float:
    """
    How accurate moves are, 0 to 1, by the chance of winning that each lost.
    """

def forcing_moves(position: Position, aim: str, moves: int, nodes: int = 100000000) -> list[int] | None:
    """
    The moves with which the side to move ejects next, or wins, within so many moves of its own, whatever the others do. None if it takes more nodes for a move.
    """

def safe_moves(position: Position, moves: int, nodes: int = 100000000) -> list[int] | None:
    """
    The moves after which no other side can force the next ejection within so many moves of its own. None if it takes more nodes for a move.
    """

class Layers:
    """The part of a network for one mode."""

    @property
    def mode(self) -> str: ...

    @property
    def hidden(self) -> int: ...

    @property
    def scale(self) -> int: ...

    @property
    def facts(self) -> str:
        """JSON that tells of its training."""

    @property
    def checksum(self) -> int: ...

    @property
    def second(self) -> int:
        """Neurons of the second layer, or none."""

    @property
    def is_wide(self) -> bool: ...

class Network:
    """An evaluation learnt from games, of one mode or several."""

    def __init__(self, file: bytes, *, plain: bool = False) -> None:
        """
        From the contents of a file; ValueError says why they don't fit. `plain` leaves wide registers unused, to compare.
        """

    @property
    def parts(self) -> list[Layers]:
        """By mode, those it has."""

    def value(self, position: Position) -> int:
        """What a position is worth to the side to move."""

class Trainer:
    """Learns a network from samples."""

    def __init__(self, *, mode: str = 'two', hidden: int = 128, second: int = 0, epochs: int = 10, batch: int = 1024, rate: float = 0.002, trust: float = 0.7, lookahead: float = 0.0, held: float = 0.6, scale: int = 400, validation: int = 50, doubt: int = 4000, order: float = 0.0, threads: int = 1, seed: int = 1, plain: bool = False) -> None: ...

    def add(self, samples: bytes) -> None:
        """In the order of their games."""

    def keep_aside(self, samples: bytes) -> None:
        """Samples to check on only."""

    def next_teacher(self) -> None:
        """What follows was scored by another searcher, in a unit of its own."""

    def begin(self, start: Network | None = None) -> None:
        """After the last samples; goes on from a network if given one."""

    def epoch(self) -> tuple[float, float]:
        """
        Learns from every sample once: the loss on them, and on games kept aside.
        """

    @property
    def training_size(self) -> int: ...

    @property
    def validation_size(self) -> int: ...

    @property
    def games(self) -> int: ...

    @property
    def score_unit(self) -> float: ...

    def file(self, facts: str) -> bytes:
        """The network so far, as the contents of a file."""

SAMPLE_BYTES: int = 48

class Selfplay:
    """A batch of games of the engine against itself."""

    def __init__(self, openings: Sequence[str], *, games: int, first: int = 0, nodes: int = 1000, seed: int = 1, ply_limit: int = 300, uneven: int = 0, tuning: Mapping[str, int] = {}, network: Network | None = None) -> None: ...

    def run(self) -> bytes:
        """Plays, and gives the samples of whole games."""

    def stop(self) -> None:
        """From any thread, before it runs or while it does."""

WIN: int = 30000

def settings() -> dict[str, int]:
    """
    The numbers of the search that matches decide, as they are set for two players.
    """

def setting_ranges() -> dict[str, tuple[int, int]]:
    """The least and the greatest value of each of these numbers."""

def win_in(score: int) -> int | None:
    """
    Plies to a certain win, negative to a certain loss, None if neither is in sight.
    """

class Handicap:
    """Ways to play worse that look like a person's."""

    def __init__(self, *, noise: int = 0, blindness: int = 0, depth: int = 0, nodes: int = 0, quiescence: bool = True, seed: int = 0) -> None: ...

    @property
    def noise(self) -> int: ...

    @property
    def blindness(self) -> int: ...

    @property
    def depth(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def quiescence(self) -> bool: ...

    @property
    def seed(self) -> int: ...

LEVELS: int = 10

def level(number: int, seed: int = 0) -> Handicap:
    """The handicap of a level for people, 1 to 10."""

class Info:
    """One line of a search as it deepens."""

    @property
    def depth(self) -> int: ...

    @property
    def seldepth(self) -> int: ...

    @property
    def rank(self) -> int: ...

    @property
    def score(self) -> int: ...

    @property
    def win_in(self) -> int | None: ...

    @property
    def nodes(self) -> int: ...

    @property
    def ms(self) -> int: ...

    @property
    def pv(self) -> list[int]: ...

class Result:
    """What a search found."""

    @property
    def best(self) -> int | None: ...

    @property
    def ponder(self) -> int | None: ...

    @property
    def score(self) -> int: ...

    @property
    def win_in(self) -> int | None: ...

    @property
    def depth(self) -> int: ...

    @property
    def seldepth(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def ms(self) -> int: ...

    @property
    def pv(self) -> list[int]: ...

    @property
    def lines(self) -> list[Info]: ...

class Stop:
    """Ends the search it is given to, whether that has begun or not."""

    def __init__(self) -> None: ...

    def set(self) -> None:
        """From any thread, for good: another search takes another Stop."""

    @property
    def is_set(self) -> bool: ...

class Searcher:
    """A search with its own threads and tables."""

    def __init__(self, threads: int = 1, hash_mb: int = 64, tuning: Mapping[str, int] = {}, network: Network | None = None) -> None: ...

    def search(self, position: Position, *, depth: int = 0, nodes: int = 0, movetime_ms: int = 0, clock: tuple[int, int, int] | None = None, multipv: int = 1, searchmoves: Sequence[int] = [], handicap: Handicap = ..., contempt: int | None = None, on_info: object | None = None, stop: Stop | None = None) -> Result:
        """
        Searches without the GIL until a limit, or until it is stopped. 0 is no limit, and `clock` is (remaining_ms, increment_ms, moves_to_go). `contempt` is what a draw costs the player at the root. `on_info` hears of every line of every depth.

        To be able to end it from elsewhere, make a `Stop` before and give it along: once set, from any thread and be it before the search begins, the search returns within milliseconds with the best it has (always at least of depth 1). Ctrl-C in the main thread raises KeyboardInterrupt here as soon.
        """

    def stop(self) -> None:
        """
        Ends the search that runs, from any thread. Lost if none has begun: see `Stop`.
        """

    def clear(self) -> None:
        """Forgets everything learnt."""

def bench(depth: int = 11, network: Network | None = None) -> tuple[int, int, float]:
    """A fixed task: (node count, milliseconds, nodes per second)."""

class Player:
    """One of the two who meet in a match."""

    def __init__(self, kind: str = 'engine', *, depth: int = 0, nodes: int = 0, movetime_ms: int = 0, hash_mb: int = 4, threads: int = 1, handicap: Handicap = ..., tuning: Mapping[str, int] = {}, network: Network | None = None) -> None: ...

def choose(player: Player, position: Position, seed: int) -> int:
    """
    The move of a random, greedy or alpha-beta player; -1 if the game is over.
    """

class GameRecord:
    """A finished game of a match."""

    @property
    def start(self) -> str: ...

    @property
    def moves(self) -> list[int]: ...

    @property
    def seats(self) -> list[int]: ...

    @property
    def winner(self) -> int | None: ...

    @property
    def reason(self) -> str: ...

    @property
    def points(self) -> float: ...

    @property
    def slowest_ms(self) -> int: ...

class Match:
    """Games between two players; begins at once, in its own threads."""

    def __init__(self, first: Player, second: Player, openings: Sequence[str], *, games: int = 100, random_plies: int = 0, concurrency: int = 1, seed: int = 1, win_at: int = 6, repetition: int = 3, ply_limit: int = 400, partner_sidestep: str = 'any', stuck: str = 'default', resign: int = 0) -> None: ...

    def cancel(self) -> None:
        """Ends the games that are being played, the searches in them too."""

    def wait(self, timeout: float | None = None) -> bool:
        """
        Until all games are over or the seconds have passed: whether they are over. Raises what went wrong in a game. Any number of threads may wait.
        """

    @property
    def done(self) -> bool: ...

    def score(self) -> tuple[int, int, int]:
        """Wins, draws and losses of the first player so far."""

    def games(self, from_: int = 0) -> list[GameRecord]:
        """Finished games from a number on."""

WIDE_MASKS: bool = False

class Batch:
    """Many games at once, written into the caller's arrays."""

    def __init__(self, start: str, *, games: int, history: int, ply_limit: int, autoreset: str, threads: int, plain: bool, win_at: int, repetition: int, rules_ply_limit: int, partner_sidestep: str, stuck: str, observations: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')], masks: Annotated[NDArray[numpy.int8], dict(order='C', device='cpu')], to_move: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')], captured: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')], final_observations: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')], final_masks: Annotated[NDArray[numpy.int8], dict(order='C', device='cpu')], final_to_move: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')], final_captured: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')], rewards: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')], rewards_by_colour: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')], terminations: Annotated[NDArray[numpy.bool_], dict(order='C', device='cpu')], truncations: Annotated[NDArray[numpy.bool_], dict(order='C', device='cpu')]) -> None: ...

    def reset(self, marks: Annotated[NDArray[numpy.bool_], dict(order='C', device='cpu')] | None = None) -> None:
        """All games, or the marked ones."""

    def step(self, actions: Annotated[NDArray[numpy.int64], dict(order='C', device='cpu')]) -> tuple[int, bool] | None:
        """
        None; or a game that can't go on, and whether that is because it is over. Then nothing was played.
        """

    def choose(self, seed: int, actions: Annotated[NDArray[numpy.int64], dict(order='C', device='cpu')]) -> None:
        """Writes a legal action for each game, each as likely as the others."""

    def text(self, game: int) -> str:
        """The position of a game."""

    def state(self) -> bytes:
        """All games as bytes; the arrays are not among them."""

    def restore(self, state: bytes) -> None:
        """Takes over the games of a batch with the same options."""

class Mcts:
    """Tree search from the games of a batch, judged by the caller."""

    def __init__(self, games: object, *, simulations: int, considered: int, trust: float, noise: float, seed: int) -> None: ...

    def begin(self) -> None:
        """From the games as they stand."""

    def gather(self, observations: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')], masks: Annotated[NDArray[numpy.int8], dict(order='C', device='cpu')]) -> int:
        """
        Writes leaves to be judged, and says how many; 0 when the search is done.
        """

    def judge(self, logits: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]) -> None:
        """
        Their judgement: logits of all moves, values of the sides from the mover's on.
        """

    def visits(self, out: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu')]) -> None: ...

    def advice(self, policy: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')], actions: Annotated[NDArray[numpy.int64], dict(order='C', device='cpu')], values: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')]) -> None:
        """
        Writes how likely each move should be, the moves to play, and what they are worth.
        """
