"""Concepts of what is done with each specialty and service: consulted, sent to, come back to (`services.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from search_stack.language.lexicon.concepts import Concept

FILE = "services.toml"
_CLINIC = "clinic"


def service_concepts() -> tuple[Concept, ...]:
    """A concept for each act of each service.

    >>> next(c.name for c in service_concepts() if c.id == "dermatology-referral")
    'dermatology referral'
    """
    services = table()
    acts: Mapping[str, Any] = services["acts"]
    return tuple(
        _concept(id, service, name, act)
        for id, service in services["services"].items()
        for name, act in acts.items()
        if name in service.get("acts", acts)
    )


@cache
def table() -> dict[str, Any]:
    return tomllib.loads((files("search_stack.language.lexicon") / FILE).read_text(encoding="utf-8"))


def names(service: Mapping[str, Any], act: Mapping[str, Any]) -> Iterator[str]:
    """What the patterns of ``act`` make of the service's names."""
    for it in service["names"]:
        clinic = () if it.endswith(_CLINIC) else act.get(_CLINIC, ())
        for pattern in (act["name"], *act["names"], *clinic):
            yield pattern.format(it=it)


def _concept(id: str, service: Mapping[str, Any], name: str, act: Mapping[str, Any]) -> Concept:
    never = service.get("never", ())
    made = dict.fromkeys((*names(service, act), *service.get("further", {}).get(name, ())))
    return Concept(
        act["id"].format(id=id),
        act["name"].format(it=service["names"][0]),
        act["kind"],
        tuple(_parents(id, service, act)),
        phrases=tuple(phrase for phrase in made if phrase not in never),
    )


def _parents(id: str, service: Mapping[str, Any], act: Mapping[str, Any]) -> Iterator[str]:
    """The act of the wider service, and what every such act is a kind of."""
    if wider := service.get("under"):
        yield act["id"].format(id=wider)
    consulted = "consultation" in service.get("acts", ("consultation",))
    of = service.get("of", f"{id}-consultation-act" if consulted else "")
    yield from filter(None, (parent.format(of=of) for parent in act["below"]))
