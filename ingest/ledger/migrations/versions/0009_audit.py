"""The audit trail, to which entries are added only."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_WHY = "entries of the audit trail are never changed"
_SQLITE = tuple(
    f"CREATE TRIGGER audit_no_{what} BEFORE {what} ON audit BEGIN SELECT RAISE(ABORT, '{_WHY}'); END"
    for what in ("update", "delete")
)
_POSTGRESQL = (
    f"CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '{_WHY}'; END $$",
    "CREATE TRIGGER audit_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON audit "
    "FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse()",
)


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("number", _KEY, primary_key=True, autoincrement=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("person", sa.String(255), nullable=False),
        sa.Column("action", sa.String(16), nullable=False),
        sa.Column("outcome", sa.String(16), nullable=False),
        sa.Column("patients", sa.Text, nullable=False),
        sa.Column("notes", sa.Text, nullable=False),
        sa.Column("query", sa.Text, nullable=False),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
    )
    op.create_index("audit_at", "audit", ["at"])
    op.create_index("audit_person", "audit", ["person", "number"])
    for statement in _POSTGRESQL if op.get_bind().dialect.name == "postgresql" else _SQLITE:
        op.execute(statement)


def downgrade() -> None:
    op.drop_table("audit")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION audit_refuse()")
