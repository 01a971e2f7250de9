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
        """Play a move; ValueError if it is illegal."""

    def pop(self) -> None:
        """Take the last move back; IndexError at the start."""

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
    """Why a move is illegal, as (code, values); None if it is legal."""

def move_of(cells: Sequence[str], direction: int) -> int | None:
    """The move of these marbles in a direction, or None."""

def write_move(position: Position, index: int, notation: str) -> str:
    """The text of a legal move in a notation."""

def read_move(position: Position, text: str, notation: str) -> object:
    """
    The number of a legal move, or the reason against it as (code, values).
    """

def formations(position: Position) -> list[dict[str, object]]:
    """Every formation on the board, by kind and colour."""

def canonical_keys(position: Position, moves: Sequence[int] = []) -> list[tuple[int, int, int | None]]:
    """
    Before each move and after the last: (key, symmetry, move). Symmetric positions have the same key; `symmetry` maps to the canonical one, and `move` is the move there, the lowest of equivalent ones.
    """

def transform_move(index: int, symmetry: int) -> int:
    """A move mapped by a symmetry."""

def mistake_reasons(position: Position, played: int, better: Sequence[int], punishment: Sequence[int]) -> list[tuple[str, int, list[str]]]:
    """
    Why a move was a mistake, most important first, as (code, count, cells). ValueError if a variation is illegal.
    """

def chance(hundredths: float, sides: int) -> float:
    """
    The chance of winning of a side with a score in hundredths of a marble.
    """

def verdict(loss: float) -> str:
    """The verdict on a move by its loss of chance."""

def accuracy(losses: Sequence[float]) -> float:
    """Accuracy of moves, 0 to 1, by their losses of chance."""

def forcing_moves(position: Position, aim: str, moves: int, nodes: int = 100000000) -> list[int] | None:
    """
    The moves with which the side to move forces an ejection, or a win, within `moves` moves of its own. None if one of them takes more than `nodes` nodes.
    """

def safe_moves(position: Position, moves: int, nodes: int = 100000000) -> list[int] | None:
    """
    The moves after which no other side can force the next ejection within `moves` moves of its own. None if one of them takes more than `nodes` nodes.
    """

class ModeNetwork:
    """The part of a network for one mode."""

    @property
    def mode(self) -> str: ...

    @property
    def hidden(self) -> int: ...

    @property
    def scale(self) -> int: ...

    @property
    def facts(self) -> str:
        """JSON about its training."""

    @property
    def checksum(self) -> int: ...

    @property
    def second(self) -> int:
        """Neurons of the second layer, or 0."""

    @property
    def uses_simd(self) -> bool: ...

class Network:
    """A network for the evaluation of one mode or several."""

    def __init__(self, file: bytes, *, disable_simd: bool = False) -> None:
        """Read the contents of a file; ValueError if they are invalid."""

    @property
    def parts(self) -> list[ModeNetwork]:
        """The parts it has, by mode."""

    def value(self, position: Position) -> int:
        """The value of a position for the side to move."""

class Trainer:
    """Trains a network from samples."""

    def __init__(self, *, mode: str = 'two', hidden: int = 128, second_layer: int = 0, epochs: int = 10, batch: int = 1024, learning_rate: float = 0.002, score_weight: float = 0.7, td_lambda: float = 0.0, held_lead_log_odds: float = 0.6, scale: int = 400, validation: int = 50, score_clamp: int = 4000, ranking_weight: float = 0.0, threads: int = 1, seed: int = 1, disable_simd: bool = False) -> None: ...

    def add(self, samples: bytes) -> None:
        """Add samples, in the order of their games."""

    def add_validation(self, samples: bytes) -> None:
        """Add samples for validation only."""

    def end_source(self) -> None:
        """End a source: later samples have scores in a unit of their own."""

    def begin(self, start: Network | None = None) -> None:
        """Start training after the last samples, from a network if given one."""

    def epoch(self) -> tuple[float, float]:
        """
        Train on every sample once; return the training and the validation loss.
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
        """The contents of a network file."""

SAMPLE_BYTES: int = 48

class Selfplay:
    """A chunk of self-play games."""

    def __init__(self, openings: Sequence[str], *, games: int, first: int = 0, nodes: int = 1000, seed: int = 1, ply_limit: int = 300, random_side_permille: int = 0, tuning: Mapping[str, int] = {}, network: Network | None = None) -> None: ...

    def run(self) -> bytes:
        """Play, and return the samples of whole games."""

    def stop(self) -> None:
        """Stop it, from any thread, before or while it runs."""

WIN: int = 30000

def settings() -> dict[str, int]:
    """Default values of the tuning parameters, for two players."""

def setting_ranges() -> dict[str, tuple[int, int]]:
    """Least and greatest value of each tuning parameter."""

def win_in(score: int) -> int | None:
    """Plies to a proven win, negative to a proven loss, None otherwise."""

class Handicap:
    """Weakening that resembles a person's play."""

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
    """The handicap of a level, 1 to 10."""

class Info:
    """One variation at one depth of a search."""

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
    """Stop flag of a search, which may be set before the search starts."""

    def __init__(self) -> None: ...

    def set(self) -> None:
        """
        Set it from any thread. It stays set: use a new one for another search.
        """

    @property
    def is_set(self) -> bool: ...

class Searcher:
    """A search with its own threads and tables."""

    def __init__(self, threads: int = 1, hash_mb: int = 64, tuning: Mapping[str, int] = {}, network: Network | None = None) -> None: ...

    def search(self, position: Position, *, depth: int = 0, nodes: int = 0, movetime_ms: int = 0, clock: tuple[int, int, int] | None = None, multipv: int = 1, searchmoves: Sequence[int] = [], handicap: Handicap = ..., contempt: int | None = None, on_info: object | None = None, stop: Stop | None = None) -> Result:
        """
        Search without the GIL until a limit is reached or it is stopped. 0 means no limit; `clock` is (remaining_ms, increment_ms, moves_to_go). `contempt` is what a draw costs the player at the root. `on_info` is called with every variation of every depth.

        To stop it from elsewhere, pass a `Stop`: once set, from any thread and even before the search starts, the search returns within milliseconds with its best so far (at least of depth 1). Ctrl-C in the main thread raises KeyboardInterrupt.
        """

    def stop(self) -> None:
        """
        Stop the running search, from any thread. Without effect before it starts: see `Stop`.
        """

    def clear(self) -> None:
        """Clear table and history."""

def bench(depth: int = 11, network: Network | None = None) -> tuple[int, int, float]:
    """Run the benchmark: (nodes, milliseconds, nodes per second)."""

class Player:
    """One of the two players of a match."""

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
    """Games between two players, started at once in threads of their own."""

    def __init__(self, first: Player, second: Player, openings: Sequence[str], *, games: int = 100, random_plies: int = 0, concurrency: int = 1, seed: int = 1, win_at: int = 6, repetition: int = 3, ply_limit: int = 400, partner_sidestep: str = 'any', stuck: str = 'default', resign: int = 0) -> None: ...

    def cancel(self) -> None:
        """Stop the running games and their searches."""

    def wait(self, timeout: float | None = None) -> bool:
        """
        Wait until all games are over or the seconds have passed; return whether they are over. Raises an exception of a game. Several threads may wait.
        """

    @property
    def done(self) -> bool: ...

    def score(self) -> tuple[int, int, int]:
        """Wins, draws and losses of the first player so far."""

    def games(self, from_: int = 0) -> list[GameRecord]:
        """Finished games from a number on."""

HAS_SIMD_MASKS: bool = True

class Batch:
    """Vectorised environment that writes into the caller's arrays."""

    def __init__(self, start: str, *, games: int, history: int, ply_limit: int, autoreset: str, threads: int, disable_simd: bool, win_at: int, repetition: int, rules_ply_limit: int, partner_sidestep: str, stuck: str, observations: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')], masks: Annotated[NDArray[numpy.int8], dict(order='C', device='cpu')], to_move: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')], captured: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')], final_observations: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')], final_masks: Annotated[NDArray[numpy.int8], dict(order='C', device='cpu')], final_to_move: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')], final_captured: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')], rewards: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')], rewards_by_colour: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')], terminations: Annotated[NDArray[numpy.bool_], dict(order='C', device='cpu')], truncations: Annotated[NDArray[numpy.bool_], dict(order='C', device='cpu')]) -> None: ...

    def reset(self, marks: Annotated[NDArray[numpy.bool_], dict(order='C', device='cpu')] | None = None) -> None:
        """Restart all games, or the marked ones."""

    def step(self, actions: Annotated[NDArray[numpy.int64], dict(order='C', device='cpu')]) -> tuple[int, bool] | None:
        """
        Play an action in every game and return None. If one is refused, play nothing and return (game, whether it is over).
        """

    def sample_actions(self, seed: int, actions: Annotated[NDArray[numpy.int64], dict(order='C', device='cpu')]) -> None:
        """Write a uniformly random legal action for each game."""

    def text(self, game: int) -> str:
        """The position of a game."""

    def state(self) -> bytes:
        """All games as bytes, without the arrays."""

    def restore(self, state: bytes) -> None:
        """Restore the games of a batch with the same options."""

class Mcts:
    """
    Monte Carlo tree search from the games of a batch, evaluated by the caller.
    """

    def __init__(self, games: object, *, simulations: int, max_considered: int, c_scale: float, gumbel_scale: float, seed: int) -> None: ...

    def begin(self) -> None:
        """Start new trees from the current games."""

    def gather(self, observations: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')], masks: Annotated[NDArray[numpy.int8], dict(order='C', device='cpu')]) -> int:
        """
        Write the observations of leaves and return how many; 0 when the search is done.
        """

    def evaluate(self, logits: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]) -> None:
        """
        Take the leaves' evaluations: logits of all moves, values of the sides from the mover's on.
        """

    def visits(self, out: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu')]) -> None: ...

    def improved_policy(self, policy: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')], actions: Annotated[NDArray[numpy.int64], dict(order='C', device='cpu')], values: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')]) -> None:
        """Write the improved policy, the moves to play, and the values."""
