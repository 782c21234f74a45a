"""What a line compares with a number, and what it asks to be absent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import pytest

from search_stack.core.client import connect
from search_stack.core.settings import Settings
from search_stack.evaluation.datasets.coded_reports import CodedReport
from search_stack.evaluation.tasks.findings import passages_of
from search_stack.evaluation.temporary_index import temporary_index
from search_stack.index.engine import Engine
from search_stack.inference.models import Encoder, Reranker
from search_stack.language.labeller import load_labeller
from search_stack.query.understand import Understanding
from search_stack.retrieval.reading import fetch
from search_stack.retrieval.searcher import Searcher

pytestmark = pytest.mark.engine
HIGH = (
    "Laboratory values on admission: sodium 139, creatinine 5.2, glucose 131.",
    "Her creatinine had risen to 3.4.",
    "Creatinine increased from 1.4 to 4.1.",
    "BUN/creatinine 45/3.2.",
    "Creatinine > 4 mg/dL.",
)
OTHER = (
    "Creatinine 0.9 over all visits, potassium 3.8.",
    "Creatinine 3.0, potassium 5.1.",
)
UNMEASURED = (
    "We went over creatinine with two of her children.",
    "Creatinine was seen after 4 days.",
    "Elevated creatinine, cause unclear.",
    "Creatinine over the last weeks was stable at 1.1.",  # too far off to be read
)
ELSEWHERE = ("He is 3 and lives over a shop.",)
SMALL = ("An 8 mm nodule in the left breast.", "A nodule of 0.4 cm was seen.")
LARGE = ("A 2.5 cm nodule of the thyroid.", "Nodule measuring 14 x 9 mm.")
NOT_LARGE = ("No nodule > 1 cm was seen.",)
LOST = ("Estimated blood loss was 1,200 cc.", "There was blood loss of 2 liters.")
LITTLE = ("EBL 50 mL.",)
DENIED = ("He never had a rash.", "She denies any rash after amoxicillin.")
SILENT = ("The skin of the arms was clear after amoxicillin.", "Amoxicillin was given for ten days and borne well.")
HAD = ("A rash came up after amoxicillin.", "Diffuse rash over the trunk.")


@pytest.fixture(scope="module")
def searcher(stack: Settings, encoder: Encoder) -> Iterator[Searcher]:
    labeller = load_labeller(stack.lexicon_folder)
    client = connect(stack)
    texts = (*HIGH, *OTHER, *UNMEASURED, *ELSEWHERE, *SMALL, *LARGE, *NOT_LARGE, *LOST, *LITTLE, *DENIED, *SILENT, *HAD)
    reports = [CodedReport(str(n), text, frozenset()) for n, text in enumerate(texts)]
    passages = passages_of(reports, encoder, labeller, stack, lambda *_: None)
    understanding = Understanding.of(labeller.lexicon)
    with temporary_index(passages, client, encoder, stack) as index:
        yield Searcher(client, stack, encoder, Reranker.from_settings(stack), index, lambda: understanding)


def listed(searcher: Searcher, line: str, rerank: bool) -> list[tuple[str, bool]]:
    """The texts in their order, and whether they are counted."""
    groups = searcher.ask(line, size=50, rerank=rerank).groups
    return [(g.hits[0].text, g.hits[0].matched in ("every word", "filters")) for g in groups]


@pytest.mark.parametrize("rerank", [True, False])
@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("creatinine over 3", HIGH),
        ("creatinine >= 5.2", HIGH[:1]),
        ("creatinine under 1", OTHER[:1]),
        ("creatinine between 3 and 3.5", (HIGH[1], HIGH[3], OTHER[1])),
        ("nodule > 1 cm", LARGE),
        ("blood loss more than a liter", LOST),
        ("nodule under 1 cm", SMALL),
        ("nodule > 9 mm, -thyroid", LARGE[1:]),
    ],
)
def test_who_has_the_amount_is_counted_and_who_has_another_is_not_listed(
    searcher: Searcher, line: str, counts: tuple[str, ...], rerank: bool
) -> None:
    found = listed(searcher, line, rerank)
    assert {text for text, counted in found if counted} == set(counts)
    assert [counted for _, counted in found] == sorted((counted for _, counted in found), reverse=True)
    asked = {"creatinine": OTHER + HIGH, "nodule": SMALL + LARGE + NOT_LARGE, "blood": LITTLE}[line.split()[0]]
    assert {text for text, _ in found}.isdisjoint(set(asked) - set(counts))


@pytest.mark.parametrize("rerank", [True, False])
def test_behind_the_amounts_come_passages_that_say_it_without_a_number_then_those_that_do_not_mention_it(
    searcher: Searcher, rerank: bool
) -> None:
    order = [text for text, _ in listed(searcher, "creatinine over 3", rerank)]
    said, silent = ([order.index(text) for text in texts] for texts in (UNMEASURED, (*ELSEWHERE, *LITTLE)))
    assert max(order.index(text) for text in HIGH) < min(said)
    assert max(said) < min(silent)


def test_who_has_none_so_large_is_counted_where_it_is_left_out(searcher: Searcher) -> None:
    found = {text for text, counted in listed(searcher, "nodule, no nodule over 1 cm", True) if counted}
    assert set(SMALL) <= found
    assert found.isdisjoint(LARGE)


@pytest.mark.parametrize("rerank", [True, False])
def test_behind_the_denials_come_passages_that_do_not_mention_it_and_never_those_that_affirm_it(
    searcher: Searcher, rerank: bool
) -> None:
    found = listed(searcher, "no rash", rerank)
    assert {text for text, counted in found if counted} == set(DENIED)
    assert [counted for _, counted in found] == sorted((counted for _, counted in found), reverse=True)
    texts = [text for text, _ in found]
    assert set(SILENT) <= set(texts)
    assert set(HAD).isdisjoint(texts)


class Counted:
    """The engine, and how often it was asked."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.serving, self.requests = engine, engine.serving, 0

    def __call__(self, bodies: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        self.requests += 1
        return self.engine(bodies)


@pytest.mark.parametrize(("counted", "follow"), [(0, set(SILENT)), (64, set())])
def test_what_follows_comes_in_the_same_request_and_not_where_enough_is_counted(
    searcher: Searcher, stack: Settings, counted: int, follow: set[str]
) -> None:
    asked = searcher.looked_for("no rash")
    engine = Counted(searcher.ranker._engine)
    ranker = searcher.ranker.over(cast(Engine, engine))
    first, others = ranker.first_stage(searcher.plan(asked.query, asked.words), 200, counted=counted)
    assert engine.requests == 1
    assert others == []
    texts = [
        hit.text for hit in fetch(searcher.ranker._engine, searcher.plan(asked.query), [*first.standings]).values()
    ]
    assert set(DENIED) <= set(texts)
    assert {text for text in texts if text in SILENT} == follow
    behind = [first.standings[i].unsaid for i, _ in first.hybrid]
    assert behind == sorted(behind)
    assert any(behind) == bool(follow)
