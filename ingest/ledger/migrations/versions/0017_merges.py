"""Patients who count as another, and what came under their ids."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("patients", sa.Column("replaced_by", sa.Integer))
    op.create_index("patients_replaced", "patients", ["replaced_by"])
    op.add_column("notes", sa.Column("given_patient", sa.String(255)))
    op.add_column("facts", sa.Column("given_no", sa.Integer))


def downgrade() -> None:
    op.drop_column("facts", "given_no")
    op.drop_column("notes", "given_patient")
    op.drop_index("patients_replaced", "patients")
    op.drop_column("patients", "replaced_by")
