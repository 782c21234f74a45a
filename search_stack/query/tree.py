"""What is asked, as a tree of `search_stack.query.nodes`. The line, the page and JSON are faces of it.

Trees are kept in one normal form by `all_of`, `any_of` and `not_`: no criterion is wrapped for itself, nothing is
negated twice, and equal kinds are not nested, but for brackets that hold a filter (`is_filter`), which is theirs alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias, cast

from search_stack.core.errors import AspectraError
from search_stack.query.fields import BY_KEY
from search_stack.query.nodes import (
    AllOf,
    AnyOf,
    AtAge,
    AtLeast,
    During,
    Fact,
    FieldIs,
    Finding,
    Leaf,
    Near,
    Node,
    Not,
    Phrase,
    Pick,
    Timed,
    Together,
    Topic,
    Words,
)

DEEPEST = 40
"""Brackets inside brackets, at most."""
MOST = 256
"""Criteria that a query may hold."""


class QueryError(AspectraError):
    """The query cannot be read; the message says where."""


class WildcardError(QueryError):
    """A sign in ``word`` stands for letters: whoever knows names can tell which begin so."""

    def __init__(self, word: str, sign: str, remedy: str) -> None:
        super().__init__(f'This wildcard is not read: "{word}" ({sign}).', remedy)
        self.word = word


def parts(node: Node) -> tuple[Node, ...]:
    """What ``node`` is made of; nothing for a leaf."""
    if isinstance(node, AllOf | AnyOf | Together):
        return node.children
    if isinstance(node, Near):
        return (node.child, node.anchor)
    return (node.child,) if isinstance(node, Not | AtLeast | Pick | During | AtAge) else ()


def rebuilt(node: Node, new: Sequence[Node]) -> Node | None:
    """``node`` over other parts, in normal form; of a relation with one part left, that part; None without any."""
    if isinstance(node, Leaf):
        return node
    if len(new) < 2 and isinstance(node, Near | Together):
        return new[0] if new else None
    if not new:
        return None
    if isinstance(node, AllOf):
        return all_of(new)
    if isinstance(node, AnyOf):
        return any_of(new)
    if isinstance(node, Not):
        return not_(new[0])
    if isinstance(node, Together):
        return replace(node, children=tuple(new))
    if isinstance(node, Near):
        return replace(node, child=new[0], anchor=new[1])
    return replace(node, child=new[0]) if isinstance(node, AtLeast | Pick | During | AtAge) else node


def every(node: Node) -> Iterator[Node]:
    """The node and all that it is made of, each before its parts."""
    yield node
    for part in parts(node):
        yield from every(part)


def is_timed(node: Node) -> bool:
    """Whether time is compared anywhere in it."""
    return any(isinstance(n, Timed) for n in every(node))


def fields_of(node: Node) -> frozenset[str]:
    """The fields whose values it asks for or excludes."""
    return frozenset(leaf.field for leaf in leaves(node) if isinstance(leaf, FieldIs))


def is_words(node: Node) -> bool:
    """Whether it is but words, in one way to write them or several."""
    return isinstance(node, Words | Phrase) or (
        isinstance(node, AnyOf) and all(isinstance(child, Words | Phrase) for child in node.children)
    )


def is_filter(node: Node) -> bool:
    """Whether it holds only fields: it then says where its neighbours must hold, and is no criterion of its own."""
    return not isinstance(node, Timed) and all(isinstance(leaf, FieldIs) for leaf in leaves(node))


def all_of(children: Iterable[Node]) -> Node:
    """All of ``children``, in normal form; values of the same field become alternatives, since no passage has two.

    Raises:
        ValueError: there are no children.
    """
    flat: list[Node] = []
    for child in children:
        loose = isinstance(child, AllOf) and not any(is_filter(c) for c in child.children)
        flat += child.children if isinstance(child, AllOf) and loose else [child]
    return _made(AllOf, _alternatives(flat))


def any_of(children: Iterable[Node]) -> Node:
    """Any of ``children``, in normal form.

    Raises:
        ValueError: there are no children.
    """
    flat: list[Node] = []
    for child in children:
        flat += child.children if isinstance(child, AnyOf) else [child]
    return _made(AnyOf, flat)


def not_(child: Node) -> Node:
    return child.child if isinstance(child, Not) else Not(child)


def _made(kind: type[AllOf] | type[AnyOf], children: list[Node]) -> Node:
    unique = tuple(dict.fromkeys(children))
    if not unique:
        raise ValueError(f"{kind.__name__} of nothing")
    if len(unique) > 1:
        return kind(unique)
    only = unique[0]
    return only


def _alternatives(children: list[Node]) -> list[Node]:
    """``children``, the values of one field put together where the first of them stands."""
    by_field: dict[str, list[Node]] = {}
    for child in children:
        if key := _one_field(child):
            by_field.setdefault(key, []).append(child)
    out: list[Node] = []
    for child in children:
        key = _one_field(child)
        if not key:
            out.append(child)
        elif together := by_field.pop(key, None):
            out.append(any_of(together))
    return out


def _one_field(node: Node) -> str:
    """The field that is all that ``node`` gives values of; empty for days and ages, which are no alternatives."""
    parts = node.children if isinstance(node, AnyOf) else (node,)
    keys = {p.field if isinstance(p, FieldIs) else "" for p in parts}
    key = keys.pop() if len(keys) == 1 else ""
    return key if key and not BY_KEY[key].is_range else ""


def leaves(node: Node) -> Iterator[Leaf]:
    """Every leaf, in the order of the tree."""
    return (n for n in every(node) if isinstance(n, Leaf))


def wanted(node: Node) -> Iterator[Leaf]:
    """The leaves that are asked for: not those under a not."""
    if isinstance(node, Leaf):
        yield node
    elif not isinstance(node, Not):
        for part in parts(node):
            yield from wanted(part)


def criteria(node: Node) -> tuple[Node, ...]:
    """What the query asks for, one by one: the children of an outermost all, else the query itself."""
    return node.children if isinstance(node, AllOf) else (node,)


def mapped(node: Node, change: Callable[[Leaf], Node]) -> Node:
    """The tree with every leaf replaced by what ``change`` makes of it."""
    if isinstance(node, Leaf):
        return change(node)
    # As many parts as before: there is something left.
    return cast(Node, rebuilt(node, [mapped(part, change) for part in parts(node)]))


NodePath: TypeAlias = tuple[int, ...]
"""Where a node stands: the number of the part to take, from the root; a not has one, 0."""


def at(node: Node, path: NodePath) -> Node:
    """The node at ``path``.

    Raises:
        IndexError: there is none.
    """
    for step in path:
        node = parts(node)[step]
    return node


def replaced(node: Node, path: NodePath, by: Node | None) -> Node | None:
    """The tree with the node at ``path`` replaced, or taken out where ``by`` is None; None where nothing is left.

    Raises:
        IndexError: there is none at ``path``.
    """
    if not path:
        return by
    step, *rest = path
    new = replaced(parts(node)[step], tuple(rest), by)
    return rebuilt(node, [n for at, part in enumerate(parts(node)) if (n := new if at == step else part) is not None])


def paths(node: Node, here: NodePath = ()) -> Iterator[tuple[NodePath, Leaf]]:
    """Every leaf with where it stands."""
    if isinstance(node, Leaf):
        yield here, node
    for number, part in enumerate(parts(node)):
        yield from paths(part, (*here, number))


def pruned(node: Node, keep: Callable[[Leaf], bool]) -> Node | None:
    """The tree without the leaves that are not kept; None where none is left."""
    if isinstance(node, Leaf):
        return node if keep(node) else None
    left = [pruned(part, keep) for part in parts(node)]
    return rebuilt(node, [part for part in left if part is not None])


def rank_text(node: Node) -> str:
    """The words to rank by, for BM25, the encoder and the reranker: what is asked for, as it would be said."""
    return " ".join(_said(leaf) for leaf in wanted(node) if not isinstance(leaf, FieldIs | Fact))


def _said(leaf: Leaf) -> str:
    if isinstance(leaf, Finding):
        named = f"{leaf.site} {leaf.name}".strip()
        return f"no {named}" if leaf.assertion == "absent" else named
    if isinstance(leaf, Topic):
        return f"{leaf.entity} {leaf.aspect}".strip()
    return leaf.text if isinstance(leaf, Words | Phrase) else ""


def concepts(node: Node) -> tuple[Finding | Topic, ...]:
    """The findings and entities that are asked for, in their order; not those that are excluded."""
    return tuple(leaf for leaf in wanted(node) if isinstance(leaf, Finding | Topic))
