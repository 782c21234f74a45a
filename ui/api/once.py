"""Requests that name themselves by a key, so that the same one, come again, does nothing twice."""

from __future__ import annotations

import hashlib

from flask import request
from pydantic import BaseModel, Field

from ingest.cohorts.records import Request
from ui.services import services


class Idempotent(BaseModel):
    key: str | None = Field(
        None,
        alias="Idempotency-Key",
        pattern=r"^[\x21-\x7e]{1,255}$",
        description="Names this request and no other: the same one again makes nothing new.",
    )

    def request(self) -> Request | None:
        """Of two purposes neither meets the other's keys."""
        purpose = services().ledger.reach.purpose
        key = hashlib.sha256(f"{purpose} {self.key}".encode()).hexdigest() if purpose and self.key else self.key
        return Request(key, body_digest()) if key else None


def body_digest() -> str:
    """SHA-256 of what was sent."""
    return hashlib.sha256(request.get_data()).hexdigest()
