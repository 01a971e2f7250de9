"""Sessions, names that look alike, and a row to try a write on."""

import sqlalchemy as sa
from alembic import op

from sumito.server.people.names import likeness

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


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
