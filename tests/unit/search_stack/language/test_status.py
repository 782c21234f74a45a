"""Every row of the table of statuses is right on its examples, and needed by one of them."""

from __future__ import annotations

import re

import pytest

from search_stack.core.schema import STATUSES
from search_stack.language.assertion import Sentence
from search_stack.language.status import Row, asked_beside, fitting, rows, status_of
from tests import language

MARKED = re.compile(r"\[([^|]+)\|(\w+)(?: in ([^\]]+))?\]")


def read(example: str) -> tuple[str, Sentence, int, int, str]:
    status, _, marked = example.partition(": ")
    found = MARKED.search(marked)
    assert found, example
    text = MARKED.sub(r"\1", marked)
    sentence = Sentence(text, 0, len(text), found[3] or "")
    return status, sentence, found.start(), found.start() + len(found[1]), found[2]


@pytest.mark.parametrize("row", rows(), ids=lambda r: r.status)
def test_examples_have_the_status_that_they_say(row: Row) -> None:
    for example in row.examples:
        status, *mention = read(example)
        assert status_of(*mention, "present") == status, example


@pytest.mark.parametrize("row", rows(), ids=lambda r: r.status)
def test_without_the_row_an_example_goes_wrong(row: Row) -> None:
    left = [r for r in rows() if r is not row]
    found = [(read(e)[0], fitting(left, *read(e)[1:])) for e in row.examples]
    assert any(status == row.status and (other is None or other.status != status) for status, other in found)


def test_the_assertion_settles_what_has_not_been() -> None:
    said = {
        f.name: f.status for f in language.labeller().label("Will schedule a colonoscopy. Fever. No aspirin.").findings
    }
    assert said == {"colonoscopy": "planned", "fever": "", "aspirin": "not taken"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("allergic to [penicillin]", ("allergy", -2)),
        ("patients who stopped taking [aspirin]", ("stopped", -2)),
        ("[metformin] therapy was discontinued in 2020", ("stopped", 3)),
        ("[warfarin] held", ("held", 1)),
        ("intolerant of [statins]", ("allergy", -2)),
        # What stands further off speaks of something else; and who asks for what was given asks for all who have it.
        ("stopped smoking , [warfarin]", None),
        ("[heparin] given", None),
        ("started on [insulin]", None),
        ("no longer on [insulin]", ("stopped", -3)),
    ],
)
def test_a_question_says_a_status_just_beside_the_name(line: str, expected: tuple[str, int] | None) -> None:
    left, _, rest = line.partition("[")
    assert asked_beside(left.split(), rest.partition("]")[2].split(), "drug") == expected
    assert asked_beside(left.split(), rest.partition("]")[2].split(), "disorder") is None


def test_every_status_is_known() -> None:
    assert {r.status for r in rows()} <= set(STATUSES)
    assert status_of(Sentence("Her mother takes aspirin.", 0, 25), 17, 24, "drug", "family") == ""


def test_a_status_does_not_reach_over_a_but() -> None:
    text = "Allergic to sulfa but takes cephalexin."
    begin = text.index("cephalexin")
    assert status_of(Sentence(text, 0, len(text)), begin, len(text) - 1, "drug", "present") == "taking"


def test_what_another_sentence_says_is_not_heard() -> None:
    text = "MEDICATIONS: Lisinopril was stopped."
    assert status_of(Sentence(text, 0, 12), 0, 11, "drug", "present") == "taking"
    assert status_of(Sentence(text, 13, len(text)), 13, 23, "drug", "present") == "stopped"
    assert {f.name: f.status for f in language.labeller().label(text).findings}["lisinopril"] == "stopped"


@pytest.mark.parametrize(
    ("note", "name", "said"),
    [
        ("Insulin omitted this morning as per protocol.", "insulin", ("present", "held")),
        ("Rash from penicillin in 1998.", "penicillin", ("present", "allergy")),
        ("She was on insulin in 1998.", "insulin", ("historical", "stopped")),
        ("Advised to avoid aspirin.", "aspirin", ("absent", "not taken")),
        ("Heparin for DVT prophylaxis.", "venous thromboembolism prophylaxis", ("present", "done")),
        ("Will start DVT prophylaxis.", "venous thromboembolism prophylaxis", ("hypothetical", "planned")),
    ],
)
def test_some_statuses_say_the_assertion_too(note: str, name: str, said: tuple[str, str]) -> None:
    found = {f.name: (f.assertion, f.status) for f in language.labeller().label(note).findings}
    assert found[name] == said
