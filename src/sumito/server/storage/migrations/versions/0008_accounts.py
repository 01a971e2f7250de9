"""Networks that accounts are used from, scopes of tokens, and which seats are accounts'."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table, the columns and the indexes; seats of accounts are marked."""
    op.create_table(
        "networks",
        sa.Column("person_id", sa.String(24), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("network", sa.String(32), primary_key=True),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_networks_seen_at", "networks", ["seen_at"])
    op.add_column("people", sa.Column("token_scope", sa.String(10)))
    op.add_column(
        "seats", sa.Column("account", sa.Boolean, nullable=False, server_default=sa.false())
    )
    seats = sa.table(
        "seats", sa.column("person_id"), sa.column("name"), sa.column("account", sa.Boolean)
    )
    people = sa.table("people", sa.column("id"), sa.column("account"))
    owner = sa.select(people.c.id).where(
        people.c.id == seats.c.person_id, people.c.account == seats.c.name
    )
    op.execute(seats.update().where(owner.exists()).values(account=True))
    op.create_index("ix_rating_history_game_id", "rating_history", ["game_id"])
    op.create_index(
        "ix_rating_history_person_id_mode_at", "rating_history", ["person_id", "mode", "at"]
    )
    op.create_index("ix_sessions_seen_at", "sessions", ["seen_at"])


def downgrade() -> None:
    """Forget them."""
    op.drop_index("ix_sessions_seen_at", "sessions")
    op.drop_index("ix_rating_history_person_id_mode_at", "rating_history")
    op.drop_index("ix_rating_history_game_id", "rating_history")
    op.drop_column("seats", "account")
    op.drop_column("people", "token_scope")
    op.drop_table("networks")
