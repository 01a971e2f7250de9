"""The game writer: decides on commands, stores their events and publishes them.

A decision is made on the room as this process knows it, and stored only if no other event has been
stored since; otherwise the room catches up and the decision is made again. A command is
acknowledged after commit. From taking the lock to publishing, a change runs as one shielded task,
so a client that disconnects cannot interrupt it. A process that finds the store ahead of its room
publishes the events that were missed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import structlog

from sumito.errors import SumitoError
from sumito.game.events import Event
from sumito.server.base import metrics
from sumito.server.base.i18n import N_
from sumito.server.games import presenter
from sumito.server.games.decisions import (
    Decide,
    Decision,
    rated_result_of,
    row_changes,
    start_event,
)
from sumito.server.games.event_rows import kind_of, to_entry
from sumito.server.games.room import Room
from sumito.server.games.rooms import Rooms
from sumito.server.realtime.hub import GameEvents, Hub, Presence, Resync
from sumito.server.refusals import Refusal, ServerError, Unavailable, refusal_of
from sumito.server.storage import Changes, ConflictError, GameRepository, UnavailableError

_log = structlog.get_logger()

_MAX_TRIES: Final = 20

Done = tuple[int, Sequence[Event]]


@dataclass(frozen=True, slots=True)
class Command:
    """A requested change to a game: how it is decided, by whom and when."""

    decide: Decide
    person_id: str | None = None
    ref: str = ""
    """The sender's id for the command; a repetition is acknowledged, not carried out."""
    arrived: int | None = None
    """When it arrived, in ms; None: now."""


def channel(game_id: str) -> str:
    """Return the hub channel of a game."""
    return f"game:{game_id}"


class GameWriter:
    """Changes games: all events are stored here."""

    def __init__(
        self,
        store: GameRepository,
        rooms: Rooms,
        hub: Hub,
        presence: Presence,
        now: Callable[[], int],
    ) -> None:
        self._store = store
        self._rooms = rooms
        self._hub = hub
        self._presence = presence
        self._now = now
        self._running: set[asyncio.Task[Done]] = set()
        self.unconfirmed: set[str] = set()
        """Games whose last change may or may not be stored."""
        self.on_change: Callable[[Room, Sequence[Event]], Awaitable[None]] = _ignore
        self.on_unavailable: Callable[[], None] = lambda: None
        self.after_outage: Callable[[], Awaitable[None]] = _ignore
        """Called before each change, to end an outage and give its time back."""

    async def change(self, room: Room, command: Command) -> int:
        """Decide, store and publish; return the version of the game afterwards."""
        task = asyncio.create_task(self._change(room, command))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        # A client that disconnects does not interrupt its change.
        try:
            version, _ = await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_report_abandoned)
            raise
        finally:
            # Break a reference cycle: the task holds its exception, whose traceback this frame.
            del task
        return version

    async def finish(self) -> None:
        """Wait for the changes under way."""
        await asyncio.gather(*self._running, return_exceptions=True)

    async def sync_from_store(self, room: Room) -> None:
        """Apply the events that other processes have stored, and publish them here."""
        async with room.lock:
            await self._catch_up(room)

    async def _change(self, room: Room, command: Command) -> Done:
        try:
            await self.after_outage()
        except UnavailableError as error:
            raise _unavailable() from error
        async with room.lock:
            done = await self.change_locked(room, command)
        if done[1]:
            await self.on_change(room, done[1])
        return done

    async def change_locked(self, room: Room, command: Command) -> Done:
        """Decide, store and publish, for a caller that holds the room's lock."""
        if room.id in self.unconfirmed:
            await self._catch_up(room)
        for _ in range(_MAX_TRIES):
            known = room.refs.get((command.person_id, command.ref)) if command.ref else None
            if known is not None:
                return known, ()
            at = max(self._now() if command.arrived is None else command.arrived, room.at)
            try:
                decision = command.decide(room, at)
            except (SumitoError, Refusal) as error:
                # The command may be valid on the latest version.
                if await self._catch_up(room):
                    continue
                raise error if isinstance(error, Refusal) else refusal_of(error) from error
            if not decision.events:
                return room.version, ()
            events = _numbered(room, decision, at)
            if not await self._store_changes(room, command, decision, events):
                continue
            self._take_over(room, decision, events)
            if command.ref:
                room.refs[command.person_id, command.ref] = events[0].version
            await self._announce(room, events, everything=decision.terms is not None)
            return events[-1].version, events
        _log.error(
            "a change lost every conflict", game=room.id, version=room.version, tries=_MAX_TRIES
        )
        raise Unavailable("busy", N_("Too many changes to this game at once. Please try again."))

    async def _store_changes(
        self, room: Room, command: Command, decision: Decision, events: Sequence[Event]
    ) -> bool:
        """Commit the events; return False, with the room caught up, if the room was behind."""
        try:
            await self._store.append(room.id, _changes(room, command, decision, events))
        except ConflictError:
            metrics.CONFLICTS.inc()
            await self._catch_up(room)
            return False
        except UnavailableError as error:
            # It may have been committed: unknown until the database answers again.
            self.unconfirmed.add(room.id)
            self.on_unavailable()
            _log.error("a change couldn't be stored", game=room.id, why=str(error))
            raise _unavailable() from error
        except SumitoError:
            raise
        except Exception as error:
            metrics.FAILURES.labels("store").inc()
            _log.exception("a change can't be stored", game=room.id, version=events[-1].version)
            raise ServerError(
                "failed",
                N_("An error occurred on the server; nothing has changed."),
            ) from error
        return True

    async def _catch_up(self, room: Room) -> bool:
        events = await self._rooms.catch_up(room)
        self.unconfirmed.discard(room.id)
        if events:
            await self._announce(room, events)
        return bool(events)

    def _take_over(self, room: Room, decision: Decision, events: Sequence[Event]) -> None:
        if decision.terms is not None:
            room.terms = decision.terms
        if decision.seats:
            taken = {seat.colour: seat for seat in decision.seats}
            room.set_seats([taken.get(seat.colour, seat) for seat in room.seats.values()])
        room.apply_events(events, decision.game)

    async def _announce(
        self, room: Room, events: Sequence[Event], *, everything: bool = False
    ) -> None:
        """Publish events, or a resync.

        The events are stored: an error here must not fail the command.
        """
        message: GameEvents | None
        try:
            message = None if everything else await self._game_events(room, events)
        except Exception:
            _log.exception("an event couldn't be published", game=room.id)
            metrics.FAILURES.labels("announce").inc()
            message = None
        await self._hub.publish(channel(room.id), message or Resync())

    async def _game_events(self, room: Room, events: Sequence[Event]) -> GameEvents:
        for event in events:
            metrics.EVENTS.labels(kind_of(event)).inc()
        seats_change = any(map(presenter.changes_seats, events))
        online = await self._presence.people(room.id) if seats_change else ()
        at = max(self._now(), room.at)
        frames = presenter.event_frames(room, events, at, online)
        return GameEvents(
            events[0].version, frames, presenter.viewer_fields_by_person(room, events, at)
        )


_DATABASE_UNAVAILABLE: Final = "unavailable"


def is_database_unavailable(error: Exception) -> bool:
    """Whether an error means that the database is unavailable, so a retry may succeed."""
    return isinstance(error, UnavailableError) or (
        isinstance(error, Refusal) and error.code == _DATABASE_UNAVAILABLE
    )


def _unavailable() -> Refusal:
    return Unavailable(
        _DATABASE_UNAVAILABLE,
        N_("The game can't be saved now. Please try again in a moment."),
    )


def _numbered(room: Room, decision: Decision, at: int) -> Sequence[Event]:
    """Return the events with version and time; the game numbers its own."""
    if decision.game is not None:
        return decision.events
    return tuple(
        replace(event, version=room.version + count, at=at)
        for count, event in enumerate(decision.events, 1)
    )


def _changes(room: Room, command: Command, decision: Decision, events: Sequence[Event]) -> Changes:
    # Only the first event has the command's ref: its row stands for the command.
    first = to_entry(events[0], command.person_id, command.ref)
    entries = [first, *map(to_entry, events[1:])]
    sequel_entries = [to_entry(start_event(decision.sequel))] if decision.sequel else []
    return Changes(
        entries=entries,
        row=row_changes(room, decision, events),
        seats=decision.seats,
        rated_result=rated_result_of(room, events),
        sequel=decision.sequel,
        sequel_entries=sequel_entries,
    )


async def _ignore(*_: Any) -> None:
    """Do nothing."""


def _report_abandoned(task: asyncio.Task[Done]) -> None:
    """Retrieve the result of a change whose client has disconnected; log unexpected errors."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, Refusal):
        _log.error("a change failed after its client had disconnected", exc_info=error)
