"""What may stand between the words of a name, so that they still name one thing.

"Pleural and pericardial effusion" names two things, "nodule in the right lower lobe" one, "no
pleural effusion, pericardial thickening" no pleural thickening.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import pairwise

WIDEST = 6
"""Words that may stand between those of one name, small ones not counted."""
LONGEST_ITEM, LONGEST_LAST = 3, 2
"""Words of an item, and of the last one, in a list between the words of a name: "pleural, left hilar or basal …"."""
_WORDS = tomllib.loads((files("search_stack.language.lexicon") / "between.toml").read_text(encoding="utf-8"))
LINKS, HARD, PREPOSITIONS, AWAY, COPULAS, BREAKS, SMALL, CLOSING, PASSED_OVER, TROUBLE, CHANGES, ACTS = (
    frozenset(_WORDS[kind].split())
    for kind in (
        "links",
        "hard",
        "prepositions",
        "away",
        "copulas",
        "breaks",
        "small",
        "closing",
        "passed_over",
        "trouble",
        "changes",
        "acts",
    )
)
_WITH, _OF, _IN, _BUT, _ACT, _STATED = "with", "of", "in", "but", "ing", "ed"
_OUT = frozenset(("up", "out"))
_OWN = SMALL | {"his", "her", "their", "my", "your"}
_KINDS = tuple(_WORDS["kinds"].split())
_NEXT = ([",", "or"], [",", "and"])
_ADJECTIVES = tuple(set(_KINDS) - {"ed", "ile", "ine", _ACT})
_JOINING = LINKS | COPULAS
_MARKS = LINKS | HARD
_ENDS = _MARKS | PREPOSITIONS | COPULAS | BREAKS | CLOSING


def may_stand_between(at: Sequence[int], tokens: Sequence[str], words: Sequence[str]) -> bool:
    """Whether ``words``, those of a name, found at the tokens ``at``, belong together."""
    ordered = sorted(at)
    if ordered[-1] - ordered[0] == len(ordered) - 1:
        return True
    gaps = [
        _said_of(gap, tokens[a].lower(), tokens[b].lower())
        for (a, b), gap in zip(pairwise(ordered), _gaps(ordered, tokens), strict=True)
    ]
    if sum(t not in SMALL and t not in _MARKS for gap in gaps for t in gap) > WIDEST:
        return False
    said = not COPULAS.isdisjoint(t.lower() for t in tokens[max(0, ordered[0] - 3) : ordered[0]])
    after = tokens[ordered[-1] + 1].lower() if ordered[-1] + 1 < len(tokens) else "."
    place = {token: n for n, token in enumerate(at)}
    turned = any(place[a] > place[b] for a, b in pairwise(ordered))
    for (a, b), gap in zip(pairwise(ordered), gaps, strict=True):
        kind = a if place[a] < place[b] else b
        if tokens[kind].lower() in ACTS and not (LINKS.isdisjoint(gap) or gap[-1] in ACTS or gap[-1] in _OUT):
            return False
        listed = "," in tokens[max(0, a - 2) : a]
        if gap[:2] in _NEXT and not listed and not tokens[kind].lower().endswith(_KINDS):
            return False  # "Aspiration, or early pneumonia" are two; "sensory, motor, and axonal neuropathy" is one.
        thing = _is_thing(tokens[kind].lower(), words[place[kind]])
        if place[a] > place[b]:
            if not _turned_round(gap, after, thing):
                return False
        elif not _in_order(gap, after, said, thing) or (turned and len(gap) > 1 and _JOINING.isdisjoint(gap)):
            return False
    return True


def is_side_by_side(at: Sequence[int], tokens: Sequence[str]) -> bool:
    """Whether nothing but its place says that the words at ``at`` name one thing: they stand apart or turned round, and
    no link, preposition or verb joins them."""
    ordered = sorted(at)
    if list(at) == list(range(ordered[0], ordered[-1] + 1)):
        return False
    return all((_JOINING | _MARKS | PREPOSITIONS | SMALL).isdisjoint(gap) for gap in _gaps(ordered, tokens))


def _is_thing(token: str, word: str) -> bool:
    """Whether ``token``, which stands for a name's ``word``, is another word than it and names a thing of its own."""
    return not token.endswith(_KINDS) and token != word and token.rstrip("s") != word.rstrip("s")


def is_phrase(at: Sequence[int], tokens: Sequence[str]) -> bool:
    """Whether the words of a fixed phrase stand at ``at`` in its order, with nothing but small words between."""
    ordered = sorted(at)
    return list(at) == ordered and all(len(g) <= 3 and PASSED_OVER.issuperset(g) for g in _gaps(ordered, tokens))


def is_shared_phrase(at: Sequence[int], tokens: Sequence[str]) -> bool:
    """Like `is_phrase`, where one gap may name more subjects: "heart size *and mediastinal contours are* normal"."""
    ordered = sorted(at)
    if list(at) != ordered:
        return False
    loose = [g for g in _gaps(ordered, tokens) if len(g) > 3 or not PASSED_OVER.issuperset(g)]
    return len(loose) == 1 and _adds_subjects(loose[0])


def _gaps(ordered: Sequence[int], tokens: Sequence[str]) -> list[list[str]]:
    return [[t.lower() for t in tokens[a + 1 : b]] for a, b in pairwise(ordered)]


def _said_of(gap: list[str], before: str, after: str) -> list[str]:
    """``gap`` without what hides that it is one statement: "trouble *with* her breathing", "a decrease *in* libido",
    "the abdomen is *soft but* distended". In "problems with urinary retention" and "difficulty with mouth breathing"
    it is another thing."""
    if gap and gap[0] == _IN and before in CHANGES:
        return [_OF, *gap[1:]]
    if gap and gap[0] == _WITH and before in TROUBLE:
        another = after.endswith(_ADJECTIVES) or (after.endswith(_ACT) and not _OWN.issuperset(gap[1:]))
        return gap if another else [_OF, *gap[1:]]
    if _BUT in gap:
        said, rest = gap[: gap.index(_BUT)], gap[gap.index(_BUT) + 1 :]
        copula = next((n for n, t in enumerate(said) if t in COPULAS), None)
        if copula is not None and len(rest) < LONGEST_LAST and (HARD | BREAKS).isdisjoint(said):
            return [*said[: copula + 1], *rest]
    return gap


def _adds_subjects(gap: Sequence[str]) -> bool:
    copula = next((n for n, t in enumerate(gap) if t in COPULAS and t in PASSED_OVER), None)
    return copula is not None and PASSED_OVER.issuperset(gap[copula:]) and _is_list([*gap[:copula], "and"], "and")


def _in_order(gap: Sequence[str], after: str, said: bool, thing: bool) -> bool:
    """``said``: a verb stands before the first word, so that it ends a statement: "is enlarged and …";
    ``thing``: see `_is_thing`, of the word before the gap; ``after`` is the token behind the whole name.
    """
    if SMALL.issuperset(gap):
        return True
    if not HARD.isdisjoint(gap) or not BREAKS.isdisjoint(gap):
        return False
    if gap[0] == "of" and LINKS.isdisjoint(gap):
        return len(gap) <= 4
    copula = next((n for n, t in enumerate(gap) if t in COPULAS), None)
    links = [n for n, t in enumerate(gap) if t in LINKS]
    if copula is not None:
        return _says(gap, copula, links, after)
    if not links:
        # "Calcified hilar granuloma"; "lung … nodule" only side by side.
        return len(gap) <= 5 and PREPOSITIONS.isdisjoint(gap)
    if gap == ["/"]:
        return not thing
    if gap[links[-1]] == ",":
        return False
    if "(" in gap or ")" in gap:
        # "A large (2 cm) nodule".
        return gap[0] == "(" and gap[-1] == ")" and links == [0, len(gap) - 1] and len(gap) <= 5
    if links[0] == 0:
        # "Pleural and pericardial effusion", "pleural, pericardial or hilar calcification".
        return not said and not thing and _is_list(gap)
    # "Pleural effusion or thickening": the second head follows the link at once.
    return links == [len(gap) - 1] and len(gap) <= 4


def _turned_round(gap: Sequence[str], after: str, thing: bool) -> bool:
    """The gap between a head and what belongs before it; ``after`` is the token behind both,
    ``thing``: see `_is_thing`, of the word behind the gap.
    """
    if SMALL.issuperset(gap):
        return True
    if not HARD.isdisjoint(gap) or not BREAKS.isdisjoint(gap):
        return False
    if gap == [","]:
        # "Effusion, pleural." as in a catalogue; what goes on is a list of other things.
        return after in HARD and not thing
    links = [n for n, t in enumerate(gap) if t in LINKS]
    copula = next((n for n, t in enumerate(gap) if t in COPULAS), None)
    if copula is not None:
        # "The heart is moderately enlarged", "a nodule is seen in the lung".
        return AWAY.isdisjoint(gap) and _says(gap, copula, links, after)
    if gap[0] not in PREPOSITIONS:
        return False
    if not links:
        return True
    # "Fractures of the ribs and clavicle", but not "… of the femur and hip replacement".
    items = [i for i in _items(gap) if i]
    return gap[links[-1]] != "," and after in _ENDS and len(items) <= 3 and all(len(i) <= 4 for i in items)


def _says(gap: Sequence[str], copula: int, links: Sequence[int], after: str) -> bool:
    """Whether the verb at ``copula`` says it of the same thing: "the aorta is tortuous and calcified"."""
    if not links:
        return True
    # "The effusion is small and pleural thickening is seen" begins a new clause behind the link.
    rest = gap[links[-1] + 1 :]
    one_clause = links[0] > copula and "," not in gap and len(rest) <= 2 and SMALL.isdisjoint(rest)
    return one_clause and after in _ENDS and after not in COPULAS


def _is_list(gap: Sequence[str], opening: str = "") -> bool:
    """Whether ``gap``, which begins with a link, names up to three more things of a few words each."""
    if not gap or gap[0] not in LINKS or (opening and opening not in gap[:-1]):
        return False
    items = [i for i in _items(gap) if i]
    last = LONGEST_ITEM if opening else LONGEST_LAST
    if any(len(i) > 1 and i[-1].endswith(_STATED) for i in items[:-1]):
        return False  # "Vision loss in one eye, ESR raised and jaw pain" states something of its own.
    return 1 <= len(items) <= 3 and all(len(i) <= LONGEST_ITEM for i in items) and len(items[-1]) <= last


def _items(gap: Sequence[str]) -> Iterator[list[str]]:
    item: list[str] = []
    for token in gap:
        if token in LINKS:
            yield item
            item = []
        else:
            item.append(token)
    yield item
