"""Where rules are silent or disagree: a linear model over what they said and the words around, and where that is not
sure, a small transformer."""

from search_stack.language.arbiter.features import Judged, features, overview, status_features
from search_stack.language.arbiter.model import Arbiter, arbiter_of, load_arbiter, shipped
from search_stack.language.arbiter.reader import Reader, reader_of

__all__ = [
    "Arbiter",
    "Judged",
    "Reader",
    "arbiter_of",
    "features",
    "load_arbiter",
    "overview",
    "reader_of",
    "shipped",
    "status_features",
]
