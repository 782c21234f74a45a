"""Accounts that a provider signs in."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("accounts", sa.Column("subject", sa.String(64)))
    op.create_index("accounts_subject", "accounts", ["subject"], unique=True)


def downgrade() -> None:
    op.drop_index("accounts_subject", "accounts")
    op.drop_column("accounts", "subject")
