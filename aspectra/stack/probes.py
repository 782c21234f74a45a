"""Questions to a port of this machine."""

from __future__ import annotations

import errno
import http.client
import socket
import ssl
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from search_stack.core.addresses import shown as shown
from search_stack.core.errors import AspectraError


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    """HTTP status; 0 where what answered does not speak HTTP, or is not who it should be."""
    body: bytes = b""


def get(
    address: str, path: str, timeout: float = 5.0, certificate: Path | None = None, name: str = ""
) -> Answer | None:
    """What an HTTP GET brings; None where nothing answers in ``timeout`` seconds. No proxy is asked.

    Args:
        certificate: over https, the one that must answer; whatever names it has.
        name: of the host, where the address does not say it.
    """
    where = urlsplit(address)
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=timeout)
    try:
        if certificate:
            connection = http.client.HTTPSConnection(
                where.hostname or "", where.port, timeout=timeout, context=_trusting(certificate)
            )
        connection.request("GET", path, headers={"Host": name} if name else {})
        response = connection.getresponse()
        return Answer(response.status, response.read())
    except (ssl.SSLEOFError, ssl.SSLZeroReturnError):
        return None
    except ssl.SSLError:
        return Answer(0)
    except http.client.HTTPException as e:
        # A server that hangs up without a word is one that is starting or stopping.
        return None if isinstance(e, http.client.RemoteDisconnected) else Answer(0)
    except OSError:
        return None
    finally:
        connection.close()


def _trusting(certificate: Path) -> ssl.SSLContext:
    """That certificate and no other, whoever signed it.

    Raises:
        OSError: it cannot be read.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.load_verify_locations(certificate)
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return context


def port_problem(port: int, host: str = "127.0.0.1") -> str:
    """Why a server cannot listen on ``port`` of ``host``; empty where it can."""
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except OSError as e:
            if e.errno == errno.EADDRINUSE:
                return f"port {port} on {host} is taken by another program"
            return f"port {port} on {host} cannot be used: {e.strerror}"
    return ""


def need_port(port: int, variable: str, host: str = "127.0.0.1") -> None:
    """
    Raises:
        AspectraError: the port is not free; the remedy names the ``variable`` that changes it.
    """
    if problem := port_problem(port, host):
        raise AspectraError(f"{problem[0].upper()}{problem[1:]}.", f"Stop that program, or set {variable}.")
