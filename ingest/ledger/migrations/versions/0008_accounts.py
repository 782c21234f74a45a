"""Accounts, sessions of the page, tokens of the API."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", _KEY, primary_key=True, autoincrement=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("password", sa.String(255), nullable=False),
        sa.Column("must_change", sa.Boolean, nullable=False),
        sa.Column("disabled", sa.Boolean, nullable=False),
        sa.Column("made", _TIME, nullable=False),
        sa.Column("signed_in", _TIME),
        sa.UniqueConstraint("name", name="accounts_name"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "sessions",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("account", _KEY, sa.ForeignKey("accounts.id"), nullable=False),
        sa.Column("made", _TIME, nullable=False),
        sa.Column("seen", _TIME, nullable=False),
    )
    op.create_index("sessions_account", "sessions", ["account"])
    op.create_table(
        "api_tokens",
        sa.Column("id", _KEY, primary_key=True, autoincrement=True),
        sa.Column("account", _KEY, sa.ForeignKey("accounts.id"), nullable=False),
        sa.Column("label", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("rights", sa.Text, nullable=False),
        sa.Column("made", _TIME, nullable=False),
        sa.Column("expires", _TIME, nullable=False),
        sa.UniqueConstraint("digest", name="api_tokens_digest"),
        sqlite_autoincrement=True,
    )
    op.create_index("api_tokens_account", "api_tokens", ["account"])


def downgrade() -> None:
    op.drop_table("api_tokens")
    op.drop_table("sessions")
    op.drop_table("accounts")
