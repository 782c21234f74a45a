"""How often one client may ask."""

from __future__ import annotations

import math
import time

from flask import Flask, request
from flask_limiter import Limiter

from search_stack.core.settings import Settings
from ui.browser import account_key, browser

UNLIMITED = ("static", "bootstrap.static", "health.alive", "health.health", "metrics.metrics", None)
"""Endpoints that cost little, or that are asked by machines at a set time; None is no page at all."""


def install(app: Flask, settings: Settings) -> None:
    """Count each kind of request of each client, in memory."""
    Limiter(
        _client,
        app=app,
        default_limits=[f"{settings.web_requests_per_minute} per minute"] if settings.web_requests_per_minute else [],
        default_limits_exempt_when=lambda: request.endpoint in UNLIMITED,
        storage_uri="memory://",
    )


def limiter(app: Flask) -> Limiter:
    found: Limiter = next(iter(app.extensions["limiter"]))
    return found


def wait(app: Flask) -> int:
    """Seconds until a client that was refused may ask again."""
    limit = limiter(app).current_limit
    return max(1, math.ceil(limit.reset_at - time.time())) if limit else 1


def _client() -> str:
    return account_key() or browser() or request.remote_addr or "unknown"
