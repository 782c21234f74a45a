from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from encoders.models.bi import BiEncoder
from encoders.models.tower import Tower
from encoders.training.examples import NEAR, Example, draw_negatives, wording
from encoders.training.negatives import Miner, with_negatives
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData, Passage, Query


def passage(n: int, aspect: str = "causes") -> Passage:
    return Passage(f"p{n}", "d", "", "gout", aspect, f"gout {aspect} {n}")


def query(entity: str = "gout", relevant: tuple[str, ...] = ("p0",)) -> Query:
    return Query("q0", "What causes gout?", entity, "causes", "Why it happens", relevant)


def test_no_negative_may_be_an_answer(tiny_data: EntityAspectData) -> None:
    examples = with_negatives(tiny_data)
    assert len(examples) == len(tiny_data.queries)
    for e in examples:
        assert e.positive.id in e.query.relevant
        assert e.negatives
        for p in e.negatives:
            assert p.id not in e.query.relevant
            assert (p.entity, p.aspect) != (e.query.entity, e.query.aspect)
        assert len({p.id for p in e.negatives}) == len(e.negatives)


def test_a_passage_like_the_answer_is_no_negative_though_it_is_not_marked() -> None:
    data = EntityAspectData("d", (passage(0), passage(1), passage(2, "symptoms")), (query(),))
    (example,) = with_negatives(data)
    assert [p.id for p in example.negatives] == ["p2"]


def test_the_nearest_by_words_come_first() -> None:
    far, near = Passage("p1", "d", "", "x", "y", "lung clear"), Passage("p2", "d", "", "gout", "z", "what gout causes")
    (example,) = with_negatives(EntityAspectData("d", (passage(0), far, near), (query(),)))
    assert [p.id for p in example.negatives] == ["p2", "p1"]


def graded() -> EntityAspectData:
    """Passages p0 to p3 of a query, graded 1, 2, 0 and 2."""
    own = replace(query(relevant=("p0", "p1", "p3")), grades=(("p0", 1), ("p1", 2), ("p2", 0), ("p3", 2)))
    return EntityAspectData("d", tuple(passage(n) for n in range(5)), (own,))


def test_each_graded_answer_stands_against_lesser_ones_or_the_best_against_all() -> None:
    apart = [(e.positive.id, [p.id for p in e.negatives]) for e in with_negatives(graded())]
    assert apart == [("p1", ["p0", "p2"]), ("p3", ["p0", "p2"]), ("p0", ["p2"])]
    (whole,) = with_negatives(graded(), whole=True)
    assert (whole.positive.id, [p.id for p in whole.negatives]) == ("p1", ["p2", "p0", "p3"])
    assert [whole.grade(passage(n)) for n in range(5)] == [1, 2, 0, 2, 0]


def test_what_nobody_graded_is_2_for_the_answer() -> None:
    example = Example(query(), passage(0), (passage(1),))
    assert [example.grade(passage(n)) for n in range(2)] == [2, 0]


def test_the_depth_is_kept_to(tiny_data: EntityAspectData) -> None:
    assert all(len(e.negatives) <= 3 for e in with_negatives(tiny_data, depth=3))


def test_a_query_without_negatives_gives_no_example() -> None:
    assert with_negatives(EntityAspectData("d", (passage(0), passage(1)), (query(),))) == []


@given(st.integers(0, 40), st.integers(1, 12), st.integers())
def test_negatives_drawn(there: int, count: int, seed: int) -> None:
    example = Example(query(), passage(0), tuple(passage(n) for n in range(1, there + 1)))
    drawn = draw_negatives(example, count, random.Random(seed))
    assert len(drawn) == min(count, there)
    assert len({p.id for p in drawn}) == len(drawn)
    assert set(drawn) <= set(example.negatives)
    if there >= NEAR + count:
        assert sum(p in example.negatives[:NEAR] for p in drawn) == round(count * 2 / 3)


def test_as_asked_where_no_keywords_are_wanted() -> None:
    assert {wording(query(), random.Random(n), 0.0) for n in range(20)} == {"What causes gout?"}


def test_keywords_hold_entity_and_aspect_in_each_form() -> None:
    forms = {wording(query(), random.Random(n), 1.0) for n in range(200)}
    assert forms == {
        form.format(aspect) for aspect in ("causes", "Why it happens") for form in ("gout {}", "{} of gout", "gout; {}")
    }


def test_keywords_come_as_often_as_asked_for() -> None:
    rng = random.Random(5)
    asked = [wording(query(), rng, 0.25) == query().text for _ in range(2000)]
    assert sum(asked) / len(asked) == pytest.approx(0.75, abs=0.04)


def test_without_an_entity_the_question_stays() -> None:
    assert wording(query(entity=""), random.Random(1), 1.0) == "What causes gout?"


def test_without_an_aspect_the_question_stays() -> None:
    entailed = Query("q0", "My toe hurts at night, what is it?", "What causes gout?", "", "", ("p0",))
    assert {wording(entailed, random.Random(n), 1.0) for n in range(20)} == {entailed.text}


def test_without_a_heading_the_aspect_is_asked_for() -> None:
    asked = {wording(replace(query(), aspect_heading=""), random.Random(n), 1.0) for n in range(50)}
    assert asked == {"gout causes", "causes of gout", "gout; causes"}


def test_the_models_ranking_and_bm25s_take_turns(tiny_data: EntityAspectData) -> None:
    count = len(tiny_data.passages)
    backwards = [list(range(count))[::-1] for _ in tiny_data.queries]
    examples = with_negatives(tiny_data, depth=count, besides=backwards)
    first = examples[0]
    alone = with_negatives(tiny_data, depth=count)[0]
    assert first.negatives[0] == tiny_data.passages[-1]
    assert first.negatives[1] == alone.negatives[0]
    assert set(first.negatives) == set(alone.negatives)


def test_a_models_ranking_is_by_its_own_scores(tiny_data: EntityAspectData, tiny_base: Path) -> None:
    model = BiEncoder(Tower.from_base(tiny_base, 24)).eval()
    ticks: list[int] = []
    found = Miner(model, tiny_data, (), lambda: ticks.append(1)).rankings(5)
    with torch.inference_mode():
        scores = model.score([q.text for q in tiny_data.queries], [p.text for p in tiny_data.passages])
    for row, numbers in zip(scores, found, strict=True):
        assert row[numbers].tolist() == pytest.approx(row.topk(5).values.tolist(), abs=1e-4)
    assert len(ticks) == 2


def test_what_the_miner_takes_for_an_answer_is_no_negative(tiny_data: EntityAspectData, tiny_base: Path) -> None:
    miner = Miner(BiEncoder(Tower.from_base(tiny_base, 24)).eval(), tiny_data, ())
    whole = range(len(tiny_data.passages))
    everything = [list(whole)] * len(tiny_data.queries)
    for share in (0.0, 0.9, 1.0):
        for query, scores, found in zip(
            tiny_data.queries, miner._scores(), miner.likely(everything, share), strict=True
        ):
            answer = int(query.relevant[0].removeprefix("p"))
            assert found == {n for n in whole if scores[n] > share * scores[answer]}
    kept = with_negatives(tiny_data, likely=lambda rankings: [set(r) - {0, 17} for r in rankings])
    assert {p.id for e in kept for p in e.negatives} == {"p0", "p17"}
