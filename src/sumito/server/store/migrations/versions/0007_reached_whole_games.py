"""Which games reached a position, for whole games: it was noted of the first 60 plies only."""

import sqlalchemy as sa
from alembic import op

from sumito.server.store.archive import ArchivedGame, counts, reach

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

NOTED = 60
AT_ONCE = 500


def upgrade() -> None:
    """Note the later positions of longer games, some games at a time."""
    connection = op.get_bind()
    names = ("game_id", "imported", "mode", "layout", "start", "moves", "plies", "winner")
    columns: list[sa.ColumnClause[object]] = [
        sa.column(name) for name in (*names, "reason", "at", "number")
    ]
    longer = sa.select(*columns).select_from(sa.table("archive", *columns))
    longer = longer.where(sa.column("plies") > NOTED).order_by(sa.column("number")).limit(AT_ONCE)
    last = 0
    while rows := connection.execute(longer.where(sa.column("number") > last)).all():
        for row in rows:
            keys = [key for key, _ in counts(ArchivedGame(**row._mapping))]
            reach(connection, row.number, keys[NOTED:])
        last = rows[-1].number


def downgrade() -> None:
    """Nothing to undo: more is noted than before."""
