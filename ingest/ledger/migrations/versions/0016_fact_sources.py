"""Which record of its source says a structured fact."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("facts", sa.Column("source_id", sa.String(300), nullable=False, server_default=""))
    op.create_index("facts_source", "facts", ["source_id"])


def downgrade() -> None:
    op.drop_index("facts_source", "facts")
    op.drop_column("facts", "source_id")
