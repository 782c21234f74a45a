"""One table of what several commands measured."""

from __future__ import annotations

import re

from search_stack.evaluation.kept import Kept
from search_stack.evaluation.overview import Figure, figures, html, row

FOUND = {
    "accuracy": 0.5,
    "systems": {"ours": {"MRR": {"value": 0.75, "low": 0.5, "high": 1.0}, "none": None}, "bm25": {"MRR": 0.25}},
    "intervals": {"ours": {"MRR": {"mean_difference": 0.5, "low": 0.25, "high": 0.625, "significant": True}}},
    "baseline": "bm25",
    "right": True,
}


def test_paths_lead_to_figures_and_what_is_none_is_passed_over() -> None:
    assert figures(FOUND, ("accuracy", "systems/*/*", "intervals/ours/*", "right", "nowhere/*", "accuracy/*")) == (
        Figure("accuracy", 0.5, None, ""),
        Figure("ours MRR", 0.75, (0.5, 1.0), ""),
        Figure("bm25 MRR", 0.25, None, ""),
        Figure("ours MRR", 0.5, (0.25, 0.625), "bm25"),
    )
    (alone,) = figures({"baseline": 0.3, "interval": {"difference": 0.1, "low": 0, "high": 0.2}}, ("interval",))
    assert alone == Figure("interval", 0.1, (0.0, 0.2), "the baseline")


def test_the_page_holds_figures_seconds_commands_and_errors_and_asks_for_nothing() -> None:
    kept = Kept(command=["x"], seconds=12.4, ended="2026-11-25", figures=FOUND)
    rows = [
        row("qa", "qa/a.xml", "aspectra evaluate qa --data 'a & b'", ("systems/*/*", "intervals/ours/*"), kept),
        row("sts", "sts/b.csv", "aspectra evaluate sts", (), None, "b.csv:3: <score> is none."),
    ]
    page = html("data", rows, {"encoder": "mini@0a", "code": "0b"})
    cells = [re.sub(r"<[^>]+>", " ", c).split() for c in re.findall(r"<t[dh].*?</t[dh]>", page)]
    assert ["0.750"] in cells
    assert ["0.500", "to", "1.000"] in cells
    assert ["+0.500"] in cells
    assert ["ours", "MRR,", "minus", "bm25"] in cells
    assert "b.csv:3: &lt;score&gt; is none." in page
    assert "a &amp; b" in page
    assert "mini@0a" in page
    assert not re.search(r"(src|href)=|url\(|@import|<script", page)
