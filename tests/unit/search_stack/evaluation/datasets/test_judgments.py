"""Judged passages: what the file holds, which part a query is of, and which judgment a passage stands for."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.judgments import (
    COLUMNS,
    FILE,
    Asked,
    Judgment,
    Place,
    judged_ids,
    load,
    load_part,
    part_of,
    part_to_read,
    queries,
    row_of,
)

HEADER = "\t".join(COLUMNS)
SHORT = Judgment("gout", "plain", "n1", 100, 140, 2, 1)
LONG = Judgment("gout", "plain", "n1", 150, 400, 1, 1)


def test_the_shipped_judgments_are_whole() -> None:
    found = load()
    assert len({j.place for j in found if j.reading == 1}) == len([j for j in found if j.reading == 1])
    kinds = {j.query: j.kind for j in found}
    assert len(kinds) == 97
    assert {j.query for j in found if j.reading == 2} <= kinds.keys()
    assert {one.query: one.kind for one in queries(FILE.with_name("queries.tsv")) if one.need} == kinds
    parts = Counter(map(part_of, kinds))
    assert parts["tuning"] >= 40 <= parts["test"]


def test_what_is_to_be_learnt_from_is_whole_and_none_of_what_is_measured() -> None:
    found = load(FILE.with_name("graded.tsv"))
    assert len({j.place for j in found}) == len(found) == 3885
    kinds = {j.query: j.kind for j in found}
    assert {one.query: one.kind for one in queries(FILE.with_name("graded_queries.tsv")) if one.need} == kinds
    assert kinds.keys().isdisjoint(j.query for j in load())


def test_a_row_reads_as_the_judgment_it_was_written_from(tmp_path: Path) -> None:
    file = tmp_path / "mine.tsv"
    file.write_text("\n".join([HEADER, row_of(SHORT), row_of(LONG)]) + "\n", encoding="utf-8")
    assert load(file) == [SHORT, LONG]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("gout\tplain\tn1\t0\t9\t3\t1", "mine.tsv:2: grade: unknown value"),
        ("gout\tplain\tn1\t9\t9\t1\t1", "mine.tsv:2: begin, end"),
        ("\tplain\tn1\t0\t9\t1\t1", "mine.tsv:2: query: is empty"),
        ("gout\tplain\t \t0\t9\t1\t1", "mine.tsv:2: note: is empty"),
    ],
)
def test_a_wrong_value_is_named_by_line_and_field(row: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.tsv"
    file.write_text(f"{HEADER}\n{row}\n", encoding="utf-8")
    with pytest.raises(AspectraError, match=message):
        load(file)


def test_a_file_without_a_judgment_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.tsv"
    file.write_text(HEADER + "\n", encoding="utf-8")
    with pytest.raises(AspectraError, match="holds no judgment"):
        load(file)


@pytest.mark.parametrize(
    ("place", "name"),
    [
        (Place("n1", 100, 140), "n1:100-140"),
        (Place("n1", 90, 160), "n1:100-140"),  # joined with its neighbours: the short one is all in it
        (Place("n1", 160, 290), "n1:150-400"),  # cut anew
        (Place("n1", 125, 165), "n1:125-165"),  # little of either
        (Place("n2", 100, 140), "n2:100-140"),
    ],
)
def test_a_passage_stands_for_the_judged_one_that_it_shares_most_with(place: Place, name: str) -> None:
    assert judged_ids([place], {"n1": [SHORT, LONG]}) == [name]


def test_a_judgment_stands_for_one_passage_only() -> None:
    halves = [Place("n1", 150, 280), Place("n1", 281, 400)]
    assert judged_ids(halves, {"n1": [LONG]}) == ["n1:150-400", "n1:281-400"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("dog bite\n\n  fell off   a ladder \ndog bite\n", [Asked("dog bite"), Asked("fell off a ladder")]),
        ("query\tkind\tneed\ndog bite\tevent\tA bite.\n", [Asked("dog bite", "event", "A bite.")]),
    ],
)
def test_queries_come_a_line_each_or_with_their_needs(text: str, found: list[Asked], tmp_path: Path) -> None:
    file = tmp_path / "queries"
    file.write_text(text, encoding="utf-8")
    assert queries(file) == found


@pytest.mark.parametrize("text", ["", "\n \n", "query\tkind\tneed\n"])
def test_a_file_without_a_query_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "queries"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(AspectraError, match="holds no query"):
        queries(file)


def test_of_the_shipped_queries_only_those_to_tune_on_are_read_unless_told(tmp_path: Path) -> None:
    assert part_to_read(FILE) == "tuning"
    assert part_to_read(FILE, "test") == "test"
    own = tmp_path / "own.tsv"
    own.write_text("\t".join(COLUMNS) + "\n" + "gout\t\tn1\t0\t4\t2\t1\n")
    assert part_to_read(own) is None
    assert len(load_part(own, None)) == 1
    of_it = part_of("gout")
    assert len(load_part(own, of_it)) == 1
    with pytest.raises(AspectraError, match="no query is of the part"):
        load_part(own, "test" if of_it == "tuning" else "tuning")
