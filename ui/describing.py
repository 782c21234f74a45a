"""The API for who reads: what `openapi.json` says, as a page."""

from __future__ import annotations

from typing import cast

from flask import Blueprint, current_app, render_template, request
from flask_openapi3.openapi import OpenAPI

from ui.api_page import ApiPage, topics
from ui.frame import frame
from ui.services import services

blueprint = Blueprint("describing", __name__)


@blueprint.get("/api")
def show() -> str:
    said = cast(OpenAPI, current_app).api_doc
    signed = services().settings.accounts
    told = topics(said, request.host_url.rstrip("/"), signed)
    return render_template("api.html", page=ApiPage(frame(), said["info"]["description"], told, signed))
