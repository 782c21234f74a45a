from __future__ import annotations

import pytest

from aspectra.stack.doctor import heap_bytes
from aspectra.stack.services import NAMES, services
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings


def test_heap_bytes() -> None:
    assert heap_bytes("512m") == 512 * 1024 * 1024
    assert heap_bytes("2g") == 2 * 1024 * 1024 * 1024


def test_services_come_in_the_order_of_their_start() -> None:
    assert tuple(service.name for service in services(Settings())) == NAMES
    assert [service.name for service in services(Settings(), {"web", "engine"})] == ["engine", "web"]


def test_an_unknown_service_is_named() -> None:
    with pytest.raises(AspectraError, match="kibana"):
        services(Settings(), ["engine", "kibana"])


def test_services_that_the_settings_name_are_not_local() -> None:
    settings = Settings(engine_url="https://u:p@search.example:9200", broker_url="amqp://u:p@queue.example//")
    local = {service.name: service.local for service in services(settings)}
    assert local == {"engine": False, "broker": False, "worker": True, "web": True}
    assert [service.address for service in services(settings)][:2] == [
        "https://search.example:9200",
        "amqp://queue.example//",
    ]
