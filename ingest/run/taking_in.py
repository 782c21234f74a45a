"""Records into the ledger, in chunks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from ingest.ledger import Ledger
from ingest.ledger.codes import counted
from ingest.readers import FactRecord, Record, Rejected, Skipped, Withdrawn
from ingest.run.rejects import Rejects
from ingest.run.replacing import SYSTEM
from ingest.run.summary import SKIPPED
from search_stack.core.codes import system_name
from search_stack.core.errors import AspectraError
from search_stack.core.schema import CodeParent, Merge, Note, Patient, StructuredFact

CHUNK_NOTES = 200
CHUNK_FACTS = 2_000
"""Also rows of a table of parents."""
CHUNK_CHARACTERS = 4_000_000
REASONS = {
    "duplicate": "an earlier record of this run has the same note id and other content",
    "foreign": "another collection has a note of this id; name that collection to replace it, or change the id",
}
NEVER_CAME = "document or report that was withdrawn, and is not here"
CIRCLE = "it stands below the code itself, or is it: that would be a circle"
MERGED_IN_A_CIRCLE = "it counts as this patient itself, or is it: one of them must stay"
Place = tuple[str, int]
"""File and line of a record."""


def take_in(
    records: Iterable[Record],
    source: str,
    ledger: Ledger,
    run: int,
    rejects: Rejects,
    chunk_done: Callable[[int], None],
) -> Counter[str]:
    """Put every item of ``records`` into the ledger, in chunks; how many had which outcome, and how
    many lines there were, were left out ("left_out"), and files that end too soon ("cut").

    ``chunk_done`` hears how much of the work is done so far.

    Raises:
        AspectraError: ``records`` cannot be read to their end; those before are in the ledger.
    """
    totals: Counter[str] = Counter()
    withdrawn: list[Withdrawn] = []
    chunk = _Chunk(source, ledger, run, rejects)
    done = 0
    for record in _up_to_damage(records):
        if isinstance(record, AspectraError):
            chunk.put()
            _withdraw(withdrawn, ledger)
            chunk_done(done)
            raise record
        done = record.done
        totals["lines"] = record.last_line
        match record.item:
            case Rejected() as rejected:
                rejects.add(rejected)
                totals.update(rejected=1, left_out=rejected.lines, cut=rejected.cut)
            case Skipped() as skipped:
                totals[SKIPPED + skipped.reason] += 1
            case Note() as note:
                chunk.notes.append(note)
                chunk.characters += len(note.text)
            case Patient() as patient:
                chunk.patients.append(patient)
            case Merge() as merge:
                chunk.merges.append((record.place or (source, record.last_line), merge))
            case StructuredFact() as fact:
                chunk.facts.append(fact)
            case FactRecord() as said:
                if (said.collection, said.source_id) in chunk.records:
                    totals += chunk.put()  # of two versions of a record the later one counts
                chunk.facts.extend(said.facts)
                chunk.records.add((said.collection, said.source_id))
                if said.reason:
                    totals[SKIPPED + said.reason] += 1
            case CodeParent() as code:
                chunk.codes.append((record.last_line, code))
                totals[SYSTEM + system_name(code.system)] += 1
            case Withdrawn() as taken_back:
                withdrawn.append(taken_back)
            case other:
                assert_never(other)
        if chunk.full:
            totals += chunk.put()
            chunk_done(done)
    totals += chunk.put()
    totals += chunk.part()
    # Last of all, so that it holds whatever else the source says of the note, and in whichever order.
    totals += _withdraw(withdrawn, ledger)
    chunk_done(done)
    return totals


def _up_to_damage(records: Iterable[Record]) -> Iterator[Record | AspectraError]:
    """The records, and last the error that ends them too soon, apart from those of the ledger that takes them in."""
    try:
        yield from records
    except AspectraError as e:
        yield e


def _withdraw(withdrawn: Sequence[Withdrawn], ledger: Ledger) -> Counter[str]:
    """Mark those that are there for deletion, in their own collection alone; the others brought nothing."""
    by_collection: dict[str, set[str]] = {}
    for note in withdrawn:
        by_collection.setdefault(note.collection, set()).add(note.note_id)
    marked = words = 0
    for name, ids in by_collection.items():
        words += ledger.words_about(sorted(ids), name)
        marked += len(ledger.mark_deleting(sorted(ids), name))
    nothing = len(withdrawn) - marked
    return Counter({"withdrawn": marked, "words": words, SKIPPED + NEVER_CAME: nothing})


@dataclass(slots=True)
class _Chunk:
    """Items that go into the ledger together: of each kind in one transaction."""

    source: str
    ledger: Ledger
    run: int
    rejects: Rejects
    notes: list[Note] = field(default_factory=list)
    patients: list[Patient] = field(default_factory=list)
    merges: list[tuple[Place, Merge]] = field(default_factory=list)
    joined: set[str] = field(default_factory=set)
    """Patients that this run merged."""
    apart: set[str] = field(default_factory=set)
    """Merged ones that this run says are patients of their own."""
    facts: list[StructuredFact] = field(default_factory=list)
    records: set[tuple[str, str]] = field(default_factory=set)
    """Collections and ids of records all of whose facts are there."""
    codes: list[tuple[int, CodeParent]] = field(default_factory=list)
    """With the line of each."""
    characters: int = 0

    @property
    def full(self) -> bool:
        rows = max(len(self.facts), len(self.records)) + len(self.codes)
        many = len(self.notes) + max(len(self.patients), len(self.merges)) >= CHUNK_NOTES or rows >= CHUNK_FACTS
        return many or self.characters >= CHUNK_CHARACTERS

    def put(self) -> Counter[str]:
        """Their outcomes; the chunk is empty then."""
        outcomes = _put(self.notes, self.source, self.ledger, self.run, self.rejects)
        outcomes += self.ledger.learn(self.patients) + self._put_merges()
        outcomes += self.ledger.facts.put(self.facts, self.run, self.records) + self._put_codes()
        self.notes, self.patients, self.facts, self.codes, self.characters = [], [], [], [], 0
        self.records, self.merges = set(), []
        return outcomes

    def _put_merges(self) -> Counter[str]:
        told = [(place, merge) for place, merge in self.merges if merge.replaced_by]
        outcomes = self.ledger.merges.put([merge for _, merge in told])
        circles = [place for (place, _), outcome in zip(told, outcomes, strict=True) if outcome == "circle"]
        for place in circles:
            self.rejects.add(Rejected(*place, "replaced_by", MERGED_IN_A_CIRCLE))
        self.joined |= {merge.patient_id for _, merge in told}
        apart = self.ledger.merges.merged([merge.patient_id for _, merge in self.merges if not merge.replaced_by])
        self.apart |= apart
        taken = Counter({"merges": len(told) - len(circles) + len(apart), "merged": outcomes.count("merged")})
        return taken + Counter(rejected=len(circles), left_out=len(circles))

    def part(self) -> Counter[str]:
        """Once all is read, since either end of a merge may tell of it: of whom neither does is no longer merged."""
        outcomes = self.ledger.merges.put([Merge(one) for one in sorted(self.apart - self.joined)])
        return Counter({"unmerged": outcomes.count("unmerged")})

    def _put_codes(self) -> Counter[str]:
        outcomes = self.ledger.codes.put([code for _, code in self.codes], self.run)
        circles = [line for (line, _), outcome in zip(self.codes, outcomes, strict=True) if outcome == "circle"]
        for line in circles:
            self.rejects.add(Rejected(self.source, line, "parent", CIRCLE))
        return counted(o for o in outcomes if o != "circle") + Counter(rejected=len(circles), left_out=len(circles))


def _put(chunk: Sequence[Note], source: str, ledger: Ledger, run: int, rejects: Rejects) -> Counter[str]:
    """One transaction; its outcomes."""
    outcomes: Counter[str] = Counter()
    for note, outcome in zip(chunk, ledger.put(chunk, run), strict=True):
        if outcome in REASONS:
            rejects.add(Rejected(f"{source}: note {note.note_id}", 0, "note_id", REASONS[outcome]))
            outcomes["rejected"] += 1
        else:
            outcomes[outcome] += 1
    return outcomes
