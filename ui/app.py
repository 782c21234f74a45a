"""The Flask application."""

from __future__ import annotations

from flask import Flask
from flask_bootstrap import Bootstrap5

from ingest.ledger import Ledger
from search_stack.client import connect
from search_stack.searcher import Searcher
from search_stack.settings import Settings
from ui import errors, health, notes, search, security, wording
from ui import services as service_registry
from ui.queries import QueryStore
from ui.services import Services


def create_app(settings: Settings, searcher: Searcher | None = None, ledger: Ledger | None = None) -> Flask:
    """The page over ``searcher`` and ``ledger``; where not given, over those of ``settings``.

    The models are loaded here, not at the first request.

    Raises:
        AspectraError: a bundle cannot be loaded, or the ledger is away.
    """
    ledger = ledger or Ledger.from_settings(settings)
    app = Flask(__name__)
    app.config["BOOTSTRAP_SERVE_LOCAL"] = True
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters["counted"] = wording.counted
    Bootstrap5(app)
    service_registry.install(
        app,
        Services(
            settings=settings,
            searcher=searcher or Searcher.from_settings(settings, ledger),
            ledger=ledger,
            queries=QueryStore(),
            engine=connect(settings),
        ),
    )
    security.secure(app)
    errors.install(app)
    for blueprint in (search.blueprint, notes.blueprint, health.blueprint):
        app.register_blueprint(blueprint)
    return app
