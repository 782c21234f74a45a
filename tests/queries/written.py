"""Trees in JSON, as tests write them."""

from __future__ import annotations

from typing import Any

from search_stack.query.wording import wording

Tree = dict[str, Any]


def has(name: str, assertion: str = "present") -> Tree:
    return {"finding": name, "assertion": assertion}


def had(name: str) -> Tree:
    """A history of what does not go away: who has it, or had it."""
    return either(has(name), has(name, "historical"))


def at(finding: Tree, site: str) -> Tree:
    return {**finding, "site": site}


def severe(finding: Tree, how: str = "severe") -> Tree:
    return {**finding, "severity": how}


def topic(name: str, aspect: str) -> Tree:
    return {"entity": name, "aspect": aspect}


def words(text: str) -> Tree:
    return {"words": text}


def worded(text: str) -> Tree:
    """Words, or any way that notes write them otherwise."""
    return either(words(text), *map(words, wording().otherwise(text)))


def phrases(*texts: str) -> Tree:
    """Any of them: a grade in either figures."""
    return either(*({"phrase": text} for text in texts))


def field(key: str, value: str) -> Tree:
    return {"field": key, "value": value}


def no(node: Tree) -> Tree:
    return {"not": node}


def both(*nodes: Tree) -> Tree:
    return {"all": list(nodes)}


def either(*nodes: Tree) -> Tree:
    return {"any": list(nodes)}


def near(child: Tree, to: Tree, least: int | None = None, most: int | None = None) -> Tree:
    bounds = {"least": least, "most": most}
    return {"near": child, "to": to, **{k: v for k, v in bounds.items() if v is not None}}
