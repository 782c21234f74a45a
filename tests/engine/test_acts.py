"""Who is counted where an act is asked for, be it as one of before: whoever had it, now or then. In time, whoever had
it then."""

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
from search_stack.retrieval.searcher import Searcher

pytestmark = pytest.mark.engine
NOW = "Colonoscopy today showed two polyps."
BEFORE = ("PMH: hypertension. Past surgical history: colonoscopy in 2012.", "S/p colonoscopy, no polyps then.")
PLANNED = "We will schedule a colonoscopy for next month."
NEVER = "She has never had a colonoscopy. Hypertension."


@pytest.fixture(scope="module")
def searcher(stack: Settings, encoder: Encoder) -> Iterator[Searcher]:
    labeller = load_labeller(stack.lexicon_folder)
    client = connect(stack)
    texts = (NOW, *BEFORE, PLANNED, NEVER)
    reports = [CodedReport(str(n), text, frozenset()) for n, text in enumerate(texts)]
    passages = passages_of(reports, encoder, labeller, stack, lambda *_: None)
    understanding = Understanding.of(labeller.lexicon)
    with temporary_index(passages, client, encoder, stack) as index:
        yield Searcher(client, stack, encoder, None, index, lambda: understanding)


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("colonoscopy", (NOW, *BEFORE)),
        ("previous colonoscopy", (NOW, *BEFORE)),
        ("finding:colonoscopy done", (NOW,)),
        ("planned colonoscopy", (PLANNED,)),
        ("hypertension -colonoscopy", (NEVER,)),
    ],
)
def test_what_was_done_is_done_and_was_before(searcher: Searcher, line: str, counts: tuple[str, ...]) -> None:
    answer = searcher.ask(line, scope="note", size=50)
    assert answer.counts.notes == len(counts)
    hits = [group.hits[0] for group in answer.groups[: len(counts)]]
    assert {hit.note_id for hit in hits} == {str((NOW, *BEFORE, PLANNED, NEVER).index(text)) for text in counts}
