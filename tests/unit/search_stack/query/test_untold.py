"""A search where no source tells sexes, ages or days: plain words for them are no criterion, and it is said."""

from __future__ import annotations

from typing import Any

import pytest

from search_stack.query.items import Sources
from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding

NOTHING = Sources(sexes=False, ages=False, days=False)
EFFUSION = {"finding": "pleural effusion", "assertion": "present"}
SURGERY = {"finding": "heart surgery", "assertion": "present"}
STROKE = {"finding": "stroke", "assertion": "present"}


@pytest.mark.parametrize(
    ("line", "query", "aside", "typed"),
    [
        ("pleural effusion after heart surgery", {"all": [EFFUSION, SURGERY]}, ("after",), ["after"]),
        ("pleural effusion within 30 days after heart surgery", {"all": [EFFUSION, SURGERY]}, None, None),
        ("first stroke", STROKE, ("first",), ["first"]),
        ("stroke at age 40", STROKE, ("at age 40",), ["at age 40"]),
        ("women over 60 with stroke", STROKE, ("women over 60",), ["women over 60"]),
        ("child swallowed a pencil", {"words": "child swallowed a pencil"}, (), ["child"]),
    ],
)
def test_what_is_never_told_is_no_criterion(
    understanding: Understanding, line: str, query: Any, aside: tuple[str, ...] | None, typed: list[str] | None
) -> None:
    found = understanding.understand(line, NOTHING)
    assert to_json(found.query) == query
    assert found.notices
    assert all("is no criterion" in n.message for n in found.notices)
    if aside is not None:
        assert " ".join(found.aside) == " ".join(aside)
    if typed is not None:
        assert [n.typed for n in found.notices] == typed
    assert understanding.understand(line).query != found.query


@pytest.mark.parametrize(
    "line", ["stroke sex:female", "stroke AFTER surgery", "at least two strokes", "stroke since 2019"]
)
def test_what_is_written_as_a_field_or_needs_no_day_stays(understanding: Understanding, line: str) -> None:
    told = understanding.understand(line, NOTHING)
    assert told.query == understanding.understand(line).query
    assert not any("no criterion" in n.message for n in told.notices)


def test_what_is_told_stays_a_criterion(understanding: Understanding) -> None:
    line = "women with stroke after fall"
    assert understanding.understand(line, Sources(days=True, ages=False)).query == understanding.understand(line).query
