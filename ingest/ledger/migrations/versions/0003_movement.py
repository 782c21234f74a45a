"""An index that tells when notes of each state last changed: to read the notes for it would take their text along."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("notes_updated", "notes", ["state", "updated"])


def downgrade() -> None:
    op.drop_index("notes_updated", "notes")
