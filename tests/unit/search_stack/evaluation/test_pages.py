"""Groups, worst queries, and the pages that show them."""

from __future__ import annotations

import re

import pytest

from search_stack.evaluation.datasets.entity_aspect import EntityAspectData, Passage, Query
from search_stack.evaluation.groups import by_group, groups_of
from search_stack.evaluation.measures import STANDARD, parse
from search_stack.evaluation.pages import html, markdown
from search_stack.evaluation.rankings import Rankings
from search_stack.evaluation.report import Cost, retrieval_report
from search_stack.evaluation.tasks.retrieval import ReadingReport
from search_stack.evaluation.worst_queries import worst_queries

IDS = ["NHS_1-1", "NHS_1-2", "GARD_7-1"]
TEXTS = dict(zip(IDS, ["Rest and <b>ice</b>.", "Crystals in the joint.", "Rare & inherited."], strict=True))
DATA = EntityAspectData(
    "tiny",
    tuple(Passage(i, i.split("-")[0], "", "gout", "", text) for i, text in TEXTS.items()),
    (
        Query("q0", "How is <gout> treated?", "gout", "treatment", "", ("NHS_1-1",)),
        Query("q1", "What causes gout?", "gout", "causes", "", ("NHS_1-2",)),
        Query("q2", "Is it inherited?", "gout", "causes", "", ("GARD_7-1",)),
    ),
)
QRELS = {q.id: dict.fromkeys(q.relevant, 1) for q in DATA.queries}


def ranked(*first: str) -> Rankings:
    """For each query the passages, ``first`` on top."""
    return {
        q.id: [(i, 3.0 - n) for n, i in enumerate([top, *(i for i in IDS if i != top)])]
        for q, top in zip(DATA.queries, first, strict=True)
    }


RANKINGS = {"bm25": ranked("NHS_1-1", "NHS_1-1", "GARD_7-1"), "ours": ranked("NHS_1-2", "NHS_1-2", "NHS_1-1")}


def test_groups_are_by_aspect_and_by_the_letters_that_ids_begin_with() -> None:
    assert groups_of(DATA, DATA.queries) == {
        "aspect": {"treatment": ["q0"], "causes": ["q1", "q2"]},
        "source": {"NHS": ["q0", "q1"], "GARD": ["q2"]},
    }


def test_means_of_groups_weighted_by_their_queries_are_the_mean_of_all() -> None:
    report = retrieval_report(RANKINGS, QRELS, STANDARD)
    for groups in by_group(report.per_query, groups_of(DATA, DATA.queries)).values():
        assert list(groups) == sorted(groups, key=lambda name: -groups[name].queries)
        for system, means in report.systems.items():
            for measure, value in means.items():
                whole = sum(g.queries * g.systems[system][measure] for g in groups.values()) / 3
                assert whole == pytest.approx(value)


def test_the_worst_queries_come_first_and_those_answered_on_top_not_at_all() -> None:
    worst = worst_queries(RANKINGS, ("ours", "bm25"), QRELS, DATA.queries, TEXTS)
    assert [(w.query.id, w.answered) for w in worst] == [
        ("q2", {"ours": 3, "bm25": 1}),
        ("q0", {"ours": 2, "bm25": 1}),
    ]
    assert [(p.rank, p.id, p.right) for p in worst[1].first["ours"]] == [
        (1, "NHS_1-2", False),
        (2, "NHS_1-1", True),
        (3, "GARD_7-1", False),
    ]


def test_a_query_that_a_system_did_not_answer_is_the_worst_of_all() -> None:
    runs = {**RANKINGS, "ours": {"q1": RANKINGS["ours"]["q1"], "q2": RANKINGS["ours"]["q2"]}}
    worst = worst_queries(runs, ("ours", "bm25"), QRELS, DATA.queries, TEXTS)
    assert worst[0].query.id == "q0"
    assert worst[0].answered["ours"] is None


@pytest.fixture
def reading() -> ReadingReport:
    report = retrieval_report(RANKINGS, QRELS, STANDARD, costs={"ours": Cost(12.5, 1536.0)})
    groups = by_group(report.per_query, groups_of(DATA, DATA.queries))
    worst = worst_queries(RANKINGS, ("ours", "bm25"), QRELS, DATA.queries, TEXTS)
    return ReadingReport("alone", report, groups, worst, ("ours", "bm25"))


def test_the_page_escapes_what_passages_and_queries_hold(reading: ReadingReport) -> None:
    page = html("tiny", "bm25:64", [reading])
    assert "Rest and &lt;b&gt;ice&lt;/b&gt;." in page
    assert "How is &lt;gout&gt; treated?" in page
    assert "Rare &amp; inherited." in page
    assert not re.search(r"https?://|<script|src=", page)


def test_page_and_text_show_every_system_measure_and_cost(reading: ReadingReport) -> None:
    for text in (html("tiny", "bm25:64", [reading]), markdown("tiny", "bm25:64", [reading])):
        for means in reading.report.systems.values():
            for measure, value in means.items():
                assert measure in text
                assert f"{value:.3f}" in text
        assert "12.5" in text
        assert re.search(r"1,?536", text)
        assert "treatment" in text
        assert "GARD" in text


def test_the_markdown_holds_whole_tables_and_no_passage(reading: ReadingReport) -> None:
    text = markdown("tiny", "bm25:64", [reading])
    assert "Crystals" not in text
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        assert len({line.count("|") for line in table.splitlines()}) == 1, table
    assert text.count("\n| ") >= 2 + 2 + 2


def test_a_system_without_errors_says_so(reading: ReadingReport) -> None:
    perfect = ReadingReport("alone", reading.report, reading.groups, [], ("ours", "bm25"))
    assert "every answer stands first" in html("tiny", "bm25:64", [perfect])
    assert parse("R@1").name in html("tiny", "bm25:64", [perfect])
