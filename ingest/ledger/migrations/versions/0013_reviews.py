"""Review of kept cohorts: fields, decisions, and marks of evidence."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_TIME = sa.DateTime(timezone=True)
_ADDED = ("review_decisions", "review_marks")
_WHY = "what reviewers said is never changed"
_SQLITE = tuple(
    f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} BEGIN SELECT RAISE(ABORT, '{_WHY}'); END"
    for table in _ADDED
)
_POSTGRESQL = (
    f"CREATE FUNCTION review_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '{_WHY}'; END $$",
    *(
        f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION review_refuse()"
        for table in _ADDED
    ),
)


def upgrade() -> None:
    op.create_table(
        "review_fields",
        sa.Column("id", _KEY, primary_key=True, autoincrement=True),
        sa.Column("cohort", _KEY, sa.ForeignKey("cohorts.id"), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("choices", sa.Text, nullable=False),
        sa.Column("made", _TIME, nullable=False),
        sa.Column("made_by", sa.Text, nullable=False),
        sa.Column("retired", _TIME),
        sqlite_autoincrement=True,
    )
    op.create_index("review_fields_cohort", "review_fields", ["cohort"])
    op.create_table(
        "review_decisions",
        sa.Column("id", _KEY, primary_key=True, autoincrement=True),
        sa.Column("cohort", _KEY, sa.ForeignKey("cohorts.id"), nullable=False),
        sa.Column("patient_no", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("reviewer", sa.String(255), nullable=False),
        sa.Column("final", sa.Boolean, nullable=False),
        sa.Column("verdict", sa.String(16), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("comment", sa.Text, nullable=False),
        sa.Column("filled", sa.Text, nullable=False),
        sa.Column("evidence", sa.String(64), nullable=False),
        sa.Column("undoes", _KEY, sa.ForeignKey("review_decisions.id")),
        sa.Column("made", _TIME, nullable=False),
        sa.UniqueConstraint("undoes", name="review_decisions_undoes"),
        sqlite_autoincrement=True,
    )
    op.create_index("review_decisions_cohort", "review_decisions", ["cohort", "final", "id"])
    op.create_table(
        "review_marks",
        sa.Column("id", _KEY, primary_key=True, autoincrement=True),
        sa.Column("cohort", _KEY, sa.ForeignKey("cohorts.id"), nullable=False),
        sa.Column("patient_no", sa.Integer, nullable=False),
        sa.Column("reviewer", sa.String(255), nullable=False),
        sa.Column("criterion", sa.Text, nullable=False),
        sa.Column("concept", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("assertion", sa.String(16), nullable=False),
        sa.Column("note_key", _KEY),
        sa.Column("note_version", sa.Integer, nullable=False),
        sa.Column("begin", _KEY, nullable=False),
        sa.Column("end", _KEY, nullable=False),
        sa.Column("reading", sa.String(8), nullable=False),
        sa.Column("made", _TIME, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("review_marks_cohort", "review_marks", ["cohort", "patient_no"])
    for statement in _POSTGRESQL if op.get_bind().dialect.name == "postgresql" else _SQLITE:
        op.execute(statement)


def downgrade() -> None:
    for table in ("review_marks", "review_decisions", "review_fields"):
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION review_refuse()")
