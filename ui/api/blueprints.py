"""What every part of the API has in common."""

from __future__ import annotations

from flask_openapi3.blueprint import APIBlueprint
from flask_openapi3.models.tag import Tag

from ui.api import problems


def part(name: str, about: str, *statuses: int) -> APIBlueprint:
    """A part called ``name``; ``statuses`` are those that any of its requests may end with, besides 200."""
    return APIBlueprint(
        f"api_{name}",
        __name__,
        url_prefix=problems.PREFIX,
        abp_tags=[Tag(name=name, description=about)],
        abp_responses=problems.documented(401, 403, *statuses, 422, 429, 503),
        operation_id_callback=_operation,
    )


def _operation(*, bp_name: str = "", name: str, path: str, method: str) -> str:
    return name
