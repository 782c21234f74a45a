"""The Flask application."""

from __future__ import annotations

from flask import Flask
from flask_bootstrap import Bootstrap5

from access.audit.trail import Trail
from access.provider import Provider
from ingest.ledger import Ledger
from search_stack.core.client import connect
from search_stack.core.settings import Settings
from search_stack.retrieval.searcher import Searcher
from ui import (
    adjudicating,
    administration,
    arriving,
    audit,
    building,
    cohorts,
    comparing,
    describing,
    errors,
    exporting,
    gate,
    health,
    history,
    keeping,
    limits,
    metrics_page,
    notes,
    patients,
    purposes,
    refusals,
    request_ids,
    reviewing,
    search,
    security,
    signing,
    similar,
    viewing,
    wording,
)
from ui import services as service_registry
from ui.api import describe
from ui.ledger_health import LedgerHealth
from ui.metrics import Metrics
from ui.queries import QueryStore
from ui.services import Services

COHORTS = (cohorts, comparing, keeping, exporting, reviewing, adjudicating)
READING = (search, building, viewing, notes, patients, similar, history)
RUNNING = (arriving, purposes, audit, administration, health, metrics_page, describing)
VIEWS = (*READING, *COHORTS, *RUNNING)


def create_app(settings: Settings, searcher: Searcher | None = None, ledger: Ledger | None = None) -> Flask:
    """The page over ``searcher`` and ``ledger``; where not given, over those of ``settings``.

    The models are loaded here, not at the first request.

    Raises:
        AspectraError: a bundle cannot be loaded, or the ledger is away.
    """
    app = describe.application(__name__)
    app.config["BOOTSTRAP_SERVE_LOCAL"] = True
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters.update(counted=wording.counted, instead_of=wording.instead)
    Bootstrap5(app)
    ledger = ledger or Ledger.from_settings(settings)  # first, because it is what most often cannot be had
    service_registry.install(
        app,
        Services(
            settings=settings,
            searcher=searcher or Searcher.from_settings(settings, ledger),
            ledger=ledger,
            queries=QueryStore(),
            engine=connect(settings),
            health=LedgerHealth(ledger),
            metrics=Metrics(),
            trail=Trail.from_settings(settings, ledger),
            provider=Provider(settings) if settings.oidc_issuer else None,
        ),
    )
    request_ids.install(app)
    refusals.install(app)
    metrics_page.install(app)
    security.secure(app, settings)
    gate.recognise(app)
    limits.install(app, settings)
    gate.guard(app)
    errors.install(app)
    for module in VIEWS:
        app.register_blueprint(module.blueprint)
    describe.register(app)
    signing.limit(app)
    gate.check_table(app)
    return app
