"""Lines of chat have refs and phrases; games are found by who made them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    with op.batch_alter_table("chat") as chat:
        chat.add_column(sa.Column("person_id", sa.String(24)))
        chat.add_column(sa.Column("ref", sa.String(64)))
        chat.create_unique_constraint(
            op.f("uq_chat_game_id_person_id_ref"), ["game_id", "person_id", "ref"]
        )
    op.create_index("ix_games_creator", "games", ["creator", "created_at"])
    # Quotes within a text are written with a backslash, so these are always names of fields.
    for old, new in (('"preset":', '"phrase":'), ('"from":', '"sender":')):
        op.execute(
            sa.text("UPDATE chat SET body = replace(body, :old, :new)").bindparams(old=old, new=new)
        )
    op.execute(sa.text("UPDATE chat SET body = replace(body, '{\"sender\"', '{\"id\":0,\"sender\"')"))


def downgrade() -> None:
    raise NotImplementedError
