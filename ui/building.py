"""The builder: a question put together by hand, group by group, while the line follows."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request

from search_stack.cohorts.figures import lefts
from search_stack.core.errors import AspectraError
from search_stack.query.edit import added, grouped, moved, negated, related, turned
from search_stack.query.nodes import Node
from search_stack.query.tree import QueryError, replaced
from search_stack.query.write import readable, write
from ui.builder_page import BuilderPage, State, block, path_of
from ui.cohort_page import step_bars
from ui.forms import whole_number
from ui.frame import asked, frame
from ui.seen import asked_for
from ui.services import services

blueprint = Blueprint("building", __name__)
LONGEST_DAYS = 36_500
UNREADABLE = "This step cannot be read. Load the page anew."


@blueprint.get("/build")
def show() -> str:
    return _page(State(""))


@blueprint.post("/build")
def step() -> str | Response:
    """One step, and the question after it. Its text travels in the body, and so do the steps before."""
    form = request.form
    state = State(form.get("shown", ""), tuple(form.getlist("past")), tuple(form.getlist("future")))
    try:
        return _page(_after(state))
    except AspectraError as e:
        return Response(_page(state, f"{e.message} {e.remedy}".strip()), 400)


def _after(state: State) -> State:
    """
    Raises:
        AspectraError: the step or the line cannot be read, or is none that can be done.
    """
    do, _, place = request.form.get("do", "").partition(":")
    if do == "undo":
        return state.back()
    if do == "redo":
        return state.forth()
    *_, line = request.form.getlist("line") or [""]
    if line.strip() != state.line.strip() and not do:
        services().searcher.understand(line)
        return state.then(line.strip())
    try:
        return state.then(_edited(state.line, do, place))
    except (ValueError, IndexError):
        raise AspectraError(UNREADABLE) from None


def _edited(line: str, do: str, place: str) -> str:
    """
    Raises:
        AspectraError: it cannot be done.
        ValueError: it is no step.
        IndexError: there is nothing at the place that it names.
    """
    form, understand = request.form, services().searcher.understand
    query: Node | None = understand(line).query if line else None
    if not do or do == "add":
        for name, typed in form.items():
            if name.startswith("add:") and typed.strip():
                query = added(query, path_of(name.removeprefix("add:")), understand(typed).query)
        return write(query) if query is not None else ""
    if query is None:
        raise ValueError(do)
    chosen = sorted(path_of(one) for one in form.getlist("at"))
    if do == "remove":
        left = replaced(query, path_of(place), None)
        return write(left) if left is not None else ""
    if do == "negate":
        return write(negated(query, path_of(place)))
    if do == "turn":
        return write(turned(query, path_of(place)))
    if do in ("any", "all"):
        return write(grouped(query, chosen, "any" if do == "any" else "all"))
    if do == "move":
        if not chosen:
            raise QueryError("Nothing is chosen.", "Tick what is to be moved.")
        return write(moved(query, chosen, path_of(place)))
    if do == "time":
        return write(related(query, chosen, *_days(form.get("days", ""), form.get("order", ""))))
    raise ValueError(do)


def _days(days: str, order: str) -> tuple[int, int]:
    """From when to when the first lies behind the other.

    Raises:
        QueryError: it is no number of days.
    """
    most = whole_number(days, LONGEST_DAYS)
    if most is None:
        raise QueryError("This is no number of days.", f"Give one from 0 to {LONGEST_DAYS}.")
    return {"after": (0, most), "before": (-most, 0)}.get(order, (-most, most))


def _page(state: State, problem: str = "") -> str:
    asked(state.line, "patient")
    searcher = services().searcher
    if not state.line:
        return render_template("build.html", page=BuilderPage(frame(), state, problem))
    understood = searcher.understand(state.line)
    asked_for(understood)
    found, steps = searcher.cohort(understood.query, "patient")

    def count(node: Node) -> int:
        return len(searcher.cohort(node, "patient")[0].units)

    page = BuilderPage(
        frame(),
        state,
        problem,
        said=readable(understood.query),
        root=block(understood, searcher.lexicon(), count),
        steps=step_bars(lefts(steps)),
        patients=len(found.patients),
        notes=len(found.notes),
        aside=tuple(dict.fromkeys(understood.aside)),
        notices=(*understood.notices, *searcher.of_facts(found.plan.node)),
    )
    return render_template("build.html", page=page)
