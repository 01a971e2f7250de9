"""Chat of a game: lines are validated, stored and published.

Only players write. Players may read, and in a listed game everybody.
"""

from __future__ import annotations

import msgspec

from sumito.protocol import frames, views
from sumito.protocol.commands import Chat
from sumito.server.base.i18n import N_
from sumito.server.games.abilities import may_talk
from sumito.server.games.decisions import own_seat
from sumito.server.games.presenter import colour_name
from sumito.server.games.room import Room
from sumito.server.games.writer import channel
from sumito.server.names import clean_text
from sumito.server.realtime.hub import Broadcast, Hub
from sumito.server.refusals import BadRequest, Conflict, Forbidden
from sumito.server.storage import ChatRepository, ChatRow, FullError

MOST_LINES = 500
"""The most chat lines of one game."""
_DECODE = msgspec.json.Decoder(views.ChatLine).decode


class GameChat:
    """Validates, stores and publishes chat lines."""

    def __init__(self, store: ChatRepository, hub: Hub) -> None:
        self.store = store
        self._hub = hub

    async def add_line(self, room: Room, person_id: str, message: Chat, now: int) -> None:
        """Store and publish a player's line; a repeated `ref` is ignored."""
        line = _line(room, person_id, message, now)
        row = ChatRow(room.id, now, frames.encode(line), person_id, message.ref or None)
        try:
            id = await self.store.add(row, MOST_LINES)
        except FullError:
            raise Conflict(
                "chat-full",
                N_("This game's chat is full: it has {most} lines."),
                most=MOST_LINES,
            ) from None
        if id is None:
            return
        published = msgspec.structs.replace(line, id=id)
        frame = frames.encode(frames.ChatFrame(published))
        only = None if room.listed else sorted(room.people)
        await self._hub.publish(channel(room.id), Broadcast(frame, only))

    async def lines(self, room: Room, person_id: str | None, after: int = 0) -> list[str]:
        """Return the lines that a reader may see, encoded."""
        if not room.listed and person_id not in room.people:
            return []
        return [_with_id(id, body) for id, body in await self.store.lines(room.id, after)]


def _line(room: Room, person_id: str, message: Chat, now: int) -> views.ChatLine:
    seat = own_seat(room, person_id, message)
    if room.status == "playing" and not may_talk(room):
        raise Forbidden("no-team-talk", N_("Chat is off during a team game: partners don't talk."))
    if (message.text is None) == (message.phrase is None):
        raise BadRequest("text-or-phrase", N_("A chat line has either a text or a phrase."))
    text = None if message.text is None else clean_text(message.text)
    return views.ChatLine(0, colour_name(seat), now, text, message.phrase)


def _with_id(id: int, body: str) -> str:
    return frames.encode(msgspec.structs.replace(_DECODE(body), id=id))
