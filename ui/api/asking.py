"""Understand, suggest, search, and count a cohort. Lines travel in bodies, never in addresses."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pydantic import Field

from search_stack.cohorts.figures import figures
from search_stack.cohorts.rows import Unit
from search_stack.retrieval.answer import Order, Scope
from search_stack.retrieval.searcher import LARGEST_PAGE
from ui.api import answers
from ui.api.blueprints import part
from ui.api.shapes import Asked, Body, Line, UnderstoodLine, shown_by
from ui.seen import asked_for, saw_groups
from ui.services import services

blueprint = part("asking", "What a line means, what it finds, whom it counts.", 400)


class Start(Body):
    model_config = shown_by(start="pleural eff")
    start: str = Field(max_length=300, description="The line as far as it is typed.")


class Search(Asked):
    model_config = shown_by(line="pleural effusion, no pneumothorax", scope="patient", size=5)
    scope: Scope = Field("passage", description="What all criteria must hold in together, and what is counted.")
    page: int = Field(1, ge=1, le=1_000_000)
    size: int = Field(10, ge=1, le=LARGEST_PAGE)
    rerank: bool = True
    order: Order = Field("best", description="By date all that is counted is listed, and nothing that comes close.")


class Cohort(Asked):
    model_config = shown_by(query={"all": [{"finding": "pleural effusion"}, {"finding": "pneumothorax"}]})
    unit: Unit = "patient"


@blueprint.post("/understand", responses={200: UnderstoodLine})
def understand(body: Line) -> dict[str, Any]:
    """How a line is read, as a tree."""
    return services().searcher.understand(body.line).json()


@blueprint.post("/suggest", responses={200: answers.Suggestions})
def suggest(body: Start) -> dict[str, Any]:
    """Lines that go on from what is typed."""
    return {"items": [asdict(c) for c in services().searcher.complete(body.start)]}


@blueprint.post("/search", responses={200: answers.SearchAnswer})
def search(body: Search) -> dict[str, Any]:
    """Passages, notes or patients, the best, newest or oldest first. These orders have no keys, so pages are
    numbered."""
    searcher = services().searcher
    understood = body.understood(searcher, strictly=False)
    asked_for(understood)
    words, paged = understood.words, (body.scope, body.page, body.size)
    answer = searcher.search(understood.query, *paged, body.rerank, words, body.order)
    services().metrics.searched(answer)
    saw_groups(answer.groups)
    return answer.json()


@blueprint.post("/cohorts/run", responses={200: answers.CohortCount})
def run(body: Cohort) -> dict[str, Any]:
    """Exact numbers of patients and notes, after each criterion. Nothing is kept."""
    searcher = services().searcher
    understood = body.understood(searcher)
    asked_for(understood)
    members, steps = searcher.cohort(understood.query, body.unit)
    said = understood.json()
    notices = [*said["notices"], *map(asdict, searcher.remarks(members.plan.node))]
    return {**figures(members, steps), "aside": said["aside"], "notices": notices}
