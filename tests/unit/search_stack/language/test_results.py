"""Every row of the table of results is right on its examples, and needed by one of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from search_stack.core.schema import RESULTS, Finding
from search_stack.language.assertion import Sentence
from search_stack.language.results import Row, result_of, rows, with_results
from tests import language


def read(example: str) -> tuple[str, Finding, Sentence, list[Finding]]:
    """The result that an example says, and its marked mention as the labeller finds it."""
    result, _, marked = example.partition(": ") if not example.startswith(": ") else ("", "", example[2:])
    begin, end = marked.index("["), marked.index("]") - 1
    text = marked.replace("[", "").replace("]", "")
    found = language.labeller().label(text).findings
    mention = next(f for f in found if f.begin < end and f.end > begin)
    return result, mention, Sentence(text, 0, len(text)), found


@pytest.mark.parametrize("example", [e for row in rows() for e in row.examples])
def test_examples_have_the_result_that_they_say(example: str) -> None:
    result, mention, *_ = read(example)
    assert mention.result == result


@pytest.mark.parametrize("row", rows(), ids=lambda r: f"{r.result or 'untold'}{rows().index(r)}")
def test_without_the_row_an_example_goes_wrong(row: Row) -> None:
    left = [r for r in rows() if r is not row]
    said = [(result, result_of(*mention, left)) for result, *mention in map(read, row.examples)]
    assert any(result == row.result != other for result, other in said)


def test_every_result_is_known() -> None:
    assert {r.result for r in rows()} == {"", *RESULTS}


@pytest.mark.parametrize(
    "text",
    [
        "Will get a CT head; if it is normal, home.",
        "If the troponin is negative she can go home.",
        "Her mother had a normal colonoscopy.",
        "No chest x-ray was done; EKG normal last year.",
    ],
)
def test_only_a_patients_test_that_was_done_has_found_something(text: str) -> None:
    first = language.labeller().label(text).findings[0]
    assert first.result == ""


def test_a_question_may_ask_by_it() -> None:
    one = Finding("ct-of-the-head", "ct of the head", "procedure", 0, 2, "present", status="done", result="normal")
    assert one.counts_as == ("present", "done", "normal")
    assert replace(one, result="").counts_as == ("present", "done")


def test_what_changes_something_finds_nothing() -> None:
    found = language.labeller().label("The mouth was suctioned clean. Resection of the skin was reduced.").findings
    assert found
    assert not any(f.result for f in found)


def test_a_heading_is_a_test_whose_result_stands_below() -> None:
    text = (
        "EKG: Normal.\nCT HEAD: Negative for bleed.\nECHO:\nNormal LV size and function.\n"
        "PROCEDURE: Colonoscopy.\nFINDINGS: Normal mucosa."
    )
    found = {text[f.begin : f.end]: f.result for f in language.labeller().label(text).findings}
    assert (found["EKG"], found["CT HEAD"], found["ECHO"], found["Colonoscopy"]) == ("normal", "normal", "", "")


def test_a_note_without_findings_has_none() -> None:
    assert list(with_results([])) == []
