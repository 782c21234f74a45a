"""A number for each patient, what is known of them, and cohorts."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "patients",
        sa.Column("no", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("patient_id", sa.String(255), nullable=False),
        sa.Column("sex", sa.String(32), nullable=False, server_default=""),
        sa.Column("birth_date", sa.Date),
        sa.Column("death_date", sa.Date),
        sa.UniqueConstraint("patient_id", name="patients_patient_id"),
        sqlite_autoincrement=True,
    )
    op.execute("INSERT INTO patients (patient_id) SELECT patient_id FROM notes GROUP BY patient_id ORDER BY MIN(key)")
    op.add_column("notes", sa.Column("patient_no", sa.Integer, nullable=False, server_default="0"))
    op.add_column("notes", sa.Column("encounter_id", sa.String(255), nullable=False, server_default=""))
    op.add_column("notes", sa.Column("age_given", sa.Integer))
    op.add_column("notes", sa.Column("age", sa.Integer))
    op.execute("UPDATE notes SET patient_no = (SELECT no FROM patients WHERE patients.patient_id = notes.patient_id)")
    op.create_index("notes_patient", "notes", ["patient_no"])
    op.create_index("notes_age", "notes", ["age"])
    op.add_column("identity", sa.Column("people", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("identity", "people")
    for index in ("notes_age", "notes_patient"):
        op.drop_index(index, "notes")
    for column in ("age", "age_given", "encounter_id", "patient_no"):
        op.drop_column("notes", column)
    op.drop_table("patients")
