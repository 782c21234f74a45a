"""Who is counted where a line asks how severe a finding is, and where."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from search_stack.core.client import connect
from search_stack.core.settings import Settings
from search_stack.evaluation.datasets.coded_reports import CodedReport
from search_stack.evaluation.tasks.findings import passages_of
from search_stack.evaluation.temporary_index import temporary_index
from search_stack.inference.models import Encoder, Reranker
from search_stack.language.labeller import load_labeller
from search_stack.query.understand import Understanding
from search_stack.retrieval.searcher import Searcher

pytestmark = pytest.mark.engine
SEVERE = ("Severe headache since Monday.", "The headache is severe; he lies in the dark.")
LEFT = ("A severe left-sided headache woke her.",)
MILD = ("Mild headache after severe pneumonia.",)
UNTOLD = ("Headache for two days, and a severe rash.", "Headache on the left, severe nausea.")
DENIED = ("He has no severe headache.",)
NONE = ("No headache, severe asthma.",)
OTHERS = ("Severe pain in the hip.",)


@pytest.fixture(scope="module")
def searcher(stack: Settings, encoder: Encoder) -> Iterator[Searcher]:
    labeller = load_labeller(stack.lexicon_folder)
    client = connect(stack)
    texts = (*SEVERE, *LEFT, *MILD, *UNTOLD, *DENIED, *NONE, *OTHERS)
    reports = [CodedReport(str(n), text, frozenset()) for n, text in enumerate(texts)]
    passages = passages_of(reports, encoder, labeller, stack, lambda *_: None)
    understanding = Understanding.of(labeller.lexicon)
    with temporary_index(passages, client, encoder, stack) as index:
        yield Searcher(client, stack, encoder, Reranker.from_settings(stack), index, lambda: understanding)


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("severe headache", SEVERE + LEFT),
        ("severe left headache", LEFT),
        ("left headache", (*LEFT, UNTOLD[1])),
        ("mild headache", MILD),
        ("mild or severe headache", SEVERE + LEFT + MILD),
        ("headache without severe headache", MILD + UNTOLD),
        ("no severe headache", DENIED + NONE),
        ("no mild headache", NONE),
        ("severe headache, severe pneumonia", ()),
    ],
)
def test_a_grade_counts_where_it_is_said_of_the_finding(searcher: Searcher, line: str, counts: tuple[str, ...]) -> None:
    answer = searcher.ask(line, size=50)
    hits = [group.hits[0] for group in answer.groups]
    assert {hit.text for hit in hits if hit.matched in ("every word", "filters")} == set(counts)
