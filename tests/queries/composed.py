"""Lines made of lines: what is read right alone is read so beside another, and however it is spaced.

`python -m tests.queries.composed 7` prints how many of them are, by what joins them, for that seed.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from search_stack.query.tree import QueryError
from search_stack.query.tree_json import to_json
from tests.language import lexicon
from tests.queries.judge import Line, lines, same, shipped

Tree = dict[str, Any]
LONGEST = 6
"""Words of a line that is put together with another."""
_JOINS = re.compile(r"[,;:\n\"()|&/?!+]|\b(?:OR|AND|NOT|or|and|with|without|who|but)\b|^-|\s-\w")
APART = (". ", "\n- ", "; ", " & ")
"""Between them two statements say nothing of each other."""
LISTED = (", ", " and ", " + ", " plus ", ", also ", " with ", " but ")
"""Between them a denial, or a history, before the first name may be of both, as the docs tell: none stands there."""
_HARMLESS = frozenset(("present", "normal", "abnormal"))
_DONE = frozenset(("procedure", "device", "drug"))


@dataclass(frozen=True, slots=True)
class Composed:
    line: str
    query: Tree
    link: str


def composed(seed: int, many: int) -> Iterator[Composed]:
    """Two short lines of dev.jsonl each, the tree of both, and what joins them."""
    chance = random.Random(seed)
    for n in range(many):
        link = (*APART, *LISTED)[n % len((*APART, *LISTED))]
        while True:
            one, other = chance.choice(_alone(link in LISTED)), chance.choice(_alone(False))
            if not _meet(one.query, other.query) and _is_right(one) and _is_right(other):
                break
        start = "- " if link.startswith("\n") else ""
        yield Composed(f"{start}{one.line}{link}{other.line}", {"all": [one.query, other.query]}, link)


@cache
def _alone(harmless: bool) -> Sequence[Line]:
    """Short lines that ask for one thing; where ``harmless``, only such as say nothing of a name behind them."""
    return [
        one
        for one in lines("dev")
        if len(one.line.split()) <= LONGEST
        and not _JOINS.search(one.line)
        and _is_one(one.query)
        and (not harmless or _is_harmless(one.query))
    ]


def _is_right(one: Line) -> bool:
    read = _read(one.line)
    return read is not None and same(read, one.query)


def _is_one(query: Tree) -> bool:
    """Whether it is one finding, in whatever assertion, of whomever and whenever; a part of a note is that of both."""
    rest = [part for part in query.get("all", [query]) if part.get("field") not in ("age", "sex", "after", "before")]
    inner = rest[0].get("not", rest[0]) if len(rest) == 1 else {}
    return "finding" in inner


def _is_harmless(query: Tree) -> bool:
    rest = [part for part in query.get("all", [query]) if "field" not in part]
    return rest[0].get("assertion") in _HARMLESS


def _meet(one: Tree, other: Tree) -> bool:
    """Whether both ask for one name, or by one field, so that together they say something else."""
    return bool(_asked(one) & _asked(other))


def _asked(query: Tree) -> set[str]:
    parts = query.get("all", [query])
    found = {str(part.get("not", part).get("finding", "")) for part in parts} - {""}
    return found | {f"field {part['field']}" for part in parts if "field" in part}


def alike(one: Any, other: Any) -> bool:
    """Whether both say the same; that nobody has what is done or taken is said as leaving out whoever has it."""
    return same(_left_out(one), _left_out(other))


def _left_out(node: Any) -> Any:
    if isinstance(node, list):
        return [_left_out(part) for part in node]
    if not isinstance(node, dict):
        return node
    if "not" in node and len(names := {part.get("finding") for part in node["not"].get("any", ())}) == 1:
        return {"not": {"finding": names.pop(), "assertion": "present"}}
    if node.get("assertion") == "absent" and (concept := lexicon().find(node["finding"])) and concept.kind in _DONE:
        return {"not": {**node, "assertion": "present"}}
    return {key: _left_out(value) for key, value in node.items()}


SURFACES: Mapping[str, Callable[[str], str]] = {
    "doubled blanks": lambda line: line.replace(" ", "  "),
    "tabs": lambda line: line.replace(" ", "\t"),
    "blanks that do not break": lambda line: line.replace(" ", "\u00a0"),
    "hyphens that do not break": lambda line: re.sub(r"(?<=\w)-(?=\w)", "\u2011", line),
    "curly apostrophes": lambda line: re.sub(r"(?<=[a-z])'(?=[a-z])", "\u2019", line),
    "a blank before commas": lambda line: line.replace(", ", " , "),
    "blanks around": lambda line: f"  {line} ",
}
"""Ways to type a line that change none of its words."""


def surfaced(seed: int, many: int) -> Iterator[Composed]:
    """Lines of dev.jsonl typed in each of these ways, with the tree that they have as they stand."""
    chance = random.Random(seed)
    plain = [one.line for one in lines("dev") if '"' not in one.line]
    for name, made in SURFACES.items():
        changed = [line for line in plain if made(line) != line]
        for line in chance.sample(changed, min(many, len(changed))):
            if (query := _read(line)) is not None:
                yield Composed(made(line), query, name)


def misread(made: Iterator[Composed]) -> tuple[list[Composed], Counter[str]]:
    """Those that are not read as their parts are, and how many there are by what joins them."""
    wrong, number = [], Counter[str]()
    for one in made:
        number[one.link] += 1
        read = _read(one.line)
        if read is None or not alike(read, one.query):
            wrong.append(one)
    return wrong, number


def _read(line: str) -> Tree | None:
    try:
        return to_json(shipped().understand(line).query)
    except QueryError:
        return None


def main() -> None:
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    for made in (composed(seed, 6_000), surfaced(seed, 500)):
        wrong, number = misread(made)
        by_link = Counter(one.link for one in wrong)
        for link, many in number.items():
            print(f"{link!r}: {many - by_link[link]} of {many}")  # noqa: T201
        print(f"{1 - len(wrong) / number.total():.3f} of {number.total()}")  # noqa: T201


if __name__ == "__main__":
    main()
