"""What a run came to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from ingest.ledger import Ledger
from ingest.run.rejects import Rejects

SKIPPED = "skipped: "
"""Before the reason for which a record brings nothing, in the totals of a run."""
SMALL_SHARE = 0.01
"""Of the records, or of the lines: what may be rejected in a run that still ends well."""


@dataclass(slots=True)
class Summary:
    """What a run did, note by note."""

    new: int = 0
    unchanged: int = 0
    changed: int = 0
    rejected: int = 0
    failed: int = 0
    """Notes of this run that nobody can find; also those that failed before, and came unchanged."""
    seconds: float = 0.0
    withdrawn: int = 0
    """Notes that were there, and that the source takes back: they are deleted."""
    words: int = 0
    """Decisions of reviewers that lost their words with these."""
    rejects_file: Path | None = None
    lines: int = 0
    """Lines of a table that were read; 0 where lines are not counted."""
    lines_left_out: int = 0
    cut: int = 0
    """Files that end inside a quote or a line."""
    patients: int = 0
    """Rows that told of a patient."""
    told: int = 0
    """Patients of whom more or other is known now."""
    without_notes: int = 0
    """Patients of whom there is no note yet."""
    merges: int = 0
    """Rows that told of who counts as whom."""
    merged: int = 0
    """Patients that count as another one now."""
    unmerged: int = 0
    """Those that count as themselves again."""
    facts: int = 0
    """Structured facts that were read."""
    new_facts: int = 0
    gone_facts: int = 0
    """Those that a record of the source no longer says, or that this run did not bring, and was to replace."""
    codes: int = 0
    """Rows of a table of parents that were read."""
    new_codes: int = 0
    changed_codes: int = 0
    gone_codes: int = 0
    kept_back: bool = False
    """Whether nothing was replaced, because too much of the source was not taken in."""
    skipped: dict[str, int] = field(default_factory=dict)
    """Sound records that bring nothing, by reason."""
    index_lacks: bool = False
    """Whether the index has lost passages of notes that were indexed before."""

    @property
    def loud(self) -> bool:
        """Whether so much is missing that nobody should take the run for a success."""
        return self.kept_back or self.failed > 0 or incomplete(self.records, self.rejected, self.cut, *self._lines)

    @property
    def records(self) -> int:
        """Of whatever kind that were taken in, or were there already."""
        return self.notes + self.patients + self.merges + self.facts + self.codes

    @property
    def _lines(self) -> tuple[int, int]:
        return self.lines, self.lines_left_out

    @property
    def notes(self) -> int:
        return self.new + self.unchanged + self.changed

    @property
    def notes_per_second(self) -> float:
        return self.notes / self.seconds if self.seconds else 0.0


def incomplete(records: int, rejected: int, cut: int, lines: int, lines_left_out: int) -> bool:
    """Whether so much of a source was left out that what came in does not stand for it."""
    lost = rejected > SMALL_SHARE * (records + rejected)
    return lost or lines_left_out > SMALL_SHARE * lines > 0 or cut > 0


def summary(totals: Counter[str], ledger: Ledger, run: int, seconds: float, rejects: Rejects) -> Summary:
    return Summary(
        new=totals["new"],
        unchanged=totals["unchanged"],
        changed=totals["changed"],
        rejected=totals["rejected"],
        patients=totals["patients"],
        told=totals["told"],
        without_notes=totals["without notes"],
        merges=totals["merges"],
        merged=totals["merged"],
        unmerged=totals["unmerged"],
        facts=totals["facts"],
        new_facts=totals["new facts"],
        gone_facts=totals["gone facts"],
        codes=totals["codes"],
        new_codes=totals["new codes"],
        changed_codes=totals["changed codes"],
        gone_codes=totals["gone codes"],
        kept_back=totals["kept back"] > 0,
        withdrawn=totals["withdrawn"],
        words=totals["words"],
        failed=ledger.failed_of(run),
        seconds=seconds,
        rejects_file=rejects.path if rejects.count else None,
        lines=totals["lines"],
        lines_left_out=totals["left_out"] if totals["lines"] else 0,
        cut=totals["cut"],
        skipped={k.removeprefix(SKIPPED): n for k, n in totals.most_common() if k.startswith(SKIPPED)},
    )
