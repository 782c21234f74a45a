"""What a note's own words say of its patient's sex and age, for patients of whom no source tells them."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("notes", sa.Column("age_read", sa.Integer))
    op.add_column("notes", sa.Column("sex_read", sa.String(8), nullable=False, server_default=""))


def downgrade() -> None:
    for column in ("sex_read", "age_read"):
        op.drop_column("notes", column)
