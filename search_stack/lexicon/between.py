"""What may stand between the words of a name, so that they still name one thing.

"Pleural and pericardial effusion" names two things, "nodule in the right lower lobe" one, "no
pleural effusion, pericardial thickening" no pleural thickening.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from importlib.resources import files
from itertools import pairwise

WIDEST = 6
"""Words that may stand between those of one name, small ones not counted."""
_WORDS = tomllib.loads((files("search_stack.lexicon") / "between.toml").read_text(encoding="utf-8"))
LINKS, HARD, PREPOSITIONS, COPULAS, BREAKS, SMALL, PASSED_OVER = (
    frozenset(_WORDS[kind].split())
    for kind in ("links", "hard", "prepositions", "copulas", "breaks", "small", "passed_over")
)


def may_stand_between(at: Sequence[int], tokens: Sequence[str], exact: bool) -> bool:
    """Whether the words of a name, found at the tokens ``at`` in the name's order, belong together.

    ``exact`` asks for the name's own order, with nothing but small words between.
    """
    ordered = sorted(at)
    gaps = [[t.lower() for t in tokens[a + 1 : b]] for a, b in pairwise(ordered)]
    in_order = list(at) == ordered
    if exact:
        return in_order and all(len(g) <= 3 and PASSED_OVER.issuperset(g) for g in gaps)
    if sum(len([t for t in g if t not in SMALL]) for g in gaps) > WIDEST:
        return False
    said = COPULAS.intersection(t.lower() for t in tokens[max(0, ordered[0] - 3) : ordered[0]])
    return all(_joins(g, in_order, bool(said)) for g in gaps)


def _joins(gap: Sequence[str], in_order: bool, said: bool) -> bool:
    """``said``: a verb stands before the first word, so that it ends a statement: "is enlarged and …"."""
    if not gap or SMALL.issuperset(gap):
        return True
    if any(t in HARD or t in BREAKS for t in gap):
        return False
    if in_order and gap[0] == "of" and not LINKS.intersection(gap):
        return len(gap) <= 4
    copula = next((n for n, t in enumerate(gap) if t in COPULAS), None)
    links = [n for n, t in enumerate(gap) if t in LINKS]
    if copula is not None:
        # "The aorta is tortuous and calcified": what follows the verb says it of the same thing.
        return all(n > copula for n in links) and "," not in gap
    if not links:
        # "Calcified hilar granuloma", "nodule in the right lung"; "lung … nodule" only side by side.
        return (in_order and len(gap) <= 5 and not PREPOSITIONS.intersection(gap)) or (
            not in_order and gap[0] in PREPOSITIONS
        )
    if not in_order or gap[links[-1]] == "," or len(gap) > 4:
        return False
    if links[0] == 0:
        # "Pleural and pericardial effusion", "pleural, pericardial or hilar calcification".
        return not said and len(gap) - links[-1] <= 3
    # "Pleural effusion or thickening": the second head follows the link at once.
    return links == [len(gap) - 1]
