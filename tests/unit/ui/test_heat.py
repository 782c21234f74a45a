"""The strip that tells how near each passage of a note is to the search."""

from __future__ import annotations

from collections.abc import Sequence

from search_stack.retrieval.nearness import PassageNear, read_near
from ui.heat import CELLS, COLD, Heat, heat


def near(*cosines: float) -> list[PassageNear]:
    return [PassageNear(f"7.{n}", 7, 1, n * 10, n * 10 + 9, "Findings", cosine) for n, cosine in enumerate(cosines)]


def made(found: Sequence[PassageNear], **hues: int) -> Heat:
    return heat(found, {name.replace("_", "7."): hue for name, hue in hues.items()}, lambda one: f"/at/{one}")


def test_each_passage_has_a_cell_that_leads_to_it_and_says_where_it_stands_and_how_near_it_is() -> None:
    found = made(near(0.314, 0.71, -0.1), _1=2)
    assert [(one.x, one.width) for one in found.cells] == [(0, 33.33), (33.33, 33.33), (66.67, 33.33)]
    assert [one.said for one in found.cells] == [
        "Passage 1 of 3 in Findings, near by 0.31",
        "Passage 2 of 3 in Findings, near by 0.71, shows the search",
        "Passage 3 of 3 in Findings, near by 0.00",
    ]
    assert [one.url for one in found.cells] == ["/at/7.0", "/at/7.1", "/at/7.2"]
    assert [one.hue for one in found.cells] == [None, 2, None]
    assert (found.nearest, found.said) == (1, "0.71")
    assert (found.far, found.close) == ("M17 20v-6M83 20v-1", "M50 20v-14")
    assert found.broad == 29


def test_of_very_many_passages_neighbours_share_a_cell_that_leads_to_the_nearest_of_them() -> None:
    cosines = [0.1] * (CELLS + 3)
    cosines[3] = 0.9
    found = made(near(*cosines), _2=1)
    assert len(found.cells) == (CELLS + 3 + 1) // 2
    assert found.cells[1].said == f"Passages 3 to 4 of {CELLS + 3} in Findings, near by 0.90, shows the search"
    assert (found.cells[1].url, found.nearest) == ("/at/7.3", 1)
    assert found.cells[-1].said.startswith(f"Passage {CELLS + 3} of {CELLS + 3}")


def test_where_nothing_is_told_there_is_no_cell() -> None:
    assert made([]) == COLD


def test_what_the_engine_answers_is_read_as_a_cosine() -> None:
    source = {"note_key": 7, "note_version": 3, "begin": 5, "end": 9, "section": "", "aspect": "findings"}
    assert read_near({"_id": "7.0", "_score": 0.75, "_source": source}) == (
        PassageNear("7.0", 7, 3, 5, 9, "findings", 0.5)
    )
