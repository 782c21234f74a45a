"""The first ledger: runs, notes, builds."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "runs",
        sa.Column("id", _KEY, primary_key=True, autoincrement=True),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("format", sa.String(32), nullable=False),
        sa.Column("started", _TIME, nullable=False),
        sa.Column("finished", _TIME),
        sa.Column("new", sa.Integer, nullable=False),
        sa.Column("unchanged", sa.Integer, nullable=False),
        sa.Column("changed", sa.Integer, nullable=False),
        sa.Column("rejected", sa.Integer, nullable=False),
    )
    op.create_table(
        "notes",
        sa.Column("key", _KEY, primary_key=True, autoincrement=True),
        sa.Column("collection", sa.Text, nullable=False),
        sa.Column("note_id", sa.String(255), nullable=False),
        sa.Column("patient_id", sa.String(255), nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("date", sa.Date),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("content_hash", sa.String(64), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("run", _KEY, sa.ForeignKey("runs.id")),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("last_error", sa.String(500), nullable=False),
        sa.Column("claim", sa.String(32)),
        sa.Column("claimed_until", _TIME),
        sa.Column("passages", sa.Integer, nullable=False),
        sa.Column("progress", sa.Integer, nullable=False),
        sa.Column("updated", _TIME, nullable=False),
        sa.UniqueConstraint("note_id", name="notes_note_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("notes_work", "notes", ["state", "attempts", "key"])
    op.create_index("notes_claim", "notes", ["claim"])
    op.create_index("notes_collection", "notes", ["collection"])
    op.create_table(
        "builds",
        sa.Column("index_name", sa.String(255), primary_key=True),
        sa.Column("cursor", _KEY, nullable=False),
        sa.Column("started", _TIME, nullable=False),
    )


def downgrade() -> None:
    for table in ("builds", "notes", "runs"):
        op.drop_table(table)
