"""Repository of chat lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import IntegrityError

from sumito.server.storage import tables
from sumito.server.storage.database import Database

_FULL: Final = 0
"""Stands for a full chat; the ids of lines begin with one."""


class FullError(Exception):
    """Raised when a game has as many chat lines as are allowed."""


@dataclass(frozen=True, slots=True)
class ChatRow:
    """A line of chat as it is stored."""

    game_id: str
    at: int
    body: str
    person_id: str | None = None
    ref: str | None = None


class ChatRepository:
    """Reads and writes the chat lines of games."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, row: ChatRow, most: int) -> int | None:
        """Store a line and return its number; None if its `ref` is stored already.

        Raise `FullError` if the game has `most` lines.
        """
        chat = tables.chat
        lines = select(func.count()).select_from(chat).where(chat.c.game_id == row.game_id)
        same = lines.where(chat.c.person_id == row.person_id, chat.c.ref == row.ref)

        def write(connection: Connection) -> int | None:
            # A failing insert would undo other writes of the same transaction, and so would
            # an exception.
            if row.ref and connection.scalar(same):
                return None
            if (connection.scalar(lines) or 0) >= most:
                return _FULL
            values = {name: getattr(row, name) for name in ChatRow.__dataclass_fields__}
            key = connection.execute(insert(chat).values(values)).inserted_primary_key
            return int(key[0]) if key else None

        try:
            number = await self._database.write(write)
        except IntegrityError:
            return None
        if number == _FULL:
            raise FullError
        return number

    async def lines(self, game_id: str, after: int = 0, limit: int = 100) -> list[tuple[int, str]]:
        """Return the last lines after a number, oldest first, as number and JSON."""
        chat = tables.chat
        query = (
            select(chat.c.id, chat.c.body)
            .where(chat.c.game_id == game_id, chat.c.id > after)
            .order_by(chat.c.id.desc())
            .limit(limit)
        )
        return await self._database.read(
            lambda connection: [(row.id, row.body) for row in connection.execute(query)][::-1]
        )
