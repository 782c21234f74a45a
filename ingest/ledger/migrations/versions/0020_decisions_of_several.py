"""Which ids counted as the patient when a reviewer decided."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # No row is written anew, so the trigger is not asked; of those that are there it is not known.
    op.add_column("review_decisions", sa.Column("besides", sa.Text, nullable=False, server_default="[]"))


def downgrade() -> None:
    op.drop_column("review_decisions", "besides")
