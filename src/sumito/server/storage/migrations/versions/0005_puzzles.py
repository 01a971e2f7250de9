"""What people made of puzzles."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def _person() -> sa.Column[str]:
    return sa.Column("person_id", sa.String(24), sa.ForeignKey("people.id"), primary_key=True)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "puzzle_results",
        _person(),
        sa.Column("puzzle_id", sa.String(16), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
    )
    op.create_table(
        "puzzle_players",
        _person(),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("solved", sa.Integer, nullable=False),
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("puzzle_id", sa.String(16), primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
    )


def downgrade() -> None:
    """Forget them."""
    for table in ("puzzle_ratings", "puzzle_players", "puzzle_results"):
        op.drop_table(table)
