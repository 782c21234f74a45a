"""By which hash an entry of the audit trail is bound."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # No row is written anew, so the triggers are not asked; those that are there have the first form.
    op.add_column("audit", sa.Column("form", sa.String(16), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("audit", "form")
