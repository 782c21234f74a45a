"""Structured facts: cohorts over codes, values and notes, hand-checked; and what becomes of them when things break."""

from __future__ import annotations

import json
import random
import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, Literal

import pytest
from opensearchpy.helpers import bulk

from aspectra.stack import down
from aspectra.stack.backlog import backlog_lines
from aspectra.stack.index_checks import index_checks
from ingest.ledger.ledger import now
from ingest.ledger.tables import INDEXED
from ingest.readers import open_source
from ingest.run import Summary, run_ingest
from ingest.work.dispatch import Dispatcher
from ingest.work.fact_writer import delete_fact, fact_targets, index_facts, indexed_fact, rebuild_facts, write_facts
from ingest.work.writer import Writer
from search_stack.cohorts.reading import NoFacts
from search_stack.core.client import connect
from search_stack.core.schema import CodeParent, StructuredFact
from search_stack.core.settings import Settings
from search_stack.index.facts import FACTS_SCHEMA, FactIndexes, facts_body
from search_stack.index.meta import ForeignIndex, IndexMeta
from search_stack.inference.models import Encoder
from search_stack.query.write import readable
from search_stack.retrieval.answer import SCOPES
from search_stack.retrieval.searcher import Searcher
from tests.trees import with_facts
from tests.trees.collection import collection
from tests.trees.indexed import indexed

pytestmark = pytest.mark.engine
NOTES = [
    # patient, day, words
    ("A", "2020-03-01", "A dual chamber pacemaker was implanted."),
    ("A", "2020-05-01", "There is a small left pneumothorax."),
    ("B", "2020-03-01", "The dual chamber pacemaker was implanted today."),
    ("C", "2020-03-01", "There is a left pneumothorax."),
    ("D", "", "There is a small pneumothorax on the left."),
]
FACTS = """patient_id,day,system,code,name,value,unit
A,2020-03-20,ICD-10,I48.91,Atrial fibrillation,,
B,2020-06-20,icd10,I480,Atrial fibrillation,,
C,,icd10,I48,Atrial fibrillation,,
C,2020-01-05,icd10,I49.9,Arrhythmia,,
E,2020-02-02,icd10,I48.1,Atrial fibrillation,,
A,2020-03-02,loinc,718-7,Hemoglobin,7.5,g/dL
A,2020-04-02,loinc,718-7,Hemoglobin,9,g/dL
B,2020-03-02,loinc,718-7,Hemoglobin,75,g/L
C,2020-03-02,loinc,718-77,Something else,1,g/dL
D,2020-03-02,loinc,718-7,Hemoglobin,11,
"""
PEOPLE = "patient_id,sex,birth_date\nA,female,1950-01-01\nB,male,2010-01-01\nC,female,1985-01-01\n"
UNITS: tuple[Literal["note", "patient"], ...] = ("note", "patient")
TREES = 50
"""Of each seed."""
TABLE = "system,code,parent,name\nicd10,I48,I30-I52,\nicd10,I49,I30-I52,\nicd10,I30-I52,,Other heart disease\n"


class World:
    """A stack with notes, and cohorts asked of it as a program would."""

    def __init__(self, place: Any, folder: Path) -> None:
        self.place = place
        self.settings, self.ledger, self.client = place.settings, place.ledger, place.client
        self.indexes = FactIndexes(self.client, self.settings)
        self.searcher = Searcher.from_settings(self.settings, self.ledger)
        self._folder = folder

    def bring(self, content: str, format: str = "facts", name: str = "labs", replace: bool = False) -> Summary:
        path = self._folder / f"{name}.csv"
        path.write_text(content)
        return run_ingest(open_source(path, format), self.ledger, self.settings, replace=replace)

    def patients(self, line: str) -> str:
        """Ids of the cohort of ``line``, side by side."""
        found, _ = self.searcher.cohort(self.searcher.understand(line).query, "patient")
        return "".join(sorted(self.ledger.people.ids(found.patients).values()))

    def told(self, line: str) -> str:
        return " ".join(n.message for n in self.searcher.remarks(self.searcher.understand(line).query))

    def held(self) -> dict[int, tuple[int, tuple[str, ...]]]:
        """Version and codes by key, of all that the index holds."""
        self.indexes.refresh()
        hits = self.client.search(index=self.indexes.alias, body={"size": 1000})["hits"]["hits"]
        assert all(h["_id"] == str(h["_source"]["fact_key"]) for h in hits)
        return {h["_source"]["fact_key"]: (h["_source"]["version"], tuple(h["_source"]["under"])) for h in hits}

    def assert_whole(self, count: int) -> None:
        """``count`` facts are in the ledger, and the index holds them as they are."""
        stored = self.ledger.facts.standing(0, 1000)
        assert set(stored.values()) == {(version, INDEXED) for version, _ in stored.values()}
        assert {k: v for k, (v, _) in self.held().items()} == {k: v for k, (v, _) in stored.items()}
        assert len(stored) == count


@pytest.fixture
def world(empty_stack: Any, make_csv: Callable[..., Path], tmp_path: Path) -> World:
    rows = [{"note_id": str(n), "patient_id": p, "date": d, "text": text} for n, (p, d, text) in enumerate(NOTES)]
    run_ingest(open_source(make_csv(rows)), empty_stack.ledger, empty_stack.settings)
    return World(empty_stack, tmp_path)


def test_cohorts_over_codes_values_and_notes(world: World) -> None:
    with pytest.raises(NoFacts, match="no structured facts"):
        world.patients("fact:icd10:I48")
    done = world.bring(FACTS)
    assert (done.facts, done.new_facts, done.rejected) == (10, 10, 0)
    world.assert_whole(10)
    for line, expected in {
        "fact:icd10:I48": "ABCE",  # E has no note at all
        "fact:icd10:I48.0": "B",
        "fact:icd10:I4": "",  # no level of the codes
        "fact:icd10:I49": "C",
        "fact:loinc:718-7": "ABD",  # 718-77 only begins alike
        "fact:loinc:718-7 <8": "A",
        "fact:loinc:718-7<100": "ABD",
        "fact:loinc:718-7<8g/dL": "A",
        "fact:loinc:718-7<100g/l": "B",
        "fact:loinc:718-7>=9 pneumothorax": "AD",
        "pneumothorax fact:icd10:I48": "AC",
        "pneumothorax -fact:icd10:I48": "D",
        "pneumothorax or fact:icd10:I48": "ABCDE",
        "fact:icd10:I48 after:2020-03": "AB",
        "fact:icd10:I48 WITHIN 30 DAYS AFTER pacemaker": "A",
        "fact:icd10:I48 AFTER pacemaker": "AB",
        "pneumothorax AFTER fact:icd10:I48": "A",
        "AT LEAST 2 DAYS OF fact:loinc:718-7": "A",
        "(FIRST fact:loinc:718-7<10g/dL) BEFORE pneumothorax": "A",
        "patient:C fact:icd10:I48": "C",
    }.items():
        assert world.patients(line) == expected, line
    # In time a fact has its own day, by notes too: it is not any note of its patient.
    for line, count in {
        "pneumothorax WITHIN 60 DAYS AFTER fact:icd10:I48": 1,
        "pacemaker AFTER fact:icd10:I48": 0,
    }.items():
        query = world.searcher.understand(line).query
        assert [len(world.searcher.cohort(query, unit)[0].units) for unit in UNITS] == [count, count], line
    world.bring(PEOPLE, "patients", "people")
    for line, expected in {
        "fact:icd10:I48 (age:<18 OR age:>=65)": "AB",
        "fact:icd10:I48 NOT age:<60": "ACE",  # E's birth is not known, nor the day of C's fact
        "fact:icd10:I48 NOT (sex:male age:<60)": "ACE",
        "fact:icd10:I48 NOT (sex:female age:<60)": "ABCE",
        "fact:icd10:I48 NOT (before:2021 type:letter)": "ABCE",  # nobody can tell a fact's type
        "fact:icd10:I48 NOT (before:2021 patient:B)": "ACE",
    }.items():
        assert world.patients(line) == expected, line
    # What the query does not say is told.
    assert "g/dl (2), " in (told := world.told("fact:loinc:718-7<8"))
    assert all(unit in told for unit in ("g/l (1)", "no unit (1)", "fact:loinc:718-7<8g/dl"))
    assert world.told("fact:loinc:718-7<8g/dL").endswith("were left out.")
    assert world.told("fact:icd10:I48") == ""
    assert "No patient has the code icd10:Z99" in world.told("fact:icd10:Z99")
    assert "systems icd10 and loinc" in world.told("fact:atc:B01")
    assert "It is there as icd10:I48." in world.told("fact:icd9:I48")
    assert "has a value" in world.told("fact:icd10:I48>1")


def test_a_search_lists_and_counts_notes_of_patients_with_a_fact(world: World) -> None:
    world.bring(FACTS)
    for scope in SCOPES:
        both = world.searcher.ask("pneumothorax fact:icd10:I48", scope, rerank=False)
        assert {h.note_id for g in both.groups[: both.counts.of(scope)] for h in g.hits} == {"1", "3"}
        assert (both.counts.passages, both.counts.notes, both.counts.patients) == (2, 2, 2)
        alone = world.searcher.ask("fact:icd10:I48", scope, rerank=False)
        assert {h.note_id for g in alone.groups for h in g.hits} == {"0", "1", "2", "3"}
        assert (alone.counts.notes, alone.counts.patients) == (4, 4 if scope == "patient" else 3)
        assert alone.criteria == (alone.counts.of(scope),)
        assert world.searcher.ask("fact:loinc:718-7<8", scope, rerank=False).notices


def test_the_same_file_again_adds_nothing_and_a_corrected_one_replaces_where_asked_to(world: World) -> None:
    world.bring(FACTS)
    world.bring("patient_id,system,code\nA,icd10,I48.91\n", name="other")
    before = world.held()
    assert (world.bring(FACTS).new_facts, world.held()) == (0, before)
    corrected = FACTS.replace("E,2020-02-02", "D,2020-02-02")
    assert world.bring(corrected).gone_facts == 0
    assert world.patients("fact:icd10:I48.1") == "DE"
    # More than a small share was left out: what is there may be among it.
    done = world.bring(corrected + "A,yesterday,icd10,I10,,,\n", replace=True)
    assert (done.kept_back, done.loud, world.patients("fact:icd10:I48.1")) == (True, True, "DE")
    done = world.bring(corrected, replace=True)
    assert (done.gone_facts, done.loud, world.patients("fact:icd10:I48.1")) == (1, False, "D")
    world.assert_whole(11)  # the other collection's is untouched
    assert world.bring(FACTS).new_facts == 1
    assert world.patients("fact:icd10:I48.1") == "DE"


def condition(id: str, patient: str, code: str, status: str = "confirmed") -> dict[str, Any]:
    coding = {"system": "http://hl7.org/fhir/sid/icd-10", "code": code}
    told = {"resourceType": "Condition", "id": id, "subject": {"reference": f"Patient/{patient}"}}
    return {**told, "verificationStatus": status, "code": {"coding": [coding]}, "onsetDateTime": "2020-04-01"}


def test_a_diagnosis_that_is_taken_back_counts_no_more(world: World, tmp_path: Path) -> None:
    def export(*resources: dict[str, Any]) -> tuple[int, str, str]:
        path = tmp_path / "ward.ndjson"
        path.write_text("".join(json.dumps(one) + "\n" for one in resources))
        return world.place.run("ingest", path, "--format", "fhir")

    export(
        condition("1", "A", "I48"), condition("2", "A", "I48"), condition("3", "B", "I48"), condition("4", "C", "I48")
    )
    assert world.patients("fact:icd10:I48") == "ABC"
    query = world.searcher.understand("pneumothorax fact:icd10:I48").query
    assert len(world.searcher.cohort(query, "patient")[0].patients) == 2
    status, out, errors = export(
        condition("1", "A", "I48", "refuted"),  # another of A's says so still
        condition("3", "B", "I49"),
        condition("4", "C", "I48", "entered-in-error"),
    )
    assert (status, "1 facts: 1 new, 0 unchanged, 3 taken out" in out) == (0, True), (out, errors)
    assert (world.patients("fact:icd10:I48"), world.patients("fact:icd10:I49")) == ("A", "B")
    assert len(world.searcher.cohort(query, "patient")[0].patients) == 1
    world.assert_whole(2)
    # All that an export takes back is told where it brings nothing else.
    status, out, errors = export(condition("2", "A", "I48", "refuted"))
    assert (status, "0 facts: 0 new, 0 unchanged, 1 taken out" in out) == (0, True), (out, errors)
    assert world.patients("fact:icd10:I48") == ""


def test_what_a_server_answers_with_is_read_as_it_is_laid_out(world: World, tmp_path: Path) -> None:
    def answer(type: str, *entries: dict[str, Any]) -> str:
        path = tmp_path / "ward.json"
        path.write_text(json.dumps({"resourceType": "Bundle", "type": type, "entry": entries}, indent=2))
        status, out, errors = world.place.run("ingest", path)
        assert status == 0, (out, errors)
        return str(out)

    def version(number: int, resource: dict[str, Any]) -> dict[str, Any]:
        return {"resource": {**resource, "meta": {"versionId": str(number)}}, "request": {"method": "PUT"}}

    told = [{"resource": condition(str(n), who, "I48")} for n, who in enumerate("ABC")]
    assert "3 facts: 3 new" in answer("searchset", *told)
    assert world.patients("fact:icd10:I48") == "ABC"
    gone = {"request": {"method": "DELETE", "url": "Condition/0/_history/2"}}
    # Of A it is deleted, of B it was refuted and confirmed again, C's is another's.
    out = answer(
        "history",
        gone,
        version(1, condition("0", "A", "I48")),
        version(2, condition("1", "B", "I48", "refuted")),
        version(3, condition("1", "B", "I48")),
        version(2, condition("2", "D", "I48")),
        version(1, condition("2", "C", "I48")),
    )
    assert "3 × older version of a resource in a history" in out
    assert world.patients("fact:icd10:I48") == "BD"
    world.assert_whole(2)


def test_two_ids_of_one_patient_count_once_and_apart_again(world: World, tmp_path: Path) -> None:
    world.bring(FACTS)
    line = "pneumothorax fact:icd10:I48"
    query = world.searcher.understand("pneumothorax").query

    def counted() -> tuple[str, int, int]:
        found = world.searcher.ask("pneumothorax", "patient", rerank=False).counts
        return world.patients(line), len(world.searcher.cohort(query, "patient")[0].patients), found.patients

    assert counted() == ("AC", 3, 3)
    world.bring("patient_id,replaced_by\nC,E\nD,A\n", "merges", "empi")
    assert counted() == ("AE", 2, 2)
    assert world.patients("fact:loinc:718-7") == "AB"
    assert world.patients("patient:D fact:icd10:I48") == world.patients("patient:D pneumothorax") == "A"
    hits = world.searcher.ask("pneumothorax", "passage", rerank=False).groups
    assert {("1", "A"), ("3", "E"), ("4", "A")} <= {(h.note_id, h.patient_id) for g in hits for h in g.hits}
    world.assert_whole(10)
    world.place.assert_whole(5)
    world.bring("patient_id,replaced_by\nD,\n", "merges", "empi")
    assert counted() == ("AE", 3, 3)
    path = tmp_path / "again.csv"
    path.write_text("patient_id,replaced_by\nD,A\nC,\n")
    status, out, errors = world.place.run("ingest", path, "--format", "merges")
    assert (status, "1 patients count as another one now, 1 as themselves again." in out) == (0, True), (out, errors)
    assert counted() == ("AC", 2, 2)


def test_codes_that_an_imported_table_puts_together(world: World) -> None:
    world.bring(FACTS)
    assert world.patients("fact:icd10:I30-I52") == ""
    done = world.bring(TABLE + "icd10,I30-I52,I48.9,\n", "codes")
    assert (done.codes, done.new_codes, done.rejected) == (3, 3, 1)
    assert world.patients("fact:icd10:I30-I52") == "ABCE"
    assert world.patients("fact:icd10:I48") == "ABCE"
    world.assert_whole(10)
    # Facts that come later stand below the table too.
    world.bring("patient_id,system,code\nD,icd10,I49.0\n", name="later")
    assert world.patients("fact:icd10:I30-I52") == "ABCDE"
    before = world.held()
    assert world.bring(TABLE, "codes").new_codes == 0
    assert world.held() == before
    done = world.bring(TABLE.replace("icd10,I48,I30-I52,\n", ""), "codes", replace=True)
    assert (done.gone_codes, world.patients("fact:icd10:I30-I52")) == (1, "CD")


def test_what_was_interrupted_between_ledger_and_index_is_made_up_for(world: World) -> None:
    world.bring(FACTS)
    down(world.settings, ["worker"])  # its own sweep must not be quicker
    ledger, sweep = world.ledger, Dispatcher(world.ledger, world.settings).sweep
    run = ledger.start_run("file", "facts")
    late = [StructuredFact("D", "icd10", f"I48.{n}", date(2021, 1, 1), collection="labs") for n in range(3)]

    ledger.facts.put(late, run)  # killed before anything was written
    sweep()
    assert world.patients("fact:icd10:I48") == "ABCDE"
    world.assert_whole(13)

    ledger.facts.mark_deleting("labs")
    targets = fact_targets(ledger, world.client, world.settings)
    write_facts(ledger.facts.waiting(5), targets, ledger, Writer(world.client, world.settings))  # killed half-way
    ledger.facts.put(late, run)  # and brought back meanwhile
    index_facts(ledger, world.client, world.settings)
    assert world.patients("fact:icd10:I48") == "D"
    world.assert_whole(3)

    ledger.codes.put([CodeParent("icd10", "I48", "heart")], run)  # killed before the facts followed
    sweep()
    assert world.patients("fact:icd10:heart") == "D"

    # A late writer of an earlier version is powerless.
    old = ledger.facts.after(0, 10)
    ledger.codes.retire(["icd10"], run + 1)
    index_facts(ledger, world.client, world.settings)
    write_facts(old, targets, ledger, Writer(world.client, world.settings))
    world.assert_whole(3)

    # A document is lost, another is nobody's.
    key, (version, _) = min(world.held().items())
    Writer(world.client, world.settings).write([delete_fact(targets[0], key, version)])
    stray = {"fact_key": 10_000, "version": 1, "patient_id": "D", "patient_no": 1, "day": 0}
    body = {**stray, "system": "x", "code": "x:1", "under": ["x:1"]}
    world.client.index(index=world.indexes.alias, id="10000", body=body, params={"refresh": "true"})
    found = next(c for c in index_checks(world.settings, deep=True) if c.name == "facts")
    assert "1 are missing, 1 are there and should not be" in found.detail
    sweep()
    world.assert_whole(3)
    assert next(c for c in index_checks(world.settings) if c.name == "facts").remedy == ""

    # The engine has lost all of it.
    world.client.indices.delete(index=world.indexes.versions()[0])
    sweep()
    assert world.patients("fact:icd10:I48") == "D"
    world.assert_whole(3)


def test_a_new_index_is_built_beside_the_old_one(world: World) -> None:
    world.bring(FACTS)
    before = world.indexes.live()
    world.indexes.create(world.ledger.identity)  # of a build that was killed
    name = rebuild_facts(world.ledger, world.client, world.settings)
    assert name != before
    assert world.indexes.versions() == [name]
    world.assert_whole(10)
    assert world.patients("fact:icd10:I48") == "ABCE"


def test_processes_that_make_the_first_index_at_once_make_one(world: World) -> None:
    if live := world.indexes.live():
        world.client.indices.delete(index=live)
    with ThreadPoolExecutor(4) as pool:
        made = set(pool.map(lambda _: FactIndexes(connect(world.settings), world.settings).first("a" * 32), range(4)))
    try:
        assert list(world.client.indices.get_alias(name=world.indexes.alias)) == list(made) == world.indexes.versions()
    finally:
        for name in world.indexes.versions():
            world.client.indices.delete(index=name)


def test_an_index_of_another_ledger_is_refused(world: World) -> None:
    world.bring(FACTS)
    with another_identity(world):
        with pytest.raises(ForeignIndex):
            world.patients("fact:icd10:I48")
        with pytest.raises(ForeignIndex):
            fact_targets(world.ledger, world.client, world.settings)


@contextmanager
def another_identity(world: World) -> Iterator[None]:
    """The index of facts says that it is another ledger's."""
    live = world.indexes.live() or ""
    meta = world.indexes.meta(live)
    world.indexes.say(live, type(meta)("", "f" * 32, meta.schema))
    world.searcher = Searcher.from_settings(world.settings, world.ledger)
    try:
        yield
    finally:
        world.indexes.say(live, meta)


def test_the_commands_say_what_they_did(world: World, tmp_path: Path) -> None:
    path = tmp_path / "labs.csv"
    path.write_text(FACTS + "".join(f"F,2020-01-01,icd10,I{n},,,\n" for n in range(100, 300)) + "F,,icd10,,,,\n")
    status, out, errors = world.place.run("ingest", path, "--format", "facts")
    assert status == 0, errors
    assert "210 facts: 210 new, 0 unchanged, 0 taken out; 1 rejected." in out
    assert "Facts: 210 indexed, 0 waiting, 0 being deleted." in backlog_lines(world.settings, now())
    status, out, errors = world.place.run("cohort", "run", "pneumothorax fact:icd10:I48 fact:loinc:718-7<8", "--json")
    assert status == 0, errors
    told = json.loads(out)
    assert (told["patients"], told["notes"], [n["kind"] for n in told["notices"]]) == (1, 1, ["fact"])
    assert [s["step"] for s in told["attrition"]][1] == "the code icd10:I48"
    status, out, errors = world.place.run("delete", "--collection", "labs", "--yes")
    assert (status, "210 facts deleted." in out) == (0, True), errors
    world.assert_whole(0)


@pytest.mark.parametrize("seed", [1, 2])
def test_random_trees_over_notes_and_facts_are_what_a_look_at_every_row_finds(seed: int, empty_stack: Any) -> None:
    rng = random.Random(seed)
    passages = tuple(collection(rng))
    record = with_facts.Record(passages, tuple(with_facts.on_days_of(passages, with_facts.facts(rng), rng)))
    trees = [with_facts.grow(rng) for _ in range(TREES)]
    telling = 0
    with searched(record, empty_stack.settings, empty_stack.encoder) as searcher:
        for tree in trees:
            found, attrition = searcher.cohort(tree, "patient")
            who, notes = with_facts.evidence(tree, record)
            said = readable(tree)
            assert set(found.units.tolist()) == with_facts.patients(tree, record), said
            assert (set(found.patients.tolist()), set(found.notes.tolist())) == (who, notes), said
            assert [(s.patients, s.notes) for s in attrition] == with_facts.steps(tree, record), said
            telling += 0 < len(who) < 40
    assert telling > TREES / 3


@contextmanager
def searched(record: with_facts.Record, settings: Settings, encoder: Encoder) -> Iterator[Searcher]:
    """A searcher over an index of ``record``'s passages and one of its facts."""
    client, name = connect(settings), f"{settings.index_prefix}-trees-facts-{secrets.token_hex(4)}"
    client.indices.create(index=name, body=facts_body(settings, IndexMeta(schema=FACTS_SCHEMA)))
    documents = [indexed_fact(f.stored(), {}) for f in record.facts]
    bulk(client, [{"_index": name, "_id": d.fact_key, "_source": d.document()} for d in documents], refresh=True)
    known = with_facts.KnownWithFacts(record.passages, 40)

    def make(*arguments: Any, **options: Any) -> Searcher:
        return Searcher(*arguments, **{**options, "known": known, "facts": name})

    try:
        with indexed(record.passages, settings, encoder, make) as searcher:
            yield searcher
    finally:
        client.indices.delete(index=name)
