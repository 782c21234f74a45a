"""Structured facts, and which codes stand above which."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "facts",
        sa.Column("key", _KEY, primary_key=True, autoincrement=True),
        sa.Column("patient_no", sa.Integer, nullable=False),
        sa.Column("day", sa.Date),
        sa.Column("system", sa.String(64), nullable=False),
        sa.Column("code", sa.String(255), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("value", sa.Double),
        sa.Column("unit", sa.String(64), nullable=False),
        sa.Column("encounter_id", sa.String(255), nullable=False),
        sa.Column("collection", sa.Text, nullable=False),
        sa.Column("content_hash", sa.String(64), nullable=False),
        sa.Column("run", _KEY, sa.ForeignKey("runs.id")),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.UniqueConstraint("content_hash", name="facts_content"),
        sqlite_autoincrement=True,
    )
    op.create_index("facts_work", "facts", ["state", "key"])
    op.create_index("facts_code", "facts", ["system", "code"])
    op.create_index("facts_collection", "facts", ["collection", "run"])
    op.create_index("facts_patient", "facts", ["patient_no"])
    op.create_table(
        "code_parents",
        sa.Column("key", _KEY, primary_key=True, autoincrement=True),
        sa.Column("system", sa.String(64), nullable=False),
        sa.Column("code", sa.String(255), nullable=False),
        sa.Column("parent", sa.String(255), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("run", _KEY, sa.ForeignKey("runs.id")),
        sa.Column("state", sa.String(16), nullable=False),
        sa.UniqueConstraint("system", "code", "parent", name="code_parents_code"),
        sqlite_autoincrement=True,
    )
    op.create_index("code_parents_work", "code_parents", ["state", "key"])


def downgrade() -> None:
    for table in ("code_parents", "facts"):
        op.drop_table(table)
