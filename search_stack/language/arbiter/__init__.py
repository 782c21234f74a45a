"""Where rules are silent or disagree: a linear model over what they said and the words around."""

from search_stack.language.arbiter.features import Judged, features, overview
from search_stack.language.arbiter.model import Arbiter, load_arbiter, shipped

__all__ = ["Arbiter", "Judged", "features", "load_arbiter", "overview", "shipped"]
