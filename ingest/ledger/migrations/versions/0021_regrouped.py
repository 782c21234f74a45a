"""When a patient last came to count as another one, or as itself again."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Of those that were merged before it is not known.
    op.add_column("patients", sa.Column("regrouped", sa.DateTime(timezone=True)))


def downgrade() -> None:
    op.drop_column("patients", "regrouped")
