"""Addresses as they may be shown."""

from __future__ import annotations

from urllib.parse import urlsplit


def shown(address: str) -> str:
    """``address`` without the user, the password and the parameters that it may hold.

    >>> shown("https://reader:secret@search.example:9200/?token=1")
    'https://search.example:9200/'
    """
    where = urlsplit(address)
    return where._replace(netloc=where.netloc.rpartition("@")[2], query="", fragment="").geturl()
