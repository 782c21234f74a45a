"""Certificates that sign themselves, as tests need them."""

from __future__ import annotations

import datetime
import ipaddress
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.types import CertificateIssuerPrivateKeyTypes
from cryptography.x509.oid import NameOID

HOUR, DAY = datetime.timedelta(hours=1), datetime.timedelta(days=1)
Key = CertificateIssuerPrivateKeyTypes


def write_certificate(
    folder: Path,
    names: tuple[str, ...],
    begins: datetime.timedelta = -HOUR,
    ends: datetime.timedelta = DAY,
    key: Key | None = None,
    passphrase: bytes = b"",
) -> tuple[Path, Path]:
    """Write ``certificate.pem`` and ``certificate.key`` (0600) to ``folder``: for ``names`` and 127.0.0.1, of P-256
    where no other key is given, from ``begins`` to ``ends`` as seen from now. Their paths."""
    key = key or ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    said = [*map(x509.DNSName, names), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + begins)
        .not_valid_after(now + ends)
        .add_extension(x509.SubjectAlternativeName(said), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate, key_file = folder / "certificate.pem", folder / "certificate.key"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    sealed = serialization.BestAvailableEncryption(passphrase) if passphrase else serialization.NoEncryption()
    key_file.touch(0o600)
    key_file.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, sealed))
    return certificate, key_file
