from __future__ import annotations

import pytest

from search_stack.query.understand import Understanding
from tests.queries.judge import shipped


@pytest.fixture(scope="session")
def understanding() -> Understanding:
    """By the lexicon that is shipped."""
    return shipped()
