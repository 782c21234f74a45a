"""Answers that send the reader on."""

from __future__ import annotations

from flask import Response, redirect


def sent(address: str) -> Response:
    """To ``address``, by GET, whatever was asked."""
    made = redirect(address, 303)
    return Response(made.get_data(), 303, headers=made.headers)
