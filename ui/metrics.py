"""What the page counts, for Prometheus: numbers and fixed names; no text, no id of a note or patient, no query."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from prometheus_client import CollectorRegistry, Counter, Histogram, Info, ProcessCollector

from search_stack.retrieval.answer import Answer

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper ends, in seconds."""


class Metrics:
    """The counters of one page, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._stages = Histogram(
            "aspectra_search_seconds",
            "Seconds of one stage of a search.",
            ("stage",),
            registry=self.registry,
            buckets=BUCKETS,
        )
        self._requests = Counter(
            "aspectra_requests", "Requests answered.", ("endpoint", "status"), registry=self.registry
        )
        self._errors = Counter("aspectra_errors", "Errors by kind.", ("kind",), registry=self.registry)
        build = Info("aspectra_build", "What runs.", registry=self.registry)
        build.info({"version": _version(), "python": platform.python_version()})
        ProcessCollector(registry=self.registry)

    def searched(self, answer: Answer) -> None:
        for stage, milliseconds in answer.milliseconds.items():
            self._stages.labels(stage).observe(milliseconds / 1000)

    def answered(self, endpoint: str | None, status: int) -> None:
        """``endpoint`` is a name of ours; None, where no page has the address, counts as "none"."""
        self._requests.labels(endpoint or "none", f"{status // 100}xx").inc()

    def failed(self, error: Exception) -> None:
        self._errors.labels(type(error).__name__).inc()


def _version() -> str:
    try:
        return version("aspectra")
    except PackageNotFoundError:
        return ""
