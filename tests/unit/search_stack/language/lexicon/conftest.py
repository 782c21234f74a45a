"""The shipped lexicon, all files of it together, loaded once."""

from __future__ import annotations

import pytest

from search_stack.language.labeller import Labeller
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.language.lexicon.matcher import Matcher
from tests import language


@pytest.fixture(scope="session")
def lexicon() -> Lexicon:
    return language.lexicon()


@pytest.fixture(scope="session")
def matcher() -> Matcher:
    return language.rules().matcher


@pytest.fixture(scope="session")
def labeller() -> Labeller:
    """Rules alone."""
    return language.rules()
