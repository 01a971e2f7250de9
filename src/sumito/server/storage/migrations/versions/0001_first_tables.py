"""The first tables: people, games, seats, events, chat, ratings."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make all tables."""
    op.create_table(
        "people",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("language", sa.String(10)),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("account", sa.String(40)),
        sa.Column("account_key", sa.String(80)),
        sa.Column("password", sa.String(200)),
        sa.Column("token", sa.String(64)),
        sa.UniqueConstraint("account_key", name="uq_people_account_key"),
        sa.UniqueConstraint("token", name="uq_people_token"),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("creator", sa.String(24), nullable=False),
        sa.Column("terms", sa.Text, nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("started_at", sa.BigInteger),
        sa.Column("ended_at", sa.BigInteger),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("position", sa.String(120), nullable=False),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("winner", sa.String(10)),
        sa.Column("reason", sa.String(20)),
        sa.Column("due_at", sa.BigInteger),
    )
    op.create_index("ix_games_lobby", "games", ["status", "listed", "created_at"])
    op.create_index("ix_games_due", "games", ["due_at"])
    op.create_index("ix_games_ended", "games", ["ended_at"])
    op.create_table(
        "seats",
        sa.Column("game_id", sa.String(24), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("colour", sa.String(10), primary_key=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("person_id", sa.String(24)),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("level", sa.String(20)),
        sa.Column("rating", sa.Integer),
    )
    op.create_index("ix_seats_person_id", "seats", ["person_id"])
    op.create_table(
        "events",
        sa.Column("game_id", sa.String(24), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(24), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("person_id", sa.String(24)),
        sa.Column("ref", sa.String(64)),
        sa.UniqueConstraint("game_id", "person_id", "ref", name="uq_events_game_id_person_id_ref"),
    )
    op.create_table(
        "chat",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("game_id", sa.String(24), sa.ForeignKey("games.id"), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_index("ix_chat_game_id", "chat", ["game_id"])
    op.create_table(
        "ratings",
        sa.Column("person_id", sa.String(24), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("mode", sa.String(16), primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
    )
    op.create_table(
        "rating_history",
        sa.Column("person_id", sa.String(24), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("game_id", sa.String(24), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("mode", sa.String(16), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("rating", sa.Integer, nullable=False),
    )
    op.create_table(
        "pulses",
        sa.Column("process", sa.String(40), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "outages",
        sa.Column("started_at", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("stopped_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(20), primary_key=True),
        sa.Column("value", sa.String(100), nullable=False),
    )


def downgrade() -> None:
    """Take all tables away."""
    for table in (
        "secrets",
        "outages",
        "pulses",
        "rating_history",
        "ratings",
        "chat",
        "events",
        "seats",
        "games",
        "people",
    ):
        op.drop_table(table)
