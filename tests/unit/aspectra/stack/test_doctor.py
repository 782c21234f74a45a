from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from aspectra.stack.check import Check
from aspectra.stack.doctor import doctor, heap_bytes
from aspectra.stack.services import NAMES, services
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings
from tests.certificates import DAY, HOUR, write_certificate


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
    settings = Settings(engine_url="https://u:p@search.example:9200", broker_url="amqps://u:p@queue.example//")
    local = {service.name: service.local for service in services(settings)}
    assert local == {"engine": False, "broker": False, "worker": True, "web": True}
    assert [service.address for service in services(settings)][:2] == [
        "https://search.example:9200",
        "amqps://queue.example//",
    ]


def certificate_check(folder: Path, name: str = "certificate", **more: object) -> Check | None:
    settings = Settings(data_dir=folder, engine_url="https://nowhere.invalid", **more)  # type: ignore[arg-type]
    return next((check for check in doctor(settings) if check.name == name), None)


def test_a_certificate_that_ends_soon_is_a_warning(tmp_path: Path) -> None:
    assert certificate_check(tmp_path) is None
    chain, key = write_certificate(tmp_path, ("a.example",), ends=15 * DAY)
    own = {"web_certificate": chain, "web_key": key}
    found = certificate_check(tmp_path, **own)
    assert found
    assert (found.ok, found.remedy, f"{chain} is for a.example until 20" in found.detail) == (True, "", True)
    for ends, words in ((14 * DAY, "13 days"), (DAY + HOUR, "a day"), (HOUR, "hours")):
        write_certificate(tmp_path, ("a.example",), ends=ends)
        found = certificate_check(tmp_path, **own)
        assert found
        assert found.ok
        assert found.remedy
        assert found.detail.endswith(f"it ends in {words}")


@pytest.mark.parametrize(
    ("ends", "ok", "told"),
    [(15 * DAY, True, ""), (14 * DAY, True, "it ends in 13 days"), (-HOUR, False, "which is over")],
)
def test_what_is_shown_to_the_stores_ends_too(tmp_path: Path, ends: timedelta, ok: bool, told: str) -> None:
    chain, key = write_certificate(tmp_path, ("aspectra",), begins=-2 * DAY, ends=ends)
    found = certificate_check(tmp_path, "client certificate", client_certificate=chain, client_key=key)
    assert found
    assert (found.ok, bool(found.remedy)) == (ok, bool(told))
    assert found.detail.endswith(told)
    chain.unlink()
    found = certificate_check(tmp_path, "client certificate", client_certificate=chain, client_key=key)
    assert found
    assert not found.ok
    assert "ASPECTRA_CLIENT_CERTIFICATE" in found.remedy


def test_a_certificate_that_does_not_hold_is_no_warning(tmp_path: Path) -> None:
    chain, key = write_certificate(tmp_path, ("a.example",), begins=-2 * DAY, ends=-HOUR)
    found = certificate_check(tmp_path, web_certificate=chain, web_key=key)
    assert found
    assert not found.ok
    assert "ended on" in found.detail
    write_certificate(tmp_path, ("a.example",))
    found = certificate_check(tmp_path, web_certificate=chain, web_key=key, accounts=True, web_names="b.example")
    assert found
    assert not found.ok
    assert "not for b.example" in found.detail
