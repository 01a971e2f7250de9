"""Final positions of archived games, and which waiting games are in the pairing queue."""

import json
import logging

import sqlalchemy as sa
from alembic import op

from sumito.errors import SumitoError
from sumito.position import Position
from sumito.record import Record
from sumito.rules.move import MOVES

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

AT_ONCE = 500
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

_log = logging.getLogger("alembic.sumito")


def upgrade() -> None:
    """Add the columns, and fill in the positions, some games at a time."""
    op.add_column("archive", sa.Column("final", sa.String(120)))
    op.add_column(
        "games", sa.Column("queued", sa.Boolean, nullable=False, server_default=sa.false())
    )
    connection = op.get_bind()
    connection.execute(
        sa.text(
            "UPDATE archive SET final = (SELECT position FROM games WHERE games.id ="
            " archive.game_id) WHERE NOT imported"
        )
    )
    imported = sa.text(
        "SELECT number, start, moves, tags FROM archive WHERE imported AND number > :last"
        " ORDER BY number LIMIT :most"
    )
    fill = sa.text("UPDATE archive SET final = :final WHERE number = :number")
    last = unreadable = 0
    while rows := connection.execute(imported, {"last": last, "most": AT_ONCE}).all():
        finals = [
            {"number": row.number, "final": final}
            for row in rows
            if (final := _final(row.start, row.moves, row.tags)) is not None
        ]
        if finals:
            connection.execute(fill, finals)
        unreadable += len(rows) - len(finals)
        last = rows[-1].number
    if unreadable:
        _log.warning("%d imported games can't be played through", unreadable)


def _final(start: str, moves: str, tags: str | None) -> str | None:
    """The position after the moves; None if the game can't be played through."""
    try:
        played = [MOVES[index] for index in _unpacked(moves)]
        record = Record.from_moves(Position.parse(start), played, tags=json.loads(tags or "{}"))
        *_, board = record.boards()
        return str(board.position)
    except (SumitoError, ValueError, IndexError):
        return None


def _unpacked(text: str) -> list[int]:
    values = [ALPHABET.index(letter) for letter in text]
    return [high << 6 | low for high, low in zip(values[::2], values[1::2], strict=True)]


def downgrade() -> None:
    """Drop the columns."""
    op.drop_column("games", "queued")
    op.drop_column("archive", "final")
