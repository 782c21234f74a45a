"""Questions of viewers: numbers in which nobody stands out, and passages without names."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass

from flask import Blueprint, Response, render_template, request
from markupsafe import Markup

from access.answers import Answers
from search_stack.core.schema import Finding, Hit
from search_stack.disclosure.deidentify import HIDDEN
from search_stack.disclosure.viewing import May, Viewed, viewed, without_names
from search_stack.query.understand import Understood
from search_stack.query.write import readable
from ui.errors import error_page
from ui.frame import Frame, asked, frame
from ui.highlight import marked
from ui.seen import asked_for, saw_note, seen
from ui.services import services
from ui.who import person

blueprint = Blueprint("viewing", __name__)
_RUN = re.compile(f"{HIDDEN}(?:[^\\w<>]*{HIDDEN})*")
"""Hidden words side by side: how many they are, and how long, tells something too."""
DOTS = "•••"


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage without names."""

    type: str
    year: str
    aspect: str
    text: Markup


@dataclass(frozen=True, slots=True)
class ViewingPage:
    frame: Frame
    least: int
    asked: Understood | None = None
    said: str = ""
    """What was understood, in words."""
    answer: Viewed | None = None
    passages: tuple[Shown, ...] = ()


@blueprint.get("/view")
def show() -> str:
    return render_template("viewing.html", page=ViewingPage(frame(), services().settings.least_patients))


@blueprint.post("/view")
def ask() -> str | Response:
    """The answer, at this address: there is no other that would lead to it."""
    known = person()
    if known is None or known.purpose is None:
        return error_page(403)
    line = request.form.get("line", "")
    asked(line)
    found, searcher, least = services(), services().searcher, services().settings.least_patients
    understood = searcher.looked_for(line)
    asked_for(understood)
    told = Answers(found.ledger.engine, known.account, known.purpose, least)
    answer = viewed(searcher, understood.query, told.may_tell, least)
    seen().refused = answer.may is not May.BE_TOLD
    for hit in answer.hits:
        saw_note(hit.note_id, hit.patient_id)
    named, lexicon = searcher.plan(understood.query).named, searcher.lexicon()
    page = ViewingPage(
        frame=frame(),
        least=least,
        asked=understood,
        said=readable(understood.query),
        answer=answer,
        passages=tuple(shown(without_names(hit, lexicon), named) for hit in answer.hits) if lexicon else (),
    )
    return render_template("viewing.html", page=page)


def shown(hit: Hit, named: Container[Finding]) -> Shown:
    """``named`` are the mentions that were asked for."""
    spans = [(b + hit.begin, e + hit.begin) for b, e in hit.highlights]
    text = marked(hit.text, spans, hit.begin, hit.findings, asked=named)
    return Shown(dotted(hit.note_type), hit.date or "", hit.aspect, Markup(dotted(text)))  # noqa: S704  # escaped


def dotted(text: str) -> str:
    """
    >>> dotted(f"seen by {HIDDEN * 3}. {HIDDEN * 7} today")
    'seen by ••• today'
    """
    return _RUN.sub(DOTS, text)
