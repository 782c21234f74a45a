from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from search_stack.evaluation.datasets.entity_aspect import EntityAspectData, Passage, Query
from search_stack.evaluation.datasets.wording import worded

QUERY = Query("q0", "How is gout eased ?", "Gout", "treatment", "management", ("p0",))
DATA = EntityAspectData("one", (Passage("p0", "d0", "Gout", "Gout", "treatment", "Rest."),), (QUERY,))


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, "Gout ; management"),
        ({"aspect_heading": ""}, "Gout ; treatment"),
        ({"aspect_heading": "", "aspect": ""}, "How is gout eased ?"),
        ({"entity": ""}, "How is gout eased ?"),
    ],
)
def test_a_tuple_is_the_entity_and_the_heading(changes: dict[str, Any], text: str) -> None:
    data = replace(DATA, queries=(replace(QUERY, **changes),))
    assert [q.text for q in worded(data, "tuple").queries] == [text]


def test_what_is_asked_stays_as_it_is() -> None:
    assert worded(DATA, "asked") is DATA
    changed = worded(DATA, "tuple")
    assert replace(changed, queries=DATA.queries) == DATA
    assert replace(changed.queries[0], text=QUERY.text) == QUERY
