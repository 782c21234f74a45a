from __future__ import annotations

from collections.abc import Callable

import pytest

from search_stack.cohorts.plan import Plan
from search_stack.language.lexicon.concepts import Concept, Lexicon
from search_stack.query.understand import Understanding

LEXICON = Lexicon(
    [
        Concept("effusion", "effusion", "finding"),
        Concept("pleural-effusion", "pleural effusion", "finding", parents=("effusion",)),
        Concept("hydrothorax", "hydrothorax", "finding"),
        Concept("fever", "fever", "symptom"),
        Concept("asthma", "asthma", "disorder"),
    ]
)


@pytest.fixture(scope="session")
def small() -> Understanding:
    return Understanding(LEXICON)


@pytest.fixture(scope="session")
def planned(small: Understanding) -> Callable[[str], Plan]:
    """What the engine would be asked for a line."""
    return lambda line: Plan.of(small.understand(line).query, LEXICON)
