"""The Celery application: what travels is a claim, never a note."""

from __future__ import annotations

import ssl
from typing import Any
from urllib.parse import urlsplit

from celery import Celery
from kombu.connection import Connection

from search_stack.core.settings import Settings

TASK = "aspectra.index"
COHORTS = "aspectra.cohorts"
EXPORTS = "aspectra.exports"


def broker_tls(settings: Settings) -> dict[str, Any] | None:
    """How the broker's certificate is checked, and which is shown to it, in the words of its transport; None for an
    address without TLS."""
    ca = str(settings.broker_ca_file) if settings.broker_ca_file else None
    where = urlsplit(settings.broker_address)
    own = {"certfile": settings.client_certificate, "keyfile": settings.client_key}
    shown = {name: str(path) for name, path in own.items() if path}
    match where.scheme:
        case "rediss":
            # Older releases of redis-py do not look at the name unless asked to.
            checked = {"ssl_cert_reqs": ssl.CERT_REQUIRED, "ssl_check_hostname": True, "ssl_ca_certs": ca}
            return checked | {f"ssl_{name}": path for name, path in shown.items()}
        case "amqps":
            return {"cert_reqs": ssl.CERT_REQUIRED, "server_hostname": where.hostname, "ca_certs": ca, **shown}
    return None


def need_broker(settings: Settings, seconds: float) -> None:
    """
    Args:
        seconds: that it has to answer, twice.

    Raises:
        Exception: it does not; each transport of kombu raises its own.
    """
    where = urlsplit(settings.broker_address)
    # Elsewhere the time to connect is that of the first answer as well.
    options = {"socket_timeout": seconds} if where.scheme.startswith("redis") else {}
    connection: Any = Connection(  # type: ignore[no-untyped-call]  # kombu has no hints
        settings.broker_address, connect_timeout=seconds, ssl=broker_tls(settings), transport_options=options
    )
    try:
        connection.ensure_connection(max_retries=1, interval_start=0, interval_step=0)
    finally:
        connection.release()


def make_celery(settings: Settings) -> Celery:
    """The application for ``settings``: one task takes a claim, the others look for claims themselves."""
    app = Celery("aspectra", broker=settings.broker_address)
    app.conf.broker_use_ssl = broker_tls(settings)
    transport = {"visibility_timeout": settings.visibility_seconds}
    app.conf.update(
        task_serializer="json",
        accept_content=["json"],
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_time_limit=settings.task_seconds,
        task_default_queue="aspectra",
        task_create_missing_queues=True,
        worker_prefetch_multiplier=1,
        worker_send_task_events=False,
        # Whoever reaches the broker could stop workers by a broadcast; we never send one.
        worker_enable_remote_control=False,
        worker_hijack_root_logger=False,
        broker_connection_retry_on_startup=True,
        broker_transport_options=transport,
        result_backend_transport_options=transport,
        visibility_timeout=settings.visibility_seconds,
    )
    if settings.broker_address.startswith("amqp"):
        app.conf.task_default_queue_type = "quorum"
        app.conf.worker_detect_quorum_queues = True
    return app


def send(app: Celery, claim: str) -> None:
    """Hand a claim to whichever worker is free."""
    app.send_task(TASK, args=[claim], retry=False)
