"""Which page of a list an address asks for."""

from __future__ import annotations

from typing import Any

from flask import request, url_for

from ui.forms import whole_number
from ui.paging import Paging, paging


def number(field: str, otherwise: int) -> int:
    """What the address gives as ``field``; ``otherwise`` where that is no number."""
    found = whole_number(request.args.get(field, ""), 999_999_999)
    return otherwise if found is None else found


def asked_page(endpoint: str, count: int, size: int, **of: Any) -> Paging:
    """The page that is asked for of ``count`` entries, ``size`` on each; the nearest where there is no such page.

    Args:
        of: what else the addresses of pages hold.
    """
    pages = max(1, -(-count // size))
    return paging(min(max(1, number("page", 1)), pages), pages, lambda page: url_for(endpoint, **of, page=page))
