"""Sessions, names that look alike, and a row to try a write on."""

import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_TWINS = {
    "a": "аαɑ", "b": "вβьƅ", "c": "сϲⅽ", "d": "ԁɗⅾ", "e": "еεєҽ", "f": "ƒϝ", "g": "ɡցԍ",
    "h": "һнհ", "i": "іιıӏ1l|!ǀ", "j": "јϳ", "k": "кκĸ", "m": "мⅿ", "n": "пηոռ", "o": "оοσ0օө",
    "p": "рρ", "q": "ԛզ", "r": "гᴦ", "s": "ѕꜱ5$", "t": "тτ", "u": "υцսʋ", "v": "ѵνⅴ", "w": "ѡωԝɯ",
    "x": "хχⅹ", "y": "уγүყ", "z": "ᴢ2",
}  # fmt: skip
_TO_LATIN = str.maketrans(
    {twin: letter for letter, twins in _TWINS.items() for twin in twins}
    | {"-": None, "_": None, ".": None, " ": None, "æ": "ae", "œ": "oe", "ø": "o", "ł": "i"}
)
_PAIRS = (("rn", "m"), ("vv", "w"), ("ci", "d"))


def likeness(name: str) -> str:
    """What a name looked like when this was written; it never changes, as the rest of this."""
    folded = unicodedata.normalize("NFKD", name).casefold()
    bare = "".join(char for char in folded if not unicodedata.combining(char))
    plain = bare.translate(_TO_LATIN)
    for pair, twin in _PAIRS:
        plain = plain.replace(pair, twin)
    return (plain or bare)[:80]


def upgrade() -> None:
    """Make the tables; accounts that look alike already both stay."""
    op.create_table(
        "sessions",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("person_id", sa.String(24), nullable=False),
        sa.Column("agent", sa.String(200), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_sessions_person_id", "sessions", ["person_id"])
    op.create_table(
        "probes",
        sa.Column("process", sa.String(40), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.add_column("people", sa.Column("likeness", sa.String(80)))
    people = sa.table("people", sa.column("id"), sa.column("account"), sa.column("likeness"))
    connection = op.get_bind()
    seen: set[str] = set()
    accounts = sa.select(people.c.id, people.c.account).where(people.c.account.is_not(None))
    for row in connection.execute(accounts).all():
        look = likeness(row.account)
        if look not in seen:
            seen.add(look)
            connection.execute(sa.update(people).where(people.c.id == row.id).values(likeness=look))
    op.create_index("uq_people_likeness", "people", ["likeness"], unique=True)


def downgrade() -> None:
    """Forget them."""
    op.drop_index("uq_people_likeness", "people")
    op.drop_column("people", "likeness")
    op.drop_table("probes")
    op.drop_table("sessions")
