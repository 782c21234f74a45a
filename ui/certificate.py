"""The page's own certificate: read from its files, and refused with a word of what to do where it would not hold."""

from __future__ import annotations

import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.types import PublicKeyTypes
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

from search_stack.core.errors import AspectraError
from search_stack.core.files import need_private, unreadable

SUITES = "ECDHE+AESGCM:ECDHE+CHACHA20:@SECLEVEL=2"
"""Of TLS 1.2: keys of their own for each connection, and nothing under 112 bits; those of 1.3 are all of that kind."""
CERTIFICATE, KEY = "ASPECTRA_WEB_CERTIFICATE", "ASPECTRA_WEB_KEY"


@dataclass(frozen=True, slots=True)
class Certificate:
    names: tuple[str, ...]
    """Of hosts, as it says; the first part may be ``*``."""
    ends: datetime
    context: ssl.SSLContext
    """For connections that clients make."""


def read(chain: Path, key: Path, names: Iterable[str] = (), at: datetime | None = None) -> Certificate:
    """The certificate of ``chain``, PEM, followed by those between it and its authority, with its ``key``.

    Args:
        names: of the page; it must be for each.
        at: the time that it must hold at; now where not given.

    Raises:
        AspectraError: a file is missing or closed to us, or open to others, or no PEM; the two do not belong
            together; it is over or has not begun; it is for other names.
    """
    own, public = _certificate(chain, CERTIFICATE), _public(key)
    need_private(key, "this key", "chown it to the user that serves the page")
    if public != _bytes(own.public_key()):
        raise AspectraError(
            f"{key}: this key does not belong to the certificate in {chain}.",
            "Put both of one order there; the page's own certificate comes first in its file.",
        )
    found = Certificate(_names(own), own.not_valid_after_utc, _context(chain, key))
    _need_time(chain, own, at or datetime.now(UTC))
    if missing := [name for name in names if not any(_covers(pattern, name) for pattern in found.names)]:
        said = ", ".join(found.names) or "no name of a host"
        raise AspectraError(
            f"{chain}: the certificate is for {said}, and not for {missing[0]}.",
            "Have one made with that name (subjectAltName), or take the name out of ASPECTRA_WEB_NAMES.",
        )
    return found


def ends(chain: Path, variable: str) -> datetime:
    """The end of the first certificate of ``chain``, PEM.

    Args:
        variable: that names the file, for the message.

    Raises:
        AspectraError: it is missing or closed to us, or no PEM.
    """
    return _certificate(chain, variable).not_valid_after_utc


def _read(path: Path, variable: str) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise AspectraError(f"{path}: it is not there.", f"Bring it back, or mend {variable}.") from None
    except OSError as e:
        raise unreadable(path, e, f"Give it to the user that reads it, or mend {variable}.") from e


def _certificate(path: Path, variable: str) -> x509.Certificate:
    """The first, which is its holder's own."""
    try:
        return x509.load_pem_x509_certificates(_read(path, variable))[0]
    except ValueError:
        raise AspectraError(
            f"{path}: no certificate in PEM.", f"Point {variable} to its holder's own and its chain."
        ) from None


def _public(path: Path) -> bytes:
    """What certificates say of the key in ``path``."""
    content = _read(path, KEY)
    try:
        return _bytes(load_pem_private_key(content, None).public_key())
    except TypeError:
        raise AspectraError(
            f"{path}: the key has a passphrase, and nobody is there to type it.",
            f"Write it without: openssl pkey -in {path} -out NEW, and chmod 600 NEW.",
        ) from None
    except (ValueError, UnsupportedAlgorithm):
        raise AspectraError(f"{path}: no private key in PEM.", f"Point {KEY} to the certificate's.") from None


def _bytes(key: PublicKeyTypes) -> bytes:
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def _need_time(path: Path, own: x509.Certificate, at: datetime) -> None:
    if at >= own.not_valid_after_utc:
        raise AspectraError(
            f"{path}: the certificate ended on {own.not_valid_after_utc:%Y-%m-%d %H:%M} UTC.", "Renew it."
        )
    if at < own.not_valid_before_utc:
        raise AspectraError(
            f"{path}: the certificate begins on {own.not_valid_before_utc:%Y-%m-%d %H:%M} UTC only.",
            "Wait for it, or set this machine's clock.",
        )


def _names(own: x509.Certificate) -> tuple[str, ...]:
    """Those that browsers look at: the common name is none of them."""
    try:
        said = own.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    return tuple(name.lower() for name in said.get_values_for_type(x509.DNSName))


def _covers(pattern: str, name: str) -> bool:
    """Whether a certificate for ``pattern`` is one for ``name``, in small letters.

    >>> _covers("*.hospital.example", "aspectra.hospital.example"), _covers("*.hospital.example", "hospital.example")
    (True, False)
    """
    first, _, rest = pattern.partition(".")
    return pattern == name or (first == "*" and "." in rest and name.partition(".")[2] == rest)


def _context(chain: Path, key: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    # Tickets would be sealed with one key for as long as the page runs.
    context.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_TICKET
    context.set_ciphers(SUITES)
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_cert_chain(chain, key)
    except ssl.SSLError as e:
        raise AspectraError(
            f"{chain}: OpenSSL refuses the certificate or one of its chain ({e.reason}).",
            "Have one made with RSA of 3,072 bits or P-256, and SHA-256.",
        ) from None
    return context
