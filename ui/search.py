"""The search page and its results."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, replace

from flask import Blueprint, jsonify, redirect, render_template, request, url_for
from werkzeug.exceptions import BadRequest
from werkzeug.wrappers import Response

from access.accounts import Accounts
from access.audit.entry import Action
from access.audit.trail import Wanted
from access.roles import Right
from search_stack.core.errors import AspectraError
from search_stack.language.labeller import version_in_use
from search_stack.query.nodes import AllOf, Node
from search_stack.query.tree import criteria
from search_stack.retrieval.answer import Answer, Order, Scope
from ui.browser import account_key, browser, line_of, owner
from ui.criteria import filters_early
from ui.errors import error_page
from ui.frame import USUAL, asked, frame, read_scope
from ui.home_page import HomePage
from ui.hues import Lights
from ui.place import FIRST, Place, read_sort
from ui.queries import NOBODY
from ui.results_page import PAGE_SIZE, results_page
from ui.seen import about, asked_for, once_kept, saw_groups, seen
from ui.services import services
from ui.who import may, person
from ui.wording import who

blueprint = Blueprint("search", __name__)
RECENT, LOOKED_AT = 6, 60
"""Lines that the start page offers again, and entries of the trail that are looked through for them."""
TOURED = "aspectra-toured"
"""The cookie of a browser in which the first steps were put away, where nobody signs in; it says nothing else."""
TOURED_SECONDS = 400 * 24 * 60 * 60
"""As long as browsers keep any."""
View = str | Response


@blueprint.get("/")
def home() -> View:
    if may(Right.VIEW):
        return redirect(url_for("viewing.show"), 303)
    scope = request.args.get("scope")
    if "q" in request.args:
        if not may(Right.FIND):
            return error_page(403)
        return _keep(request.args["q"], read_scope(scope))
    asked("", read_scope(scope, USUAL))
    page = HomePage.of(frame(), services().ledger.counts(), _outdated(), _recent(), not (_toured() or _has_asked()))
    return render_template("home.html", page=page)


@blueprint.post("/tour")
def put_tour_away() -> View:
    """The first steps are not shown to this account any more; where nobody signs in, in this browser."""
    answer, known = redirect(url_for("search.home"), 303), person()
    if known and not known.key:  # a token changes nothing of its account
        return error_page(403)
    if known:
        Accounts(services().ledger.engine).put_tour_away(known.account.name)
    else:
        answer.set_cookie(TOURED, "1", max_age=TOURED_SECONDS, httponly=True, samesite="Strict", path="/")
    return answer


def _toured() -> bool:
    known = person()
    return known.account.toured if known else TOURED in request.cookies


@blueprint.post("/search")
def submit() -> View:
    scopes = request.form.getlist("scope")
    first = request.form.get("order") == FIRST
    line, scope = request.form.get("line", ""), read_scope(scopes[-1] if scopes else None)
    if "made" in request.form:
        asked(line, scope)
        line = services().searcher.plainly(line)
    return _keep(line, scope, first, read_sort(request.form.get("sort")), _step_from(line, scope))


@blueprint.get("/results/<token>")
def results(token: str) -> View:
    """A page of the answer: in its final order, or in the first one, which the script asks for, and which is there
    before the cross-encoder has read anything."""
    line, place = line_of(token), Place.read(token, request.args)
    if line is None:
        return error_page(410)
    page = _answered(line, place)
    if place.first:
        notes = frozenset(seen().notes)
        once_kept(lambda: services().queries.told(token, notes))
    return page


@blueprint.get("/results/<token>/reordered")
def reordered(token: str) -> View:
    """The first page in its final order, for the script that has shown it in the first one. The trail is told of the
    notes that this brings up."""
    line, place = line_of(token), Place.read(token, request.args).final
    if line is None:
        return error_page(410)
    return _answered(line, place, services().queries.take_told(token))


def _answered(line: str, place: Place, told: Collection[str] = ()) -> str:
    """``told`` are notes that the trail has of this search."""
    asked(line, place.scope)
    searcher = services().searcher
    understood = searcher.looked_for(line)
    asked_for(understood)
    words = understood.words
    plan = searcher.plan(understood.query, words)
    if not searcher.ranker.reads(plan):
        place = replace(place, first=False)
    paged = (place.scope, place.page, PAGE_SIZE)
    answer = searcher.search(understood.query, *paged, not place.first, words, place.sort, findings=True)
    saw_groups(answer.groups, told)
    about(found=answer.counts.of(place.scope), of=place.scope)
    services().metrics.searched(answer)
    ids = {hit.patient_id for group in answer.groups for hit in group.hits}
    numbers = services().ledger.people.numbers(ids)
    people = _people(sorted(ids)) if place.scope == "patient" else {}
    lights = Lights(plan.named, searcher.sought(understood.query).criteria)
    page = results_page(
        *(frame(), understood, answer, place, lights, searcher.lexicon(), numbers, people),
        lefts=_lefts(understood.query, place.scope, answer),
        patients=_patients(understood.query, place.scope, answer),
        undo=_undo(place.token),
    )
    return render_template("results.html", page=page)


def _patients(query: Node, scope: Scope, answer: Answer) -> int:
    """How many there are to be kept. Where no passage or note shows everything, a patient's notes may do so together,
    as a cohort counts."""
    if answer.counts.of(scope) or scope == "patient":
        return answer.counts.patients
    return len(services().searcher.cohort(query, "patient")[0].patients)


def _lefts(query: Node, scope: Scope, answer: Answer) -> tuple[int, ...]:
    """How many each criterion leaves, one after the other, within all filters, as each is counted by itself. Empty
    where there is one, and of passages, whose criteria stand in one."""
    asked_for = criteria(query)
    if scope == "passage" or len(asked_for) < 2:
        return ()
    if len(asked_for) == 2:
        # The search has counted them: the first by itself, and both.
        return answer.criteria[0], answer.counts.of(scope)
    order, steps_at = filters_early(asked_for)
    _, steps = services().searcher.cohort(AllOf(tuple(order)), scope)
    return tuple(steps[n].notes if scope == "note" else steps[n].patients for n in steps_at)


def _people(ids: Sequence[str]) -> dict[str, str]:
    """Who the patients are, by id."""
    return {one.patient_id: who(one.sex, one.birth_date) for one in services().ledger.listing.patients_called(ids)}


@blueprint.post("/complete")
def complete() -> Response:
    """Names of concepts that go on from what is typed; it travels in the body, never in the address."""
    typed = request.get_json()
    start = typed.get("start") if isinstance(typed, dict) else None
    if not isinstance(start, str):
        raise BadRequest
    return jsonify([asdict(c) for c in services().searcher.complete(start)])


def _outdated() -> int:
    """Passages whose labels are not by the present version and lexicon; 0 where the engine cannot tell now."""
    try:
        lexicon = services().searcher.lexicon()
        labels = services().searcher.serving.labels()
        if lexicon is None:
            return 0
        settings = services().settings
        ours = version_in_use(lexicon, settings.lexicon_folder, settings.mentions)
    except AspectraError:
        return 0
    return sum(n for version, n in labels.items() if version != ours)


def _recent() -> tuple[str, ...]:
    """The last lines that the reader asked on this page for this purpose, each once, the newest first: the audit trail
    has them."""
    known, trail = person(), services().trail
    if known is None or known.purpose is None or not may(Right.FIND):
        return ()
    asked_here = Wanted(person=known.account.name, purpose=known.purpose.code, action=Action.SEARCH)
    found = trail.entries(asked_here, LOOKED_AT)
    lines = (trail.seal.opened(one.entry.query) for one in found if "by" not in one.entry.about)
    return tuple(dict.fromkeys(line for line in lines if line))[:RECENT]


def _has_asked() -> bool:
    """Whether a search of this account, or else of this browser, is kept."""
    account = account_key()
    return services().queries.knows(account) if account else browser() != NOBODY


def _step_from(line: str, scope: Scope) -> tuple[str, str] | None:
    """The search on whose page the reader asked this, and its scope; none where it is the same."""
    token, shown = request.form.get("from", ""), read_scope(request.form.get("from-scope"))
    before = line_of(token)
    if before == line and shown == scope:
        return services().queries.before(token)
    return None if before is None else (token, shown)


def _undo(token: str) -> str:
    """Address of the search before the reader's last step; empty where there is none (any more)."""
    token, scope = services().queries.before(token) or ("", "")
    return Place(token, read_scope(scope)).results() if line_of(token) is not None else ""


def _keep(
    line: str, scope: Scope, first: bool = False, sort: Order = "best", before: tuple[str, str] | None = None
) -> Response:
    """Send the reader to the results of ``line``, its text left behind on the server; in the first order where it is
    asked for, and another will follow."""
    asked(line, scope)
    searcher = services().searcher
    understood = searcher.looked_for(line)
    first = first and sort == "best" and searcher.ranker.reads(searcher.plan(understood.query, understood.words))
    token = services().queries.put(line, owner(), before)
    return redirect(Place(token, scope, first=first, sort=sort).results(), 303)
