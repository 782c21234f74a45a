"""Which search a page goes on from."""

from __future__ import annotations

from flask import request

from ui.browser import line_of
from ui.frame import asked
from ui.place import Place


def origin() -> tuple[str, Place]:
    """Its line, empty where there is none (any more), and where the reader is in its results."""
    token = request.args.get("from", "")
    line = line_of(token) or ""
    place = Place.read(token if line else "", request.args)
    asked(line, place.scope)
    return line, place
