"""The Celery application: what travels is a claim, never a note."""

from __future__ import annotations

from celery import Celery

from search_stack.settings import Settings

TASK = "aspectra.index"


def make_celery(settings: Settings) -> Celery:
    """The application for ``settings``; its one task takes a claim."""
    app = Celery("aspectra", broker=settings.broker_address)
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
