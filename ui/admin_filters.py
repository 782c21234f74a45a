"""What of the tables of administration an address asks for: kinds, days, names of accounts; nothing of a patient."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from access.roles import Role
from ingest.ledger.runs import Standing, WantedRuns
from search_stack.core.errors import AspectraError

STATES = ("open", "one-time password", "by the provider", "disabled")
"""Of accounts, as `access.accounts.Account.state` has them."""


@dataclass(frozen=True, slots=True)
class WantedPeople:
    """Empty or None where all are."""

    name: str = ""
    """A part of it."""
    role: Role | None = None
    state: str = ""

    def holds(self, name: str, role: Role, state: str) -> bool:
        return self.name in name and self.role in (None, role) and self.state in ("", state)


@dataclass(frozen=True, slots=True)
class Filters:
    runs: WantedRuns = field(default_factory=WantedRuns)
    people: WantedPeople = field(default_factory=WantedPeople)

    @classmethod
    def read(cls, said: Mapping[str, str]) -> Filters:
        """
        Raises:
            AspectraError: a day is none, or a choice is none of ours.
        """
        told = {name: said.get(name, "").strip() for name in ("format", "standing", "since", "until", "name", "role")}
        state = said.get("state", "")
        try:
            since, until = (date.fromisoformat(told[day]) if told[day] else None for day in ("since", "until"))
            standing = Standing(told["standing"]) if told["standing"] else None
            role = Role(told["role"]) if told["role"] else None
        except ValueError:
            raise AspectraError("This cannot be looked for.", "Days are written 2027-03-01.") from None
        return cls(WantedRuns(told["format"], standing, since, until), WantedPeople(told["name"].lower(), role, state))

    def of_runs(self) -> dict[str, str]:
        """As an address says them; nothing that is not asked for."""
        one = self.runs
        told = {"format": one.format, "standing": one.standing, "since": one.since, "until": one.until}
        return {name: str(value) for name, value in told.items() if value}

    def of_people(self) -> dict[str, str]:
        one = self.people
        told = {"name": one.name, "role": one.role, "state": one.state}
        return {name: str(value) for name, value in told.items() if value}

    @property
    def address(self) -> dict[str, str]:
        return self.of_runs() | self.of_people()
