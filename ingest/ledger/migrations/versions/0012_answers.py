"""What viewers were told, so that no two answers give few patients away."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "answers",
        sa.Column("id", _KEY, primary_key=True, autoincrement=True),
        sa.Column("account", _KEY, sa.ForeignKey("accounts.id"), nullable=False),
        sa.Column("purpose", _KEY, nullable=False),
        sa.Column("patients", sa.LargeBinary, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.UniqueConstraint("account", "purpose", "digest", name="answers_once"),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    op.drop_table("answers")
