"""The archive of finished games, and what was played in each position."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables; games that are over already are added when the server starts."""
    op.create_table(
        "archive",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("game_id", sa.String(24), nullable=False),
        sa.Column("imported", sa.Boolean, nullable=False),
        sa.Column("mode", sa.String(16), nullable=False),
        sa.Column("layout", sa.String(40), nullable=False),
        sa.Column("start", sa.String(120), nullable=False),
        sa.Column("moves", sa.Text, nullable=False),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("winner", sa.String(10)),
        sa.Column("reason", sa.String(40), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("tags", sa.Text),
        sa.UniqueConstraint("game_id", name="uq_archive_game_id"),
    )
    op.create_index("ix_archive_at", "archive", ["at", "number"])
    op.create_index("ix_archive_layout", "archive", ["layout", "at"])
    op.create_table(
        "archive_players",
        sa.Column("number", sa.Integer, sa.ForeignKey("archive.number"), primary_key=True),
        sa.Column("colour", sa.String(10), primary_key=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("name_key", sa.String(160), nullable=False),
        sa.Column("rating", sa.Integer),
    )
    op.create_index("ix_archive_players_name_key", "archive_players", ["name_key", "number"])
    op.create_table(
        "reached",
        sa.Column("key", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "openings",
        sa.Column("key", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("move", sa.Integer, primary_key=True, autoincrement=False),
        *(
            sa.Column(name, sa.Integer, nullable=False)
            for name in ("games", "first", "second", "third", "draws")
        ),
        sa.Column("rating_sum", sa.BigInteger, nullable=False),
        sa.Column("rated", sa.Integer, nullable=False),
        sa.Column("last_at", sa.BigInteger, nullable=False),
        sa.Column("last_number", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_seats_name", "seats", ["name"])


def downgrade() -> None:
    """Forget the archive; the games themselves stay, imported ones don't."""
    op.drop_index("ix_seats_name", "seats")
    for table in ("openings", "reached", "archive_players", "archive"):
        op.drop_table(table)
