"""What is said of labels that are older than what is asked for."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from search_stack.language.lexicon.concepts import Concept, Lexicon
from search_stack.language.version import fingerprint
from search_stack.retrieval.answer import Answer, Counts
from search_stack.retrieval.labels import OlderLabels, older_labels
from ui.wording import older_labels as worded

EFFUSION = Concept("effusion", "effusion", "finding")
LEFT = Concept("effusion.left", "left effusion", "finding", parents=("effusion",))
FEVER = Concept("fever", "fever", "symptom")
RULES = "0a0b0c0d"


class Facts:
    """A ledger that knows some versions of the labels, all by the same rules."""

    identity = "a-ledger"

    def __init__(self, **known: Lexicon) -> None:
        self._known = known

    def labelled_with(self, version: str) -> Mapping[str, str] | None:
        found = self._known.get(version)
        return {i: fingerprint(own, RULES) for i, own in found.fingerprints.items()} if found else None


def asked(concept: Concept) -> tuple[str, str]:
    return concept.name, concept.id


NOW = Lexicon([EFFUSION, LEFT, FEVER])
BEFORE = Lexicon([EFFUSION, FEVER])


@pytest.mark.parametrize(
    ("labels", "term", "expected"),
    [
        ({"now": 10}, asked(EFFUSION), OlderLabels()),
        ({"before": 10}, asked(FEVER), OlderLabels()),
        ({"before": 10}, asked(LEFT), OlderLabels(("left effusion",), 10)),
        (
            {"now": 5, "before": 10},
            asked(EFFUSION),
            OlderLabels(("effusion",), 10),
        ),  # a new child counts for its parent
        ({"": 3, "now": 5}, asked(FEVER), OlderLabels(("fever",), 3)),  # from before labels had versions
        ({"unheard of": 4}, asked(FEVER), OlderLabels(("fever",), 4)),
        ({}, asked(FEVER), OlderLabels()),
    ],
)
def test_concepts_that_are_newer_than_labels(
    labels: Mapping[str, int], term: tuple[str, str], expected: OlderLabels
) -> None:
    assert older_labels([term], NOW, RULES, labels, Facts(now=NOW, before=BEFORE)) == expected


def test_a_concept_that_has_changed_is_newer() -> None:
    other = Lexicon([EFFUSION, Concept("fever", "fever", "symptom", synonyms=("pyrexia",))])
    found = older_labels([asked(FEVER)], other, RULES, {"before": 7}, Facts(before=BEFORE))
    assert found == OlderLabels(("fever",), 7)


def test_other_rules_read_every_concept_otherwise() -> None:
    found = older_labels([asked(FEVER)], NOW, "another", {"now": 7}, Facts(now=NOW))
    assert found == OlderLabels(("fever",), 7)


def test_it_is_said_in_a_sentence() -> None:
    def answer(*names: str, passages: int) -> Answer:
        counts = Counts(0, 0, 0, 0)
        older = OlderLabels(names, passages)
        return Answer("passage", (), 1, 0, 0, 0, 0, counts, {}, {}, 0, older=older)

    assert worded(answer(passages=0)) == ""
    assert worded(answer("fever", passages=1)) == (
        '1 passage was labelled before "fever" was read as now: what they say of it may be missing from the counts, or '
        "counted otherwise."
    )
    assert worded(answer("fever", "effusion", passages=1204)).startswith(
        '1,204 passages were labelled before "fever" and "effusion" were read as now: what they say of them'
    )
