"""What happens in games without anybody asking: flags, thinking, presence, outages together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sumito.game.events import DrawOffered, Event, TakebackAsked, WentAway
from sumito.server.archive.archive import Archive
from sumito.server.engines.pool import Computers
from sumito.server.games.event_rows import Joined, Rematched
from sumito.server.games.room import Room
from sumito.server.games.service import Games
from sumito.server.scheduler.clocks import Flags
from sumito.server.scheduler.computers import Thinking
from sumito.server.scheduler.outages import Outages
from sumito.server.scheduler.presence import Attendance
from sumito.server.scheduler.tasks import Background

PULSE_S: Final = 1.0
SWEEP_S: Final = 2.0
REFRESH_S: Final = 5.0
CLEAR_S: Final = 300.0
PURGE_S: Final = 86_400.0


class Timers:
    """Looks after the games of one process, and after those that nobody looks after."""

    def __init__(self, games: Games, computers: Computers, archive: Archive) -> None:
        self._games = games
        self._archive = archive
        self._background = Background()
        self.outages = Outages(games)
        self.flags = Flags(games, self._background, self.outages)
        self.thinking = Thinking(games, computers, self._background)
        self.presence = Attendance(games, self._background, self.outages)
        self.flags.on_look = self._looked
        self.flags.in_hand = lambda: self.thinking.in_hand
        games.changer.on_change = self.changed
        games.changer.on_unavailable = self.outages.begin
        games.changer.recover = self.outages.recover
        games.rooms.on_load = self._loaded

    async def start(self) -> None:
        """Find out whether the server was away, then take up all games in play."""
        await self.outages.start()
        self._background.run("take up games", self.flags.take_up)
        self._background.run("archive", self._archive.catch_up)
        self._background.repeat("sweep", SWEEP_S, self._sweep)
        self._background.repeat("pulse", PULSE_S, self._beat)
        self._background.repeat("presence", REFRESH_S, self.presence.refresh)
        self._background.repeat("archive", CLEAR_S, self._archive.catch_up)
        self._background.repeat("clear away", CLEAR_S, self.presence.clear_away)
        # Once at the start too: a server that is restarted every night would never do it.
        self._background.run("purge", self._purge)
        self._background.repeat("purge", PURGE_S, self._purge)

    async def stop(self) -> None:
        """Let go of everything, and note when."""
        self.flags.stop()
        self.presence.stop()
        await self._background.stop()
        await self._games.changer.finish()
        await self.outages.stop()

    async def _sweep(self) -> None:
        self.thinking.failing.forget_old()
        await self.flags.sweep()

    async def _beat(self) -> None:
        # Without a running clock nobody could be charged for a silence.
        if self.flags.waiting or self.outages.down:
            await self.outages.beat()

    async def _purge(self) -> None:
        await self._games.people.purge(self._games.settings.guest_days)

    async def _loaded(self, room: Room) -> None:
        """A game is in memory again, after a restart perhaps: nothing here waits for it yet."""
        await self.outages.resume(room)
        self.presence.set_claim_timer(room)

    async def _looked(self, room: Room) -> None:
        await self.changed(room, ())

    async def changed(self, room: Room, events: Sequence[Event]) -> None:
        """Something happened: set timers, let computers think, answer for those who can't."""
        self.flags.set(room)
        self.thinking.let_think(room)
        if events and room.status == "over" and room.listed:
            self._background.run("archive", self._archive.take, room.id)
        for event in events:
            match event:
                case DrawOffered(seat=seat) | TakebackAsked(seat=seat):
                    is_takeback = isinstance(event, TakebackAsked)
                    self._background.run(
                        "answer an offer", self.thinking.answer_offer, room, seat, is_takeback
                    )
                case Rematched(id=id):
                    self._background.run("look at a game", self.flags.look, id)
                case WentAway():
                    self.presence.set_claim_timer(room)
                case Joined():
                    # Who came to watch and then sat down is a spectator no more.
                    self._background.run("presence", self.presence.tell, room.id)
