"""Which version of a note brought its text: later ones came of a merge."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("notes", sa.Column("text_version", sa.Integer, nullable=False, server_default="1"))
    op.execute("UPDATE notes SET text_version = version WHERE version <> 1")


def downgrade() -> None:
    op.drop_column("notes", "text_version")
