"""Who the ledger is, and which concepts each version of the labels knew."""

from datetime import UTC, datetime
from uuid import uuid4

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    identity = op.create_table(
        "identity",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("made", _TIME, nullable=False),
        sa.Column("moved_to", sa.Text),
    )
    op.bulk_insert(identity, [{"id": uuid4().hex, "made": datetime.now(UTC), "moved_to": None}])
    op.create_table(
        "labellings",
        sa.Column("version", sa.String(64), primary_key=True),
        sa.Column("made", _TIME, nullable=False),
        sa.Column("concepts", sa.Text, nullable=False),
    )


def downgrade() -> None:
    for table in ("labellings", "identity"):
        op.drop_table(table)
