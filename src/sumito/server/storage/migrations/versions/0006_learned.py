"""Steps of the course that somebody with an account has done."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "learned",
        sa.Column("person_id", sa.String(24), primary_key=True),
        sa.Column("step", sa.String(60), primary_key=True),
    )


def downgrade() -> None:
    """Forget it."""
    op.drop_table("learned")
