"""The shipped lexicon, all files of it together, loaded once."""

from __future__ import annotations

import pytest

from search_stack.language.labeller import Labeller
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.language.lexicon.load import load_lexicon
from search_stack.language.lexicon.matcher import Matcher


@pytest.fixture(scope="session")
def lexicon() -> Lexicon:
    return load_lexicon(None)


@pytest.fixture(scope="session")
def matcher(lexicon: Lexicon) -> Matcher:
    return Matcher(lexicon)


@pytest.fixture(scope="session")
def labeller(lexicon: Lexicon) -> Labeller:
    """Rules alone."""
    return Labeller(lexicon, None)
