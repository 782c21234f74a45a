"""What is said word for word in several notes is one hit, and every note of it is counted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from search_stack.core.client import connect
from search_stack.core.settings import Settings
from search_stack.evaluation.datasets.coded_reports import CodedReport
from search_stack.evaluation.tasks.findings import passages_of
from search_stack.evaluation.temporary_index import temporary_index
from search_stack.inference.models import Encoder
from search_stack.language.labeller import load_labeller
from search_stack.query.understand import Understanding
from search_stack.retrieval.answer import Answer, Group
from search_stack.retrieval.searcher import Searcher

pytestmark = pytest.mark.engine
FORM = "Call the ward at once if the plaster cast feels tight or the toes turn blue."
OTHERS = ("The plaster cast was changed and the toes are warm.", "A plaster cast below the knee for six weeks.")


def texts() -> Iterator[str]:
    """130 notes hold the form, one twice and one under another heading; two say something else of the cast."""
    yield f"INSTRUCTIONS:\n{FORM}\n\nPROGRESS:\nWell.\n\nINSTRUCTIONS:\n{FORM.upper()}"
    yield f"HISTORY:\n{FORM}"
    yield from (f"INSTRUCTIONS:\n{FORM}\n\nPROGRESS:\nSeen on day {n}." for n in range(128))
    yield from (f"PROGRESS:\n{one}" for one in OTHERS)


@pytest.fixture(scope="module")
def searcher(stack: Settings, encoder: Encoder) -> Iterator[Searcher]:
    settings = stack.model_copy(update={"candidate_depth": 40})
    labeller = load_labeller(settings.lexicon_folder)
    client = connect(settings)
    reports = [CodedReport(str(n), text, frozenset()) for n, text in enumerate(texts())]
    passages = passages_of(reports, encoder, labeller, settings, lambda *_: None)
    with temporary_index(passages, client, encoder, settings) as index:
        understanding = Understanding.of(labeller.lexicon)
        yield Searcher(client, settings, encoder, None, index, lambda: understanding)


def every_group(searcher: Searcher, line: str, first: Answer, size: int) -> list[Group]:
    pages = [searcher.ask(line, "passage", page, size).groups for page in range(1, first.pages + 1)]
    return [group for page in pages for group in page]


def test_a_form_is_one_hit_with_the_number_of_its_other_notes(searcher: Searcher) -> None:
    answer = searcher.ask("words:plaster words:cast", size=100)
    assert (answer.counts.passages, answer.counts.notes) == (133, 132)
    by_text = {(g.hits[0].section, g.hits[0].text): g.more for g in answer.groups}
    assert by_text.pop(("HISTORY", FORM)) == 0
    # The second time in the first note is a hit of its own: those folded are as many as the other notes.
    assert by_text.pop(("INSTRUCTIONS", FORM)) + by_text.pop(("INSTRUCTIONS", FORM.upper()), 0) == 128
    assert {text for _, text in by_text} >= set(OTHERS)
    assert answer.listed == 133 - answer.folded + answer.close


@pytest.mark.parametrize("size", [2, 100])
def test_each_counted_passage_is_listed_or_stands_behind_one_that_is(searcher: Searcher, size: int) -> None:
    line = "words:plaster words:cast"
    first = searcher.ask(line, "passage", 1, size)
    groups = every_group(searcher, line, first, size)
    assert len({g.key for g in groups}) == len(groups) == first.listed
    counted = [g for g in groups if g.hits[0].matched == "every word"]
    assert sum(1 + g.more for g in counted) == first.counts.passages
    assert sum(g.more for g in counted) == first.folded


def test_only_what_is_counted_is_said_to_be_elsewhere(searcher: Searcher) -> None:
    answer = searcher.ask("words:plaster note:5")
    assert [(g.hits[0].note_id, g.more) for g in answer.groups if g.hits[0].matched == "every word"] == [("5", 0)]


def test_notes_stand_each_for_itself(searcher: Searcher) -> None:
    answer = searcher.ask("words:plaster words:cast", "note", 1, 100)
    assert (answer.folded, answer.listed - answer.close) == (0, 132)


def test_the_notes_that_have_the_same_words_are_listed_beside_what_is_like_it(searcher: Searcher) -> None:
    hit = next(g.hits[0] for g in searcher.ask("words:plaster", size=100).groups if g.more)
    found = searcher.similar(hit.passage_id, 5)
    assert found is not None
    assert found.times == 128
    assert len(found.again) == 5
    assert {(h.text.casefold(), h.note_id == hit.note_id) for h in found.again} == {(FORM.casefold(), False)}
    near = {(one.hit.text.casefold(), one.hit.section) for one in found.of_others}
    assert near.isdisjoint({(FORM.casefold(), "INSTRUCTIONS")})
