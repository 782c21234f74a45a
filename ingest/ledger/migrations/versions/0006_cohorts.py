"""Cohorts that are kept: names, schedules, and versions that never change."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "cohorts",
        sa.Column("id", _KEY, primary_key=True, autoincrement=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("made", _TIME, nullable=False),
        sa.Column("every", sa.Integer),
        sa.Column("due", _TIME),
        sa.Column("claim", sa.String(32)),
        sa.Column("claimed_until", _TIME),
        sa.Column("looked", _TIME),
        sa.Column("problem", sa.Text, nullable=False, server_default=""),
        sa.UniqueConstraint("name", name="cohorts_name"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "cohort_versions",
        sa.Column("id", _KEY, primary_key=True, autoincrement=True),
        sa.Column("cohort", _KEY, sa.ForeignKey("cohorts.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("made", _TIME, nullable=False),
        sa.Column("made_by", sa.Text, nullable=False),
        sa.Column("scheduled", sa.Boolean, nullable=False),
        sa.Column("unit", sa.String(16), nullable=False),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("provenance", sa.Text, nullable=False),
        sa.Column("steps", sa.Text, nullable=False),
        sa.Column("patient_count", sa.Integer, nullable=False),
        sa.Column("note_count", sa.Integer, nullable=False),
        sa.Column("undated", sa.Integer, nullable=False),
        sa.Column("patients", sa.LargeBinary, nullable=False),
        sa.Column("evidence", sa.LargeBinary, nullable=False),
        sa.Column("notes", sa.LargeBinary, nullable=False),
        sa.Column("past", sa.LargeBinary, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("request_key", sa.String(255)),
        sa.Column("request_digest", sa.String(64)),
        sa.UniqueConstraint("cohort", "number", name="cohort_versions_number"),
        sa.UniqueConstraint("request_key", name="cohort_versions_request"),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    for table in ("cohort_versions", "cohorts"):
        op.drop_table(table)
