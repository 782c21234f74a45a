"""Purposes: which collections they cover, who is of them; sessions, tokens, cohorts and exports are of one."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "purposes",
        sa.Column("id", _KEY, primary_key=True, autoincrement=True),
        sa.Column("code", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("approval", sa.Text, nullable=False),
        sa.Column("until", sa.Date, nullable=False),
        sa.Column("collections", sa.Text),
        sa.Column("made", _TIME, nullable=False),
        sa.Column("made_by", sa.Text, nullable=False),
        sa.Column("closed", _TIME),
        sa.UniqueConstraint("code", name="purposes_code"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "purpose_people",
        sa.Column("id", _KEY, primary_key=True, autoincrement=True),
        sa.Column("purpose", _KEY, sa.ForeignKey("purposes.id"), nullable=False),
        sa.Column("account", _KEY, sa.ForeignKey("accounts.id"), nullable=False),
        sa.UniqueConstraint("purpose", "account", name="purpose_people_once"),
        sqlite_autoincrement=True,
    )
    op.create_index("purpose_people_account", "purpose_people", ["account"])
    op.add_column("sessions", sa.Column("purpose", _KEY))
    op.add_column("api_tokens", sa.Column("purpose", _KEY))
    op.add_column("exports", sa.Column("purpose", _KEY, nullable=False, server_default="0"))
    op.add_column("cohorts", sa.Column("purpose", _KEY, nullable=False, server_default="0"))
    _named_once("UNIQUE (purpose, name)")


def downgrade() -> None:
    for table in ("api_tokens", "sessions"):
        op.drop_column(table, "purpose")
    _named_once("UNIQUE (name)")
    for table in ("cohorts", "exports"):
        op.drop_column(table, "purpose")
    op.drop_table("purpose_people")
    op.drop_table("purposes")


def _named_once(constraint: str) -> None:
    """Make ``constraint`` that of the names of cohorts. SQLite takes it with a table of its own only."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(f"ALTER TABLE cohorts DROP CONSTRAINT cohorts_name, ADD CONSTRAINT cohorts_name {constraint}")
        return
    made = op.get_bind().exec_driver_sql("SELECT sql FROM sqlite_master WHERE name = 'cohorts'").scalar_one()
    before = "UNIQUE (name)" if "UNIQUE (name)" in made else "UNIQUE (purpose, name)"
    for statement in (
        # The versions refer to rows that are away until the end.
        "PRAGMA defer_foreign_keys = ON",
        "CREATE TEMPORARY TABLE cohorts_kept AS SELECT * FROM cohorts",
        "CREATE TEMPORARY TABLE cohorts_next AS SELECT seq FROM sqlite_sequence WHERE name = 'cohorts'",
        "DROP TABLE cohorts",
        made.replace(before, constraint),
        "INSERT INTO cohorts SELECT * FROM cohorts_kept",
        "DELETE FROM sqlite_sequence WHERE name = 'cohorts'",
        "INSERT INTO sqlite_sequence (name, seq) SELECT 'cohorts', seq FROM cohorts_next",
        "DROP TABLE cohorts_kept",
        "DROP TABLE cohorts_next",
    ):
        op.get_bind().exec_driver_sql(statement)
