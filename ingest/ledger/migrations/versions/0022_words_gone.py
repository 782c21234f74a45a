"""Reviewers' words may be taken out, and nothing else of what they said."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

_TABLE, _TRIGGER = "review_decisions", "review_decisions_no_update"
_WHY = "what reviewers said is never changed"
_KEPT = (
    *("id", "cohort", "patient_no", "version", "reviewer", "final", "verdict", "evidence", "undoes", "made"),
    "besides",
)


def upgrade() -> None:
    op.add_column(_TABLE, sa.Column("words_gone", sa.DateTime(timezone=True)))
    same = "IS NOT DISTINCT FROM" if _postgresql() else "IS"
    kept = " AND ".join(f"NEW.{name} {same} OLD.{name}" for name in _KEPT)
    gone = "NEW.reason = '' AND NEW.comment = '' AND length(NEW.filled) <= length(OLD.filled)"
    _refuse(f"NEW.words_gone IS NOT NULL AND {gone} AND {kept}")


def downgrade() -> None:
    _refuse("")
    op.drop_column(_TABLE, "words_gone")


def _refuse(unless: str) -> None:
    """Have the database refuse every change of a row that does not satisfy ``unless``."""
    when = f"WHEN (NOT ({unless})) " if unless else ""
    if _postgresql():
        op.execute(f"DROP TRIGGER {_TRIGGER} ON {_TABLE}")
        each = "ROW" if unless else "STATEMENT"
        made = f"CREATE TRIGGER {_TRIGGER} BEFORE UPDATE ON {_TABLE} FOR EACH {each} "
        op.execute(f"{made}{when}EXECUTE FUNCTION review_refuse()")
    else:
        op.execute(f"DROP TRIGGER {_TRIGGER}")
        raised = f"BEGIN SELECT RAISE(ABORT, '{_WHY}'); END"
        op.execute(f"CREATE TRIGGER {_TRIGGER} BEFORE UPDATE ON {_TABLE} {when}{raised}")


def _postgresql() -> bool:
    return op.get_bind().dialect.name == "postgresql"
