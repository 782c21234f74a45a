"""The application with its API, and the description of it: /api/v1/openapi.json."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from flask import Request
from flask_openapi3.blueprint import APIBlueprint
from flask_openapi3.models.info import Info
from flask_openapi3.openapi import OpenAPI
from werkzeug.exceptions import BadRequest

from ui.api import asking, exports, problems, records, saving

BLUEPRINTS: tuple[APIBlueprint, ...] = (asking.blueprint, saving.blueprint, exports.blueprint, records.blueprint)
"""`saving` adds to the blueprint of `cohorts`: of two with one path, the later one's description would stand alone."""
ABOUT = """Search, cohorts and notes of this installation. It answers to the names of this machine only, and where
people sign in, to a token: Authorization: Bearer TOKEN. Errors are RFC 9457 problems. Lists are pages by key: "after"
is the "next" of the page before."""


class _Request(Request):
    def get_json(self, force: bool = False, silent: bool = False, cache: bool = True) -> Any:
        try:
            return super().get_json(force, silent, cache)
        except RecursionError:  # brackets without end
            if silent:
                return None
            raise BadRequest from None


def application(name: str) -> OpenAPI:
    app = OpenAPI(
        name,
        info=Info(title="Aspectra", version=version("aspectra"), description=ABOUT),
        doc_ui=False,
        validation_error_status=422,
        validation_error_model=problems.Problem,
        validation_error_callback=problems.invalid,
    )
    app.request_class = _Request
    return app


def register(app: OpenAPI) -> None:
    """Put the API and its description on ``app``."""
    for blueprint in BLUEPRINTS:
        app.register_api(blueprint)

    @app.get(f"{problems.PREFIX}/openapi.json", doc_ui=False)
    def description() -> dict[str, Any]:
        return app.api_doc
