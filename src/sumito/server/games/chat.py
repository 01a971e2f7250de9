"""What people at a table say to each other.

Only those on a seat write, and lines are kept with the game. Who may read them: the players, and
in a game that was listed for all, everybody.
"""

from __future__ import annotations

import msgspec

from sumito.protocol import frames, views
from sumito.protocol.commands import Chat
from sumito.server.base.i18n import N_
from sumito.server.games.abilities import may_talk
from sumito.server.games.decisions import own_seat
from sumito.server.games.presenter import name
from sumito.server.games.room import Room
from sumito.server.games.writer import channel
from sumito.server.names import clean_text
from sumito.server.realtime.hub import Hub, Notice
from sumito.server.refusals import Refusal
from sumito.server.storage import ChatRow, FullError, GameStore

MOST_LINES = 500
"""Lines that are kept of one game; a conversation longer than that has moved elsewhere."""
_DECODE = msgspec.json.Decoder(views.ChatLine).decode


class Talk:
    """Lines of chat: written, stored, told."""

    def __init__(self, store: GameStore, hub: Hub) -> None:
        self._store = store
        self._hub = hub

    async def say(self, room: Room, person_id: str, message: Chat, now: int) -> None:
        """Somebody at the table says something; the same `ref` twice is said once."""
        line = _line(room, person_id, message, now)
        row = ChatRow(room.id, now, frames.encode(line), person_id, message.ref or None)
        try:
            id = await self._store.say(row, MOST_LINES)
        except FullError:
            raise Refusal(
                "chat-full",
                N_("this game's chat is full: it has {most} lines"),
                status=409,
                most=MOST_LINES,
            ) from None
        if id is None:
            return
        told = msgspec.structs.replace(line, id=id)
        frame = frames.encode(frames.ChatFrame(told))
        only = None if room.listed else sorted(room.people)
        await self._hub.tell(channel(room.id), Notice(frame, only))

    async def lines(self, room: Room, person_id: str | None, after: int = 0) -> list[str]:
        """What a reader may know of what was said."""
        if not room.listed and person_id not in room.people:
            return []
        return [_numbered(id, body) for id, body in await self._store.said(room.id, after)]


def _line(room: Room, person_id: str, message: Chat, now: int) -> views.ChatLine:
    seat = own_seat(room, person_id, message)
    if room.status == "playing" and not may_talk(room):
        raise Refusal("no-team-talk", N_("partners don't talk during a team game"), status=403)
    if (message.text is None) == (message.phrase is None):
        raise Refusal("text-or-phrase", N_("say either a text or one of the phrases"))
    text = None if message.text is None else clean_text(message.text)
    return views.ChatLine(0, name(seat), now, text, message.phrase)


def _numbered(id: int, body: str) -> str:
    return frames.encode(msgspec.structs.replace(_DECODE(body), id=id))
