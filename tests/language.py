"""The language as it is shipped, made once for all tests of a process: a labeller takes a second of processor time.

What makes another, or looks at how one is loaded, calls `load_lexicon` and `load_labeller` itself.
"""

from __future__ import annotations

import gc
from functools import cache

from search_stack.language.labeller import Labeller, load_labeller
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.language.lexicon.load import load_lexicon


@cache
def lexicon() -> Lexicon:
    made = load_lexicon(None)
    gc.freeze()  # no look for garbage has to go through it
    return made


@cache
def labeller() -> Labeller:
    made = load_labeller(None)
    gc.freeze()
    return made


@cache
def rules() -> Labeller:
    """Without what was learnt."""
    return Labeller(lexicon(), None)
