"""Words that hardly a note says beside a name: left aside with the line that asks for them, and where they stay."""

from __future__ import annotations

import pytest

from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same
from tests.queries.written import Tree, both, field, has, no, words

LEFT = [
    ("active gout", has("gout"), "active", 'words:"active" gout'),
    ("seizure, loaded with keppra", both(has("seizure"), has("levetiracetam")), "loaded", None),
    ("gout on arrival", has("gout"), "on arrival", 'gout "on arrival"'),
    ("discharged on warfarin", has("warfarin"), "discharged on", None),
    ("gout overnight", has("gout"), "overnight", None),
    ("recent stroke", has("stroke"), "recent", "stroke in the last 3 months"),
    ("Exclusion: active gout", no(has("gout")), "active", None),
    ("gout within 48 hours", has("gout"), "within 48 hours", None),
]
STAY = [
    ("active", words("active")),
    ("at discharge", words("discharge")),
    ("gout not evaluated", both(has("gout"), words("not evaluated"))),
    ("without gout at discharge", no(both(has("gout"), words("discharge")))),
    ("without recent stroke", no(both(words("recent"), has("stroke")))),
    ("severe gout", {**has("gout"), "severity": "severe"}),
    ("gout within 6 months", both(has("gout"), field("after", "2026-05-22"))),
]


@pytest.mark.parametrize(("line", "tree", "typed", "way"), LEFT)
def test_what_notes_hardly_say_is_left_aside_with_the_way_back(
    understanding: Understanding, line: str, tree: Tree, typed: str, way: str | None
) -> None:
    found = understanding.understand(line)
    assert same(to_json(found.query), tree), to_json(found.query)
    told = [n for n in found.notices if "was left aside" in n.message]
    assert any(typed in n.message for n in told), found.notices
    assert way is None or way in {n.line for n in told}, told


@pytest.mark.parametrize(("line", "tree"), STAY)
def test_what_says_more_stays(understanding: Understanding, line: str, tree: Tree) -> None:
    read = to_json(understanding.understand(line).query)
    assert same(read, tree), read
