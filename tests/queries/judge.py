"""Query lines with the trees that people mean by them, and whether a tree says the same.

dev.jsonl is looked at when the reading of lines is worked on; heldout.jsonl was written by somebody else and is only
ever measured: `python -m tests.queries.judge heldout` prints figures, never a line. split.json holds names that became
concepts after the held-out lines were judged, each with the tree that stood for it; dev.jsonl is judged anew instead.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from search_stack.language.lexicon.chronic import chronic_ones
from search_stack.query.dates import ago
from search_stack.query.tree import QueryError
from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from search_stack.query.wording import wording
from tests.language import lexicon

FOLDER = Path(__file__).parent
TODAY = date(2026, 11, 22)
NEWER = frozenset(("near", "at_least", "first", "last", "during", "at_age", "together", "fact"))
PEOPLE = ("sex", "age")
_COMPARING = re.compile(
    r"\b(?:over|above|below|under|(?:more|less|greater|lower|higher) than|at least|at most)\s+(?=\d)"
)
_AGO = re.compile(r"-(\d+)([dwmy])")


@dataclass(frozen=True, slots=True)
class Line:
    line: str
    query: dict[str, Any]
    kind: str


def lines(name: str) -> list[Line]:
    text = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    return [Line(**json.loads(row)) for row in text.splitlines()]


@cache
def shipped() -> Understanding:
    return Understanding(lexicon(), lambda: TODAY)


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two trees in JSON say the same: up to order, brackets that say nothing, De Morgan, and function words."""
    return _form(one) == _form(other)


def _form(node: dict[str, Any]) -> Any:
    if "all" in node or "any" in node:
        kind = "all" if "all" in node else "any"
        return _joined(kind, map(_form, node[kind]))
    if "not" in node:
        return _negated(_form(node["not"]))
    if "words" in node:
        return "words", _words(node["words"])
    if "near" in node and "least" not in node and node["most"] < 0:  # the same days, told from the other side
        return _form({"near": node["to"], "to": node["near"], "least": -node["most"]})
    if node.get("least") == node.get("most") == 0 and "near" in node:
        return _form({"together": [node["near"], node["to"]], "by": "day"})
    if "together" in node:
        return "together", node["by"], tuple(sorted(map(_form, node["together"]), key=repr))
    if "field" in node:
        return "field", node["field"], _day(node["value"]).lower()
    return tuple(sorted((key, str(value).lower()) for key, value in node.items()))


def _joined(kind: str, parts: Iterator[Any]) -> Any:
    flat: list[Any] = []
    for part in parts:
        flat += part[1] if part[0] == kind else [part]
    if kind == "all" and (words := [p for p in flat if p[0] == "words"]):
        flat = [p for p in flat if p[0] != "words"] + [("words", frozenset().union(*(w for _, w in words)))]
    unique = sorted(set(flat), key=repr)
    return unique[0] if len(unique) == 1 else (kind, tuple(unique))


def _negated(inner: Any) -> Any:
    if inner[0] == "any":
        return _joined("all", (_negated(part) for part in inner[1]))
    return inner[1] if inner[0] == "not" else ("not", inner)


def _words(text: str) -> frozenset[str]:
    """Without words that only compare a number, which no note has to hold beside it."""
    return frozenset(re.findall(r"\w+", _COMPARING.sub(" ", text.lower()))) - wording().function


def _day(value: str) -> str:
    back = _AGO.fullmatch(value)
    return ago(TODAY, int(back[1]), back[2]).isoformat() if back else value


def misread(name: str, understand: Callable[[str], Any]) -> tuple[list[Line], int]:
    """The lines of a set that are not read as meant, and how many it has."""
    asked = lines(name)
    split = _split() if name == "heldout" else {}
    return [one for one in asked if not _right(one, understand, split)], len(asked)


def _right(one: Line, understand: Callable[[str], Any], split: dict[str, Any]) -> bool:
    try:
        read = to_json(understand(one.line).query)
    except QueryError:
        return False
    if same(read, one.query) or same(read, _named(one.query)):
        return True
    read = _before_it_was_split(read, split)
    if same(read, one.query) or same(read, _named(one.query)):
        return True
    timeless = None if _says_time(one.query) else _timeless(read)
    return timeless is not None and same(timeless, one.query)


def _named(node: Any) -> Any:
    """The same with the concept in place of words that are its name: the lexicon grew after the lines were judged."""
    if isinstance(node, list):
        return [_named(part) for part in node]
    if not isinstance(node, dict):
        return node
    if node.keys() == {"words"} and (concept := lexicon().find(node["words"])):
        return {"finding": concept.name, "assertion": "present"}
    return {key: _named(value) for key, value in node.items()}


def _before_it_was_split(node: Any, split: dict[str, Any]) -> Any:
    """The same with what stood for a newer concept in its place, in the same assertion."""
    if isinstance(node, list):
        return [_before_it_was_split(part, split) for part in node]
    if not isinstance(node, dict):
        return node
    if split and "site" in node:  # They were words beside the name when the held-out lines were written.
        bare = {key: value for key, value in node.items() if key != "site"}
        return {"all": [_before_it_was_split(bare, split), {"words": node["site"]}]}
    if split and (past := _past_alone(node, excluded="not" in node)):
        return past
    if (older := split.get(node.get("finding", ""))) is not None:
        return _asserted(older, node["assertion"])
    return {key: _before_it_was_split(value, split) for key, value in node.items()}


def _past_alone(node: dict[str, Any], excluded: bool) -> dict[str, Any] | None:
    """A history as the past alone, as it was read when the held-out lines were judged, of what does not go away, or
    where it excludes: since then who has it counts, too."""
    if excluded:
        past = _past_alone(node["not"], excluded=False) or _past_of(node["not"])
        return past and {"not": past}
    past = _past_of(node)
    concept = lexicon().find(past["finding"]) if past else None
    return past if concept is not None and concept.id in chronic_ones() else None


def _past_of(node: dict[str, Any]) -> dict[str, Any] | None:
    each = node.get("any", ())
    both = len({one.get("finding", "") for one in each}) == 1 and [one.get("assertion") for one in each]
    return each[1] if both == ["present", "historical"] else None


def _asserted(node: dict[str, Any], assertion: str) -> dict[str, Any]:
    """A tree of findings and words, its findings in ``assertion``."""
    if "all" in node:
        return {"all": [_asserted(part, assertion) for part in node["all"]]}
    return {**node, "assertion": assertion} if "finding" in node else node


@cache
def _split() -> dict[str, Any]:
    trees: dict[str, Any] = json.loads((FOLDER / "split.json").read_text(encoding="utf-8"))
    return trees


def _says_time(node: Any) -> bool:
    """Whether whoever wrote the tree had nodes for time and people at hand; the held-out set was written before."""
    if isinstance(node, dict):
        return bool(node.keys() & NEWER) or node.get("field") in PEOPLE or any(map(_says_time, node.values()))
    return isinstance(node, list) and any(map(_says_time, node))


def _timeless(node: dict[str, Any]) -> dict[str, Any] | None:
    """The same without what only newer nodes say: its criteria, side by side; None where nothing is left."""
    for kind in ("all", "any"):
        if kind in node:
            left = [c for c in map(_timeless, node[kind]) if c is not None]
            return {kind: left} if left else None
    if node.get("field") in PEOPLE:
        return None
    if "near" in node:
        return _timeless({"all": [node["near"], node["to"]]})
    if "not" in node:
        inner = _timeless(node["not"])
        return None if inner is None else {"not": inner}
    for key in ("at_least", "first", "last", "during", "at_age"):
        if key in node:
            return _timeless(node["of"] if key == "at_least" else node[key])
    return node


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else "dev"
    wrong, number = misread(name, shipped().understand)
    by_kind = Counter(one.kind for one in lines(name))
    wrong_by_kind = Counter(one.kind for one in wrong)
    print(f"{name}: {number - len(wrong)} of {number} read as meant ({1 - len(wrong) / number:.3f})")  # noqa: T201
    for kind, many in sorted(by_kind.items()):
        print(f"  {kind}: {many - wrong_by_kind[kind]} of {many}")  # noqa: T201
    if name != "heldout":
        for one in wrong:
            print(one.line)  # noqa: T201


if __name__ == "__main__":
    main()
