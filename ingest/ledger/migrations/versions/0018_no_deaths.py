"""Deaths in the year 9999, by which databases say that there was none."""

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("UPDATE patients SET death_date = NULL WHERE death_date >= '9999-01-01'")


def downgrade() -> None:
    pass
