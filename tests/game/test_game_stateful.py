"""Random commands at random times, in all modes and controls, against what must always hold."""

from dataclasses import replace

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from sumito import BLACK, MOVES, RULEBOOK, TOURNAMENT, Colour, Mode, Rules
from sumito.errors import CommandError, GameOverError, IllegalMoveError, TimeError
from sumito.game import Game
from sumito.game.clock import Delay, Fischer, NoClock, SuddenDeath
from sumito.game.commands import (
    Abort,
    AcceptDraw,
    AcceptTakeback,
    AskTakeback,
    Award,
    Claim,
    DeclineDraw,
    DeclineTakeback,
    Disconnect,
    Flag,
    OfferDraw,
    Play,
    Reconnect,
    Resign,
    Resume,
)
from sumito.game.events import Ended, Moved, PlayerEliminated, Resumed, TakenBack

places = st.integers(0, 12)
waits = st.one_of(st.integers(0, 100), st.integers(0, 100), st.integers(0, 4_000))
controls = st.sampled_from(
    [NoClock(), SuddenDeath(3_000), SuddenDeath(60_000), Fischer(3_000, 500), Delay(3_000, 300)]
)
rule_sets = st.sampled_from(
    [
        RULEBOOK,
        TOURNAMENT,
        Rules(leave_three="ends", leave_teams="partner"),
        Rules(stuck="loses", leave_teams="partner", repetition=2),
        Rules(ply_limit=6),
        Rules(win_at=1),
    ]
)
# Resigning and aborting end most games at once, so they come seldom.
answers = st.sampled_from(
    [OfferDraw, AcceptDraw, DeclineDraw, AskTakeback, AcceptTakeback, DeclineTakeback]
)
presence = st.sampled_from([Disconnect, Disconnect, Reconnect])


class GameMachine(RuleBasedStateMachine):
    """A game, and beside it a shadow that only ever hears its events."""

    @initialize(
        mode=st.sampled_from(Mode),
        control=controls,
        rules=rule_sets,
        rated=st.booleans(),
        start_at=st.integers(-1_000, 1_000),
        lag_limit=st.sampled_from([0, 0, 200]),
    )
    def begin(self, mode, control, rules, rated, start_at, lag_limit):
        self.game = Game(
            {seat: str(seat) for seat in mode.colours},
            mode,
            rules=rules,
            control=control,
            rated=rated,
            start_at=start_at,
            lag_limit=lag_limit,
            away_grace=1_000,
        )
        self.shadow = self.game.copy()
        self.events = []
        self.at = self.turn_since = start_at
        self.uncharged = 0
        self.charged_before = []

    def seat(self, place):
        """Mostly a seat of the mode; now and then one that only teams have."""
        colours = self.game.mode.colours
        return Colour.BLUE if place == 12 else colours[place % len(colours)]

    def send(self, command, wait=0):
        """Send a command; what comes of it must fit the story so far."""
        before = self.game.copy()
        try:
            events = self.game.apply(command, self.at + wait)
        except (CommandError, IllegalMoveError):
            assert self.game == before
            return
        self.at += wait if events else 0
        for event in events:
            assert event.version == len(self.events) + 1
            assert event.at == self.at
            self.events.append(event)
            self.account(event)
        assert self.shadow == self.game
        assert bool(events) == (self.game != before)

    def account(self, event):
        """Let the shadow follow, and book all time that the clocks should not have charged."""
        charged = event.at - self.game.setup.start_at - self.uncharged
        turn, deadline = self.shadow.turn, self.shadow.deadline
        self.shadow.apply_events([event])
        if isinstance(event, Moved):
            self.uncharged += min(event.lag, event.at - self.turn_since)
            self.charged_before.append(charged - (event.at - self.turn_since))
        elif isinstance(event, Resumed):
            self.uncharged += event.lost
            self.turn_since += event.lost
        elif isinstance(event, TakenBack):
            for _ in range(event.plies):
                before = self.charged_before.pop()
            self.uncharged += charged - before
        elif (
            isinstance(event, PlayerEliminated | Ended)
            and turn is not self.shadow.turn
            and deadline
        ):
            fall = deadline - self.game.setup.lag_limit
            self.uncharged += max(0, event.at - fall)
        if turn is not self.shadow.turn or isinstance(event, Moved | TakenBack):
            self.turn_since = event.at

    @precondition(lambda self: self.game.outcome is None)
    @rule(pick=st.integers(0, 10**6), wait=waits, lag=st.integers(-10, 400))
    def play(self, pick, wait, lag):
        moves = self.game.legal_moves
        board = self.game.board
        ejecting = [move for move in moves if board.effect(move).ejected is not None]
        moves = ejecting or moves
        self.send(Play(self.game.turn, moves[pick % len(moves)], lag), wait)

    @rule(place=places, move=st.sampled_from(MOVES), wait=waits)
    def play_anything(self, place, move, wait):
        self.send(Play(self.seat(place), move), wait)

    @rule(kind=answers, place=places, wait=waits)
    def propose_or_answer(self, kind, place, wait):
        self.send(kind(self.seat(place)), wait)

    @precondition(lambda self: self.game.offers)
    @rule(answer=answers, wait=st.integers(0, 50))
    def everybody_answers(self, answer, wait):
        for seat in self.game.mode.colours:
            self.send(answer(seat), wait)

    @precondition(lambda self: self.game.plies and not self.game.setup.rated)
    @rule(place=places, wait=st.integers(0, 50))
    def take_back(self, place, wait):
        self.send(AskTakeback(self.game.plies[-1 - place % len(self.game.plies)].seat), wait)
        self.everybody_answers(AcceptTakeback, wait)

    @rule(kind=presence, place=places, wait=waits)
    def come_or_go(self, kind, place, wait):
        self.send(kind(self.seat(place)), wait)

    @rule(place=places, award=st.sampled_from(Award), wait=waits)
    def claim(self, place, award, wait):
        self.send(Claim(self.seat(place), award), wait)

    @precondition(lambda self: self.at % 3 == 0)
    @rule(kind=st.sampled_from([Resign, Resign, Abort]), place=places, wait=waits)
    def give_up(self, kind, place, wait):
        self.send(kind(self.seat(place)), wait)

    @rule(wait=waits)
    def look_at_the_clock(self, wait):
        down = self.game.deadline is not None and self.at + wait >= self.game.deadline
        before = self.game.version
        self.send(Flag(), wait)
        assert (self.game.version > before) == down

    @rule(wait=waits, alive=st.integers(-100, 4_000))
    def resume(self, wait, alive):
        self.send(Resume(self.at + alive), wait)

    @precondition(lambda self: self.game.outcome is None)
    @rule(back=st.integers(1, 1_000))
    def time_goes_back(self, back):
        before = self.game.copy()
        try:
            self.game.apply(Disconnect(BLACK), self.at - back)
        except TimeError:
            assert self.game == before
        else:
            raise AssertionError("time went backwards")

    @invariant()
    def a_finished_game_takes_nothing_more(self):
        if self.game.outcome is None:
            assert self.game.turn not in self.game.eliminated
            return
        assert self.game.turn is None
        assert self.game.legal_moves == ()
        assert self.game.offers == ()
        assert self.game.deadline is None
        assert self.game.clocks(self.at) == self.game.clocks(self.at + 10**6)
        try:
            self.game.apply(Flag(), self.at)
        except GameOverError:
            return
        raise AssertionError("a command after the end")

    @invariant()
    def one_who_is_out_is_not_waited_for(self):
        assert not self.game.eliminated & self.game.away.keys()

    @invariant()
    def board_and_plies_agree(self):
        board = self.game.board
        assert board.ply == 1 + len(self.game.plies)
        if board.outcome() is not None:
            assert self.game.outcome == board.outcome()

    @invariant()
    def all_time_is_somebodys(self):
        control = self.game.setup.control
        deadline = self.game.deadline
        in_grace = deadline is not None and self.at > deadline - self.game.setup.lag_limit
        if control.budget is None or in_grace:
            return
        left = self.game.clocks(self.at).values()
        given = len(left) * control.budget + len(self.game.plies) * control.increment
        charged = self.at - self.game.setup.start_at - self.uncharged
        assert all(ms >= 0 for ms in left)
        if control.delay:
            assert sum(left) >= given - charged
        else:
            assert sum(left) == given - charged

    def teardown(self):
        if hasattr(self, "game"):
            assert Game.replay(self.game.setup, self.events) == self.game
            other = replace(self.game.setup, rated=not self.game.setup.rated)
            assert Game.replay(other, self.events) != self.game


TestGame = GameMachine.TestCase
TestGame.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)
