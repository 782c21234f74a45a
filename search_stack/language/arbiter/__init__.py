"""Where rules are silent or disagree: a linear model over what they said and the words around."""

from search_stack.language.arbiter.features import Judged, features, overview
from search_stack.language.arbiter.model import Arbiter, arbiter_of, load_arbiter, shipped

__all__ = ["Arbiter", "Judged", "arbiter_of", "features", "load_arbiter", "overview", "shipped"]
