"""Lines of chat have refs and phrases; games are found by who made them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns and the index, and rename the fields of lines."""
    with op.batch_alter_table("chat") as chat:
        chat.add_column(sa.Column("person_id", sa.String(24)))
        chat.add_column(sa.Column("ref", sa.String(64)))
        chat.create_unique_constraint(
            op.f("uq_chat_game_id_person_id_ref"), ["game_id", "person_id", "ref"]
        )
    op.create_index("ix_games_creator", "games", ["creator", "created_at"])
    # Quotes within a text are written with a backslash, so these are always names of fields.
    renamed = (('"preset":', '"phrase":'), ('{"from":', '{"id":0,"sender":'))
    for old, new in renamed:
        op.execute(
            sa.text("UPDATE chat SET body = replace(body, :old, :new)").bindparams(old=old, new=new)
        )


def downgrade() -> None:
    """There is no way back."""
    raise NotImplementedError
