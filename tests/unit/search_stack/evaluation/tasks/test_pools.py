from __future__ import annotations

import pytest

from search_stack.core.schema import Note
from search_stack.core.settings import Settings
from search_stack.evaluation.datasets.judgments import Judgment
from search_stack.evaluation.measures import NDCG, Success
from search_stack.evaluation.tasks.pools import Pools, compared, of_judgments
from search_stack.inference.models import Encoder

TEXT = "PLAN: Colchicine for the gout. Rest until the swelling has gone.\n\nALLERGIES: Penicillin gave him a rash."
GOUT, RASH = "Colchicine for the gout.", "Penicillin gave him a rash."


def judged(query: str, words: str, grade: int, reading: int = 1, note: str = "n1") -> Judgment:
    begin = TEXT.index(words)
    return Judgment(query, "", note, begin, begin + len(words), grade, reading)


@pytest.fixture
def pools() -> Pools:
    given = [
        judged("treatment of gout", GOUT, 2),
        judged("treatment of gout", RASH, 0),
        judged("treatment of gout", RASH, 2, reading=2),
        judged("reaction to an antibiotic", RASH, 2),
        judged("reaction to an antibiotic", GOUT, 0),
        judged("broken arm", GOUT, 0),
        judged("elsewhere", GOUT, 2, note="n2"),
        Judgment("beyond the end", "", "n1", 0, 1000, 2, 1),
    ]
    return of_judgments(given, {"n1": Note("n1", TEXT, "p1", title="Visit")})


def test_judged_places_are_read_as_passages_are_and_queries_without_an_answer_are_left_out(pools: Pools) -> None:
    assert list(pools.grades) == ["treatment of gout", "reaction to an antibiotic"]
    (gout, grade), (rash, none) = pools.grades["treatment of gout"].items()
    assert (grade, none) == (2, 0)
    text, around = pools.passages[rash]
    assert text == RASH
    assert (around.title, around.section) == ("Visit", "ALLERGIES")
    assert around.lead.startswith("PLAN: Colchicine")
    assert pools.passages[gout][0] == GOUT


def test_each_encoder_orders_every_list_and_is_held_against_the_first(pools: Pools) -> None:
    encoder = Encoder.from_settings(Settings())
    told: list[tuple[str, int, int]] = []
    found = compared(
        pools, {"one": encoder, "other": encoder}, (Success(1), NDCG(10)), lambda *stage: told.append(stage), "them"
    )
    assert found.baseline == "one"
    assert found.systems["one"] == {"Success@1": 1.0, "nDCG@10": 1.0}
    assert found.intervals["other"]["nDCG@10"].mean_difference == 0
    assert told == [("one reads them", 2, 2), ("other reads them", 2, 2)]
