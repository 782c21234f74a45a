"""Addresses of other services: as they may be shown, and whether what goes there can be read on the way."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path
from urllib.parse import SplitResult, parse_qs, quote, urlencode, urlsplit

_PLAIN = ("http", "redis", "valkey", "amqp", "pyamqp")
"""Schemes of which the one with TLS is another."""
_POSTGRESQL = ("postgresql", "postgres")
_ENCRYPTED = ("require", "verify-ca", "verify-full")
"""Of libpq's ``sslmode``: the others may go without."""


def shown(address: str) -> str:
    """``address`` without the user, the password and the parameters that it may hold.

    >>> shown("https://reader:secret@search.example:9200/?token=1")
    'https://search.example:9200/'
    """
    where = urlsplit(address)
    return where._replace(netloc=where.netloc.rpartition("@")[2], query="", fragment="").geturl()


def with_password(address: str, password: str) -> str:
    """``address`` with ``password``, where it leads to a host and has none yet; several may be parted by semicolons.

    >>> with_password("rediss://queue.example/0", "a/b")
    'rediss://:a%2Fb@queue.example/0'
    """
    return ";".join(_with_password(one, password) for one in address.split(";")) if password else address


def with_certificate(address: str, certificate: Path, key: Path) -> str:
    """``address`` with the files that libpq shows to PostgreSQL, where it names none itself.

    >>> with_certificate("postgresql://db.example/a?sslmode=verify-full", Path("/c.pem"), Path("/k.pem"))
    'postgresql://db.example/a?sslmode=verify-full&sslcert=%2Fc.pem&sslkey=%2Fk.pem'
    """
    where = urlsplit(address)
    if where.scheme.partition("+")[0] not in _POSTGRESQL or "sslcert" in parse_qs(where.query):
        return address
    files = urlencode({"sslcert": certificate, "sslkey": key})
    return where._replace(query=f"{where.query}&{files}" if where.query else files).geturl()


def _with_password(address: str, password: str) -> str:
    where = urlsplit(address)
    user, _, host = where.netloc.rpartition("@")
    if not host or ":" in user:
        return address
    return where._replace(netloc=f"{user}:{quote(password, safe='')}@{host}").geturl()


def in_clear(address: str) -> bool:
    """Whether ``address`` leads to another machine without TLS: of HTTP, brokers and PostgreSQL; several may be parted
    by semicolons.

    >>> in_clear("redis://:secret@queue.example/0"), in_clear("rediss://queue.example/0"), in_clear("redis://[::1]/0")
    (True, False, False)
    """
    return any(map(_in_clear, address.split(";")))


def _in_clear(address: str) -> bool:
    try:
        where = urlsplit(address)
        options = parse_qs(where.query)
        hosts = _hosts(where, options)
    except ValueError:
        return False  # no address at all: that is said elsewhere
    scheme = where.scheme.partition("+")
    if scheme[0] in _POSTGRESQL:
        plain = options.get("sslmode", [""])[-1] not in _ENCRYPTED
    else:
        plain = scheme[0] in _PLAIN and scheme[2] != "socket"
    return plain and not all(map(_here, hosts))


def _hosts(where: SplitResult, options: dict[str, list[str]]) -> list[str]:
    """As libpq reads them, those of the parameters win."""
    said = [host for value in options.get("host", []) for host in value.split(",")]
    return said or [where.hostname or ""]


def _here(host: str) -> bool:
    """Whether ``host`` is this machine, or a socket in its files."""
    try:
        return host in ("", "localhost") or host.startswith("/") or ip_address(host).is_loopback
    except ValueError:
        return False
