"""The builder: a question put together by hand, group by group, while the line follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from flask import Blueprint, Response, jsonify, render_template, request
from werkzeug.exceptions import BadRequest

from search_stack.cohorts.figures import lefts
from search_stack.core.amounts import Amount
from search_stack.core.errors import AspectraError
from search_stack.language.sites import site_of
from search_stack.query.amount import amount_of
from search_stack.query.asked import instead
from search_stack.query.edit import (
    added,
    brought_together,
    grouped,
    moved,
    negated,
    numbered,
    related,
    retimed,
    retold,
    shifted,
    sited,
    timed,
    turned,
    untimed,
)
from search_stack.query.nodes import Finding, Near, Node, Timed
from search_stack.query.tree import NodePath, QueryError, all_of, at, parts, replaced
from search_stack.query.write import readable, write
from ui.builder_page import BuilderPage, State, Typed, block, number_in, pair, path_of
from ui.cohort_page import step_bars
from ui.criteria import alternatives
from ui.edge import Edge
from ui.frame import asked, frame
from ui.seen import about, asked_for
from ui.services import services
from ui.when import When
from ui.wording import counted

blueprint = Blueprint("building", __name__)
TIME_ROWS = ("order", "when-kind", "new-kind")
"""Fields that say a time, one of each row of them."""
UNREADABLE = "This step cannot be read. Load the page anew."


@blueprint.get("/build")
def show() -> str:
    return _page(State(""), Typed())


@blueprint.post("/build")
def step() -> str | Response:
    """One step, and the question after it. Its text travels in the body, and so do the steps before."""
    state, typed = _state(), _typed()
    try:
        return _page(*_after(state, typed))
    except AspectraError as e:
        line = instead((request.form.getlist("line") or [""])[-1], *e.meant) if e.meant else ""
        return Response(_page(state, typed, f"{e.message} {e.remedy}".strip(), line), 400)


@blueprint.post("/build/preview")
def preview() -> Response:
    """What is being typed in the field called ``field``, counted; no step is taken."""
    name = request.form.get("field", "")
    try:
        said = _previewed(name, request.form.get(name, ""))
    except AspectraError as e:  # half a word is no mistake yet
        said = f"{e.message} {e.remedy}".strip()
    except (ValueError, IndexError):
        said = ""
    about(typing=1)
    return jsonify(said=said)


@blueprint.post("/build/counts")
def counts() -> Response:
    """How many patients each of the ways to ask for the finding at ``place`` would have, and each narrower one by
    itself; the page asks for it when their list is opened."""
    searcher = services().searcher
    understood = searcher.understand(request.form.get("shown", ""))
    asked_for(understood)
    try:
        finding = at(understood.query, path_of(request.form.get("place", "")))
    except (ValueError, IndexError):
        raise BadRequest from None
    if not isinstance(finding, Finding):
        raise BadRequest
    said, narrower = alternatives(finding, searcher.lexicon())
    nodes = tuple(dict.fromkeys((*said.values(), *narrower.values())))
    told = dict(zip(nodes, searcher.each(nodes), strict=True))
    about(typing=1)
    return jsonify(
        said={name: told[node] for name, node in said.items()},
        narrower={name: told[node] for name, node in narrower.items()},
    )


def _state() -> State:
    form = request.form
    return State(form.get("shown", ""), tuple(form.getlist("past")), tuple(form.getlist("future")))


def _typed() -> Typed:
    """What stands in the fields of the form. A button that carries a line has it behind the field's own."""
    form = request.form
    line = form.get("line", "")
    unread = line if line.strip() != form.get("shown", "").strip() else ""
    adds = {name.removeprefix("add:"): words for name, words in form.items() if name.startswith("add:")}
    return Typed(unread, {at: words for at, words in adds.items() if words.strip()})


def _after(state: State, typed: Typed) -> tuple[State, Typed]:
    """The next state, and what is typed and was not used up by the step.

    Raises:
        AspectraError: the step or the line cannot be read, or is none that can be done.
    """
    do, _, place = request.form.get("do", "").partition(":")
    if do == "undo":
        return state.back(), typed
    if do == "redo":
        return state.forth(), typed
    if meant := request.form.get("meant", "").strip():  # instead of what stands in the line's field
        services().searcher.understand(meant)
        return state.then(meant), replace(typed, line="")
    lines = request.form.getlist("line") or [""]
    if lines[-1].strip() != state.line.strip() and not do:
        services().searcher.understand(lines[-1])
        if len(lines) > 1:  # a button's, which is not what anybody typed
            return state.then(services().searcher.plainly(lines[-1].strip())), typed
        return state.then(lines[-1].strip()), replace(typed, line="")
    used = (typed.adds if not place else {place}) if do in ("", "add") else ()
    left = replace(typed, adds={at: words for at, words in typed.adds.items() if at not in used})
    try:
        edited = _edited(state.line, do, place)
        return state.then(services().searcher.plainly(write(edited)) if edited else ""), left
    except (ValueError, IndexError):
        raise AspectraError(UNREADABLE) from None


def _previewed(name: str, words: str) -> str:
    """
    Raises:
        AspectraError: it cannot be read, or the engine is away.
        ValueError: there is no such field.
        IndexError: it adds to nothing.
    """
    searcher, shown = services().searcher, request.form.get("shown", "")
    if not words.strip():
        return ""
    understood = searcher.understand(words)
    asked_for(understood)
    alone, _ = searcher.cohort(understood.query, "patient")
    if name == "line":
        return f"{counted(len(alone.patients), 'patient')}, {counted(len(alone.notes), 'note')}"
    whole = added(searcher.understand(shown).query, path_of(name.removeprefix("add:")), understood.query)
    found, _ = searcher.cohort(whole, "patient")
    left = f"{counted(len(found.patients), 'patient')}, {counted(len(found.notes), 'note')}"
    return f"By itself {counted(len(alone.patients), 'patient')}. With it, all in all, {left}."


def _edited(line: str, do: str, place: str) -> Node | None:
    """
    Raises:
        AspectraError: it cannot be done.
        ValueError: it is no step.
        IndexError: there is nothing at the place that it names.
    """
    form, understand = request.form, services().searcher.understand
    query: Node | None = understand(line).query if line else None
    if not do or do == "add":
        if query is not None and not do:
            query = _retimed(_told(query))
        for name, typed in form.items():
            if name.startswith("add:") and typed.strip() and place in ("", name.removeprefix("add:")):
                query = added(query, path_of(name.removeprefix("add:")), understand(typed).query)
        return query
    if query is None:
        raise ValueError(do)
    chosen = sorted(path_of(one) for one in form.getlist("at"))
    if do == "remove":
        return replaced(query, path_of(place), None)
    if do == "negate":
        return negated(query, path_of(place))
    if do == "turn":
        return turned(query, path_of(place))
    if do in ("any", "all"):
        return grouped(query, _ticked(chosen), "any" if do == "any" else "all")
    if do == "move":
        return moved(query, _ticked(chosen, 1), path_of(place))
    if do in ("up", "down"):
        return shifted(query, path_of(place), -1 if do == "up" else 1)
    if do == "put":
        *group, before = path_of(place)
        return moved(query, chosen, tuple(group), before)
    if do == "time":
        # Where only two can be meant nobody has to say which.
        return related(
            query, _ticked(chosen or pair(query)), *Edge("0", form.get("days", ""), form.get("order", "")).bounds()
        )
    if do == "retime":
        return retimed(query, path_of(place), *_edge(place).bounds())
    if do == "same":
        return brought_together(query, _ticked(chosen), When(form.get("by", "")).over)
    if do == "new":
        return timed(query, path_of(place), _when("new", place).over)
    if do == "when":
        return retold(query, path_of(place), _when("when", place).over)
    if do == "number":
        return numbered(query, path_of(place), _amount(place))
    if do == "site":
        return sited(query, path_of(place), _site(place))
    if do == "untime":
        return untimed(query, path_of(place))
    raise ValueError(do)


def _ticked(chosen: Sequence[NodePath], least: int = 2) -> Sequence[NodePath]:
    """
    Raises:
        QueryError: these are too few for what is to be done with them.
    """
    if len(chosen) >= least:
        return chosen
    what = "Nothing is ticked." if not chosen else "Only one is ticked."
    raise QueryError(what, "Tick what is to be moved." if least == 1 else "Tick two or more criteria of one group.")


def _edge(place: str) -> Edge:
    fewest, most, order = (request.form.get(f"{name}:{place}", "").strip() for name in ("fewest", "most", "order"))
    return Edge(fewest, most, order)


def _when(row: str, place: str) -> When:
    """What the fields of ``row`` say: "when" of the operator that stands at ``place``, "new" of one to come."""
    keys = ("kind", "number", "since", "until", "least", "most")
    return When(*(request.form.get(f"{row}-{key}:{place}", "").strip() for key in keys))


def _amount(place: str) -> Amount | None:
    """
    Raises:
        QueryError: what stands in the field is none.
    """
    typed = request.form.get(f"number:{place}", "").strip()
    try:
        return amount_of(typed) if typed else None
    except ValueError as e:
        raise QueryError(str(e), "Write it as > 3, <= 7.5 g/dL or 20-25 %.") from None


def _site(place: str) -> str:
    """
    Raises:
        QueryError: what stands in the field is no place of the body.
    """
    typed = request.form.get(f"site:{place}", "").strip()
    found = site_of(typed) if typed else ""
    if found is None:
        raise QueryError("This is no place of the body that is known.", "Write it as left, knee or right lower lobe.")
    return found


def _told(query: Node) -> Node:
    """With the numbers and sites whose fields say others than they do."""
    for name, typed in request.form.items():
        what, _, place = name.partition(":")
        there = at(query, path_of(place)) if what in ("number", "site") else None
        if not isinstance(there, Finding):
            continue
        if what == "number" and typed.strip() != number_in(there):
            query = numbered(query, path_of(place), _amount(place))
        elif what == "site" and typed.strip() != there.site:
            query = sited(query, path_of(place), _site(place))
    return query


def _retimed(query: Node) -> Node:
    """With the time of everything whose fields say another: Enter in one of them presses no button of its own."""
    named = (name.partition(":") for name in request.form)
    rows = [(path_of(place), row, place) for row, _, place in named if row in TIME_ROWS]
    # The innermost first, since what comes around it moves it; at one place what is there before what is to come.
    for path, row, place in sorted(rows, key=lambda one: (-len(one[0]), TIME_ROWS.index(one[1]))):
        there = at(query, path)
        if row == "order" and isinstance(there, Near) and _edge(place) != Edge.of(there):
            query = retimed(query, path, *_edge(place).bounds())
        if row == "when-kind" and isinstance(there, Timed) and _says_otherwise(_when("when", place), there):
            query = retold(query, path, _when("when", place).over)
        if row == "new-kind" and _when("new", place).kind:
            query = timed(query, path, _when("new", place).over)
    return query


def _says_otherwise(when: When, there: Timed) -> bool:
    """Whether ``when`` makes something else of it; the fields of other kinds than its own do not count."""
    return not isinstance(there, Near) and when.over(all_of(parts(there))) != there


def _page(state: State, typed: Typed, problem: str = "", meant: str = "") -> str:
    asked(state.line, "patient")
    searcher = services().searcher
    if not state.line:
        return render_template("build.html", page=BuilderPage(frame(), state, typed.in_(None), problem, meant))
    understood = searcher.understand(state.line)
    asked_for(understood)
    found, steps = searcher.cohort(understood.query, "patient")

    def count(node: Node) -> tuple[int, int]:
        alone, _ = searcher.cohort(node, "patient")
        return len(alone.units), len(alone.notes)

    root = block(understood, searcher.lexicon(), count)
    about(found=len(found.patients))
    page = BuilderPage(
        frame(),
        state,
        typed.in_(root),
        problem,
        meant,
        said=readable(understood.query),
        root=root,
        steps=step_bars(lefts(steps)),
        patients=len(found.patients),
        notes=len(found.notes),
        aside=tuple(dict.fromkeys(understood.aside)),
        notices=(*understood.notices, *searcher.remarks(found.plan.node)),
        pair=bool(pair(understood.query)),
    )
    return render_template("build.html", page=page)
