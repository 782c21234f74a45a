"""Random keys that a client holds and we know only by their digest."""

from __future__ import annotations

import hashlib
import hmac
import secrets


def new_key(prefix: str = "") -> str:
    """256 random bits."""
    return prefix + secrets.token_urlsafe(32)


def digest(key: str) -> str:
    """What is kept of ``key``; a key is random, so that no salt is needed."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def form_key(session: str) -> str:
    """What our own forms carry, and nobody can write who does not know the session's key (HMAC-based token)."""
    return hmac.new(session.encode(), b"aspectra form", hashlib.sha256).hexdigest()
