"""Which games reached a position, for whole games: it was noted of the first 60 plies only."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from sumito import kernel

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

NOTED = 60
AT_ONCE = 500
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def upgrade() -> None:
    """Note the later positions of longer games, some games at a time."""
    connection = op.get_bind()
    longer = sa.text(
        "SELECT number, start, moves FROM archive WHERE plies > :noted AND number > :last"
        " ORDER BY number LIMIT :most"
    )
    reach = sa.text(
        "INSERT INTO reached (key, number) VALUES (:key, :number) ON CONFLICT DO NOTHING"
    )
    values = {"noted": NOTED, "last": 0, "most": AT_ONCE}
    while rows := connection.execute(longer, values).all():
        for row in rows:
            keys = set(_keys(row.start, row.moves)[NOTED:])
            if keys:
                connection.execute(
                    reach, [{"key": key, "number": row.number} for key in sorted(keys)]
                )
        values["last"] = rows[-1].number


def _keys(text: str, packed: str) -> list[int]:
    """The key of each position of a game, as a signed number."""
    start, moves = kernel.Position(text), _unpacked(packed)
    try:
        found = kernel.canonical_keys(start, moves)
    except ValueError:  # somebody left, or the game went on where rulebooks end it
        found = kernel.canonical_keys(start, _playable(start, moves))
    return [key - 2**64 if key >= 2**63 else key for key, _, _ in found]


def _playable(start: kernel.Position, moves: Sequence[int]) -> list[int]:
    """The moves up to the first that the rulebook doesn't allow."""
    at, played = start.copy(), []
    for move in moves:
        try:
            at.push(move)
        except ValueError:
            break
        played.append(move)
    return played


def _unpacked(text: str) -> list[int]:
    values = [ALPHABET.index(letter) for letter in text]
    return [high << 6 | low for high, low in zip(values[::2], values[1::2], strict=True)]


def downgrade() -> None:
    """Nothing to undo: more is noted than before."""
