"""Exports of cohorts that a worker writes."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "exports",
        sa.Column("id", _KEY, primary_key=True, autoincrement=True),
        sa.Column("of", sa.Text, nullable=False),
        sa.Column("form", sa.String(16), nullable=False),
        sa.Column("output", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("made", _TIME, nullable=False),
        sa.Column("made_by", sa.Text, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("stage", sa.String(16), nullable=False),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("claim", sa.String(32)),
        sa.Column("claimed_until", _TIME),
        sa.Column("finished", _TIME),
        sa.Column("problem", sa.Text, nullable=False),
        sa.Column("request_key", sa.String(255)),
        sa.Column("request_digest", sa.String(64)),
        sa.UniqueConstraint("request_key", name="exports_request"),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    op.drop_table("exports")
