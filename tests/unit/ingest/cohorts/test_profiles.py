"""What ledger and index know of two groups, counted by patient: few looked up, or many read at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import pytest
from pyroaring import BitMap

from ingest.cohorts import profiles
from ingest.cohorts.profiles import compared
from ingest.ledger import Ledger
from search_stack.core.schema import Merge, Note, Person
from search_stack.language.lexicon.concepts import Concept, Lexicon
from tests.unit.ingest.cohorts.conftest import Make

MENTIONS = (("present", "fever", 1), ("absent", "fever", 2), ("present", "own-concept", 2), ("present", "fever", 9))


class Index:
    """An index in one state, with `MENTIONS`."""

    def settled(self, work: Callable[[Any], Any]) -> Any:
        return work(self)

    def mentions(self, patients: Any) -> Iterator[tuple[str, str, int]]:
        wanted = set(patients.tolist())
        return (m for m in MENTIONS if m[2] in wanted)

    def lexicon(self) -> Lexicon:
        return Lexicon([Concept("fever", "high fever", "symptom")])


@pytest.mark.parametrize("few", [profiles.FEW, 0], ids=["looked up", "read at once"])
def test_two_groups(ledger: Ledger, monkeypatch: pytest.MonkeyPatch, few: int, make_found: Make) -> None:
    monkeypatch.setattr(profiles, "FEW", few)
    born = Person("female", date(1950, 1, 1), None)
    ledger.put(
        [
            Note("n1", "Text.", "p1", "letter", date(2000, 6, 1), person=born),
            Note("n2", "Text.", "p1", "letter", date(2020, 6, 1)),
            Note("n3", "Text.", "p1", "", date(2010, 6, 1)),
            Note("n4", "Text.", "p2", "report", date(2020, 6, 1), age=33, person=Person("male", None, None)),
            Note("n5", "Text.", "p3", "letter"),
            Note("n6", "Text.", "p4", "other", date(2020, 6, 1), person=Person("male", None, None)),
        ],
        ledger.start_run("file", "csv"),
    )
    one, other = (make_found(patients=BitMap(own)) for own in ([1, 2], [2, 3]))
    found = compared(one, other, Index(), ledger)  # type: ignore[arg-type]
    assert (found.only_first, found.both, found.only_second) == (1, 1, 1)
    assert {(d.kind, d.value): (d.first, d.second) for d in found.differences} == {
        ("sex", "female"): (1, 0),
        ("sex", "male"): (1, 1),
        ("sex", "not known"): (0, 1),
        ("age band", "70-79"): (1, 0),
        ("age band", "30-39"): (1, 1),
        ("age band", "not known"): (0, 1),
        ("note type", "letter"): (1, 1),
        ("note type", "report"): (1, 1),
        ("note type", "not known"): (1, 0),
        ("finding", "high fever, present"): (1, 0),
        ("finding", "high fever, absent"): (1, 1),
        ("finding", "own-concept, present"): (1, 1),
    }
    assert [(s.known, s.mean) for s in found.ages] == [(2, 51.5), (1, 33)]
    assert found.age is None
    # Ids of one person, each in one of them, are in both.
    ledger.merges.put([Merge("p1", "p3")])
    found = compared(one, other, Index(), ledger)  # type: ignore[arg-type]
    assert (found.only_first, found.both, found.only_second) == (0, 2, 0)
    assert [(s.known, s.mean) for s in found.ages] == [(2, 51.5), (2, 51.5)]
