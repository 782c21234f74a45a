"""The table of parents in the ledger: which codes stand above which, and which facts must follow a change of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, Engine, delete, insert, select, update

from ingest.ledger.database import one_at_a_time, writing
from ingest.ledger.facts import change_codes
from ingest.ledger.patients import chunks
from ingest.ledger.tables import DELETING, INDEXED, PENDING, code_parents, facts
from search_stack.core.codes import Code, Parents, above, broader, code_name, system_name
from search_stack.core.schema import CodeParent

CodeOutcome = Literal["new", "unchanged", "changed", "circle"]
Place = tuple[str, str, str]
"""System, code and parent: what there is one row of."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What stands in a place; key 0 is a row of this batch, not inserted yet."""

    key: int
    name: str
    state: str


class Codes:
    """Reading and writing of the table. Every change is one transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def put(self, batch: Sequence[CodeParent], run: int) -> list[CodeOutcome]:
        """Take in ``batch``; what became of each row, in order. "changed" is one of another name; "circle" is not taken
        in, for its parent stands below the code, or is the code."""
        if not batch:
            return []
        rows = [_named(row) for row in batch]
        with writing(self._engine) as c:
            one_at_a_time(c)
            parents = _climbed(c, {(r.system, r.parent) for r in rows if r.parent})
            known = _known(c, rows)
            fresh: dict[Place, dict[str, Any]] = {}
            seen: list[int] = []
            outcomes: list[CodeOutcome] = []
            for row in rows:
                code, place = (row.system, row.code), (row.system, row.code, row.parent)
                if row.parent and code in above((row.system, row.parent), parents):
                    outcomes.append("circle")
                    continue
                before = known.get(place)
                outcomes.append(_outcome(row, before))
                if before is None:
                    fresh[place] = _row(row, run)
                elif not before.key:
                    fresh[place]["name"] = row.name
                else:
                    seen.append(before.key)
                    if before.name != row.name:
                        c.execute(update(code_parents).where(code_parents.c.key == before.key).values(name=row.name))
                known[place] = _Known(before.key if before else 0, row.name, PENDING)
                parents[code].add(row.parent)
            if fresh:
                c.execute(insert(code_parents), list(fresh.values()))
            for keys in chunks(seen):
                here = code_parents.c.key.in_(keys)
                c.execute(update(code_parents).where(here, code_parents.c.run < run).values(run=run))
                c.execute(update(code_parents).where(here, code_parents.c.state == DELETING).values(state=PENDING))
        return outcomes

    def retire(self, systems: Collection[str], run: int) -> int:
        """Mark for deletion the rows of ``systems`` that ``run``, and those after it, did not bring; how many."""
        here = (code_parents.c.system.in_(sorted(systems)), code_parents.c.run < run, code_parents.c.state != DELETING)
        with writing(self._engine) as c:
            return int(c.execute(update(code_parents).where(*here).values(state=DELETING)).rowcount)

    def follow(self) -> int:
        """Have the facts written anew that stand below what has changed in the table; how many. Killed before its end,
        it begins anew with the next call."""
        with self._engine.connect() as c:
            if not c.execute(select(code_parents.c.key).where(_moved()).limit(1)).first():
                return 0
        with writing(self._engine) as c:
            one_at_a_time(c)
            moved: defaultdict[str, set[Code]] = defaultdict(set)
            for system, code in c.execute(select(code_parents.c.system, code_parents.c.code).where(_moved())):
                moved[system].add((system, code))
            changed = sum(_follow(c, system, codes) for system, codes in moved.items())
            c.execute(delete(code_parents).where(code_parents.c.state == DELETING))
            c.execute(update(code_parents).where(code_parents.c.state == PENDING).values(state=INDEXED))
        return changed

    def parents(self, codes: Collection[Code]) -> Parents:
        """The table as far as it stands above ``codes``."""
        with self._engine.connect() as c:
            return _climbed(c, codes)


def _moved() -> Any:
    return code_parents.c.state.in_((PENDING, DELETING))


def _named(row: CodeParent) -> CodeParent:
    system = system_name(row.system)
    return CodeParent(system, code_name(system, row.code), code_name(system, row.parent), row.name)


def _known(c: Connection, rows: Iterable[CodeParent]) -> dict[Place, _Known]:
    """What the table has of the codes of ``rows``."""
    by_system: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        by_system[row.system].add(row.code)
    t = code_parents.c
    out: dict[Place, _Known] = {}
    for system, codes in by_system.items():
        for part in chunks(sorted(codes)):
            wanted = select(t.code, t.parent, t.key, t.name, t.state).where(t.system == system, t.code.in_(part))
            out |= {(system, code, parent): _Known(*rest) for code, parent, *rest in c.execute(wanted)}
    return out


def _outcome(row: CodeParent, before: _Known | None) -> CodeOutcome:
    if before is None or before.state == DELETING:
        return "new"
    return "unchanged" if before.name == row.name else "changed"


def _row(row: CodeParent, run: int) -> dict[str, Any]:
    place = {"system": row.system, "code": row.code, "parent": row.parent}
    return {**place, "name": row.name, "run": run, "state": PENDING}


def _climbed(c: Connection, codes: Collection[Code], gone: bool = False) -> defaultdict[Code, set[str]]:
    """The table as far as it stands above ``codes``, by one look a level; with ``gone`` also what is to be deleted."""
    t = code_parents.c
    out: defaultdict[Code, set[str]] = defaultdict(set)
    seen: set[Code] = set()
    level = set(codes)
    while level := level - seen:
        seen |= level
        level = level | {(s, up) for s, code in level for up in broader(s, code)}
        seen |= level
        by_system: defaultdict[str, list[str]] = defaultdict(list)
        for system, code in sorted(level):
            by_system[system].append(code)
        level = set()
        for system, some in by_system.items():
            for part in chunks(some):
                wanted = select(t.code, t.parent).where(t.system == system, t.code.in_(part), t.parent != "")
                for code, parent in c.execute(wanted if gone else wanted.where(t.state != DELETING)):
                    out[system, code].add(parent)
                    level.add((system, parent))
    return out


def _follow(c: Connection, system: str, moved: set[Code]) -> int:
    spelled = {
        code: (system, code_name(system, code))
        for code in c.execute(select(facts.c.code).where(facts.c.system == system).distinct()).scalars()
    }
    parents = _climbed(c, set(spelled.values()), gone=True)
    return change_codes(c, system, [code for code, name in spelled.items() if moved & above(name, parents)])


def counted(outcomes: Iterable[CodeOutcome]) -> Counter[str]:
    """How many rows there were ("codes"), and of which outcome."""
    numbers = Counter(outcomes)
    return Counter({"codes": numbers.total()} | {f"{outcome} codes": n for outcome, n in numbers.items()})
