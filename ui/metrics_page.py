"""The page that Prometheus reads: what was counted, and how ledger and index stand now."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Blueprint, Flask, Response, request
from opensearchpy.exceptions import OpenSearchException
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from ingest.ledger.backlog import oldest_pending
from ingest.ledger.failures import LEDGER_ERRORS
from ingest.work.dispatch import make_queue
from search_stack.core.errors import AspectraError
from search_stack.index.mapping import alias
from search_stack.language.labeller import version_in_use
from ui.health import PATIENCE, engine_state
from ui.services import Services, services

blueprint = Blueprint("metrics", __name__)
INDEX_LABELS = ("index", "schema", "encoder", "ledger")


@blueprint.get("/metrics")
def metrics() -> Response:
    return Response(generate_latest(services().metrics.registry), content_type=CONTENT_TYPE_LATEST)


def install(app: Flask) -> None:
    """Count every answer of ``app``; its services must be there."""
    with app.app_context():
        services().metrics.registry.register(_Now(services()))
    app.after_request(_count)


def _count(response: Response) -> Response:
    services().metrics.answered(request.endpoint, response.status_code)
    return response


class _Now(Collector):
    """What is asked when Prometheus asks; what cannot be had is left out, and ``aspectra_up`` says so."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def collect(self) -> Iterator[GaugeMetricFamily]:
        ledger = self._services.health.state()
        up = GaugeMetricFamily("aspectra_up", "Whether a part answers.", labels=["part"])
        up.add_metric(["engine"], float(engine_state() == "ok"))
        up.add_metric(["ledger"], float(ledger == "ok"))
        yield up
        if ledger == "ok":
            yield from self._backlog()
        yield self._index()
        yield from self._labels()

    def _backlog(self) -> Iterator[GaugeMetricFamily]:
        ledger = self._services.ledger
        try:
            counts, age = ledger.counts(), oldest_pending(ledger.engine)
            held = make_queue(ledger, self._services.settings).waiting()
        except LEDGER_ERRORS:
            return
        notes = GaugeMetricFamily("aspectra_notes", "Notes in the ledger.", labels=["state"])
        for state, number in counts.items():
            notes.add_metric([state], number)
        yield notes
        yield GaugeMetricFamily("aspectra_oldest_pending_seconds", "How long the note first in line has waited.", age)
        yield GaugeMetricFamily("aspectra_claims", "Batches of notes that are claimed.", held)

    def _index(self) -> GaugeMetricFamily:
        """What the live index says of itself in its mapping."""
        info = GaugeMetricFamily("aspectra_index_info", "The index that serves.", labels=INDEX_LABELS)
        patient: dict[str, object] = {"request_timeout": PATIENCE, "ignore_unavailable": "true"}
        try:
            found = self._services.engine.indices.get_mapping(index=alias(self._services.settings), params=patient)
        except OpenSearchException:
            return info
        for name, one in found.items():
            known = one["mappings"].get("_meta", {}) | {"index": name}
            info.add_metric([_scalar(known.get(label)) for label in INDEX_LABELS], 1)
        return info

    def _labels(self) -> Iterator[GaugeMetricFamily]:
        """Passages by the version of their labels, and whether it is the present one."""
        try:
            versions = self._services.searcher.serving.labels()
            lexicon = self._services.searcher.lexicon()
            settings = self._services.settings
            ours = version_in_use(lexicon, settings.lexicon_folder, settings.mentions) if lexicon else ""
        except AspectraError:
            return
        passages = GaugeMetricFamily("aspectra_passages", "Passages by their labels.", labels=["labels", "current"])
        for version, number in versions.items():
            passages.add_metric([version, "yes" if version == ours else "no"], number)
        yield passages


def _scalar(value: object) -> str:
    return str(value) if isinstance(value, str | int) else ""
