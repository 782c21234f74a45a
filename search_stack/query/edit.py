"""A tree edited a step at a time. Pure: each function gives a new tree, in normal form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias, cast

from search_stack.core.amounts import Amount
from search_stack.query.nodes import AllOf, AnyOf, FieldIs, Finding, Near, Node, Not, Timed, Together, Words
from search_stack.query.timed import together
from search_stack.query.tree import NodePath, QueryError, all_of, any_of, at, is_filter, not_, parts, pruned, replaced

Kind: TypeAlias = Literal["all", "any"]
Over: TypeAlias = Callable[[Node], Node]
"""Puts an operator of time on a criterion."""
_MAKE = {"all": all_of, "any": any_of}
_GROUPS = (AllOf, AnyOf, Together)


def added(node: Node | None, group: NodePath, new: Node) -> Node:
    """``new`` as the last member of the group at ``group``; beside what stands there, where that is no group."""
    if node is None:
        return new
    return _filled(node, group, [new])


def negated(node: Node, path: NodePath) -> Node:
    """What stands at ``path`` excluded, or where it is, asked for again."""
    return _with(node, path, not_(at(node, path)))


def turned(node: Node, group: NodePath) -> Node:
    """All of a group instead of any of it, and the other way round.

    Raises:
        QueryError: there is no group.
    """
    there = at(node, group)
    if not isinstance(there, AllOf | AnyOf):
        raise QueryError("This is no group.", "Choose two criteria, and put them in one.")
    return _with(node, group, (all_of if isinstance(there, AnyOf) else any_of)(there.children))


def numbered(node: Node, path: NodePath, amount: Amount | None) -> Node:
    """The finding at ``path`` by what a number must tell of it; None for whatever number. Nothing narrower is left out
    beside one.

    Raises:
        QueryError: there is no finding.
    """
    return _with(node, path, _whole(replace(_finding_at(node, path), amount=amount)))


def sited(node: Node, path: NodePath, site: str) -> Node:
    """The finding at ``path`` by where in the body it must be; empty for wherever. Nothing narrower is left out beside
    a site.

    Raises:
        QueryError: there is no finding.
    """
    return _with(node, path, _whole(replace(_finding_at(node, path), site=site)))


def _finding_at(node: Node, path: NodePath) -> Finding:
    there = at(node, path)
    if not isinstance(there, Finding):
        raise QueryError("This is no finding.", "A number and a place of the body are told of a finding.")
    return there


def _whole(finding: Finding) -> Finding:
    return finding if finding.is_whole else replace(finding, less=())


def grouped(node: Node, paths: Sequence[NodePath], kind: Kind) -> Node:
    """The members at ``paths``, which stand in one group, as a group of their own where the first of them stood.

    Raises:
        QueryError: they are fewer than two, or do not stand in one group.
    """
    parent, members = _siblings(node, paths)
    return _put(node, parent, members, _MAKE[kind](parts(at(node, parent))[n] for n in members))


def related(node: Node, paths: Sequence[NodePath], least: int | None, most: int | None) -> Node:
    """The first of two members as evidence that lies from ``least`` to ``most`` days after evidence of the other.

    Raises:
        QueryError: they are not two, do not stand in one group, or one is but a filter.
    """
    parent, members = _siblings(node, paths)
    if len(members) > 2:
        raise QueryError("Time lies between two criteria.", "Choose two.")
    child, anchor = (_placed(parts(at(node, parent))[n]) for n in members)
    # "-effusion" and "pacemaker" leave out an effusion after the pacemaker.
    return _put(node, parent, members, _within_not(child, lambda one: Near(least, most, one, anchor)))


def retimed(node: Node, path: NodePath, least: int | None, most: int | None) -> Node:
    """The relation at ``path`` with other days between its two.

    Raises:
        QueryError: there is none, or no day is left.
    """
    there = at(node, path)
    if not isinstance(there, Near):
        raise QueryError("This is no relation in time.", "Choose two criteria, and relate them.")
    if least is not None and most is not None and least > most:
        raise QueryError("These days leave nothing.", "Give the fewer days first.")
    return _with(node, path, replace(there, least=least, most=most))


def timed(node: Node, path: NodePath, over: Over) -> Node:
    """What stands at ``path`` with an operator of time on it; inside of what excludes it.

    Raises:
        QueryError: it is but a filter.
    """
    return _with(node, path, _within_not(_placed(at(node, path)), over))


def retold(node: Node, path: NodePath, over: Over) -> Node:
    """The operator of time at ``path`` in another's place, over the same.

    Raises:
        QueryError: there is none, or it lies between two.
    """
    there = at(node, path)
    if not isinstance(there, Timed) or isinstance(there, Near):
        raise QueryError("Nothing is said of its time.", "Set it in time.")
    return _with(node, path, over(all_of(parts(there))))


def untimed(node: Node, path: NodePath) -> Node:
    """What an operator of time at ``path`` holds, all of it, at whatever time.

    Raises:
        QueryError: there is none.
    """
    there = at(node, path)
    if not isinstance(there, Timed):
        raise QueryError("Nothing is said of its time.", "Set it in time.")
    return _with(node, path, all_of(parts(there)))


def brought_together(node: Node, paths: Sequence[NodePath], over: Over) -> Node:
    """The members at ``paths``, which stand in one group, under one operator of time where the first of them stood.

    Raises:
        QueryError: they are fewer than two, do not stand in one group, or one is but a filter.
    """
    parent, members = _siblings(node, paths)
    whole = all_of(_placed(parts(at(node, parent))[n]) for n in members)
    return _put(node, parent, members, over(whole))


def shifted(node: Node, path: NodePath, by: int) -> Node:
    """The member of a group at ``path`` with the one ``by`` places further in each other's place.

    Raises:
        QueryError: there is no such place.
    """
    group = at(node, path[:-1])
    if not path or not isinstance(group, _GROUPS) or not 0 <= path[-1] + by < len(group.children):
        raise QueryError("It cannot be moved further.", "Choose another place.")
    members = list(group.children)
    here, there = path[-1], path[-1] + by
    members[here], members[there] = members[there], members[here]
    return _with(node, path[:-1], _like(group, members))


def moved(node: Node, paths: Sequence[NodePath], group: NodePath, before: int | None = None) -> Node:
    """What stands at ``paths`` as members of the group at ``group``: before the one that has the number ``before`` now,
    or as the last ones.

    Raises:
        QueryError: the group lies in what is moved.
    """
    if any(group[: len(path)] == path for path in paths):
        raise QueryError("A group cannot go into itself.", "Choose another place.")
    outer = [path for path in paths if not any(path[:n] in paths for n in range(len(path)))]
    taken = [at(node, path) for path in outer]
    # What is left behind keeps its place until all the paths have been followed; a filter keeps its bracket, too, and
    # days beside each other are no alternatives, which would be made one.
    gaps = [FieldIs("after", f"\0{n}") if is_filter(one) else Words(f"\0{n}") for n, one in enumerate(taken)]
    for path, gap in zip(outer, gaps, strict=True):
        node = _with(node, path, gap)
    filled = _filled(node, group, taken, before)
    return cast(Node, pruned(filled, lambda leaf: leaf not in gaps))  # what was taken is there


def _filled(node: Node, group: NodePath, new: Sequence[Node], before: int | None = None) -> Node:
    there = at(node, group)
    members = there.children if isinstance(there, _GROUPS) else (there,)
    both = (*members[:before], *new, *members[len(members) if before is None else before :])
    return _with(node, group, _like(there, both))


def _like(group: Node, members: Sequence[Node]) -> Node:
    """A group of the same kind; of what is no group, all."""
    if isinstance(group, Together):
        return together(group.by, [_placed(one) for one in members])
    return any_of(members) if isinstance(group, AnyOf) else all_of(members)


def _within_not(node: Node, over: Over) -> Node:
    """An operator of time on ``node``, inside of what excludes it."""
    return not_(over(node.child)) if isinstance(node, Not) else over(node)


def _placed(node: Node) -> Node:
    """
    Raises:
        QueryError: it has no place in time.
    """
    if is_filter(node):
        raise QueryError("A filter has no place in time.", "Set a finding, words or a fact in time.")
    return node


def _siblings(node: Node, paths: Sequence[NodePath]) -> tuple[NodePath, list[int]]:
    parents = {path[:-1] for path in paths if path}
    members = sorted({path[-1] for path in paths if path})
    if len(parents) != 1 or len(members) < 2:
        raise QueryError("These do not stand in one group.", "Choose two or more criteria of the same group.")
    return parents.pop(), members


def _put(node: Node, parent: NodePath, members: Sequence[int], one: Node) -> Node:
    """``one`` in the place of ``members`` of the group at ``parent``."""
    group = at(node, parent)
    kept = [part for n, part in enumerate(parts(group)) if n not in members[1:]]
    kept[members[0]] = one
    return _with(node, parent, _like(group, kept))


def _with(node: Node, path: NodePath, by: Node) -> Node:
    return cast(Node, replaced(node, path, by))  # something was put there
