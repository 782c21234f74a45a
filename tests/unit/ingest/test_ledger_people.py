"""What the ledger knows of patients: numbers, sex, ages and encounters."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, select, text

from ingest.ledger import Ledger, StoredNote, known
from ingest.ledger.database import MIGRATIONS, open_database, writing
from ingest.ledger.move import move
from ingest.ledger.queue import Queue
from ingest.ledger.tables import notes, patients
from search_stack.cohorts.rows import NO_NOTE, UNDATED, Ints, Rows
from search_stack.core.schema import Note, Patient, Person

DAY = date(2020, 6, 15)


def note(note_id: str, patient_id: str, day: date | None = DAY, age: int | None = None, **told: object) -> Note:
    made = Note(note_id, f"Text of {note_id}.", patient_id, date=day, collection="c", age=age)
    return replace(made, **told)  # type: ignore[arg-type]  # checked by what is told


def put(ledger: Ledger, *batch: Note) -> list[str]:
    """Put notes in a run of their own."""
    return list(ledger.put(batch, ledger.start_run("file", "csv")))


def told(ledger: Ledger, patient_id: str, sex: str = "", birth: date | None = None, death: date | None = None) -> int:
    """How many are known better."""
    return ledger.learn([Patient(patient_id, Person(sex, birth, death))])["told"]


def known_of(ledger: Ledger, patient_id: str) -> tuple[str, date | None, date | None]:
    wanted = select(patients.c.sex, patients.c.birth_date, patients.c.death_date)
    with ledger.engine.connect() as c:
        row = c.execute(wanted.where(patients.c.patient_id == patient_id)).one()
    return row.sex, row.birth_date, row.death_date


def ages(ledger: Ledger) -> dict[str, int | None]:
    with ledger.engine.connect() as c:
        return {r.note_id: r.age for r in c.execute(select(notes.c.note_id, notes.c.age))}


def keys(ledger: Ledger) -> dict[str, int]:
    with ledger.engine.connect() as c:
        return {r.note_id: r.key for r in c.execute(select(notes.c.note_id, notes.c.key))}


def stored(ledger: Ledger, note_id: str) -> StoredNote:
    return next(s for s in ledger.after(0, 1000) if s.note.note_id == note_id)


def ints(*values: int) -> Ints:
    return np.array(values, dtype=np.int64)


def since_1970(day: date) -> int:
    return (day - date(1970, 1, 1)).days


# Numbers


def test_a_patient_has_one_number_in_whatever_run_and_collection(ledger: Ledger) -> None:
    put(ledger, note("n1", "p2"), note("n2", "p1"), note("n3", "p2"))
    put(ledger, note("n4", "p3"), note("n5", "p1", collection="other"))
    numbers = {s.note.note_id: s.patient_no for s in ledger.after(0, 10)}
    assert numbers == {"n1": 1, "n2": 2, "n3": 1, "n4": 3, "n5": 2}
    assert ledger.people.numbers(["p1", "p2", "nobody"]) == {"p1": 2, "p2": 1}
    assert ledger.people.ids(ints(1, 2, 3, 99)) == {1: "p2", 2: "p1", 3: "p3"}


def test_a_number_is_kept_for_a_patient_whose_notes_went(ledger: Ledger) -> None:
    put(ledger, note("n1", "p1"), note("n2", "p2"))
    ledger.mark_deleting(["n2"])
    ledger.remove(ledger.deleting(10))
    put(ledger, note("n3", "p3"), note("n4", "p2"))
    assert ledger.people.numbers(["p1", "p2", "p3"]) == {"p1": 1, "p2": 2, "p3": 3}


def test_a_number_is_never_given_again(ledger: Ledger) -> None:
    put(ledger, note("n1", "p1"), note("n2", "p2"))
    with writing(ledger.engine) as c:
        c.execute(patients.delete().where(patients.c.patient_id == "p2"))
    put(ledger, note("n3", "p3"))
    assert ledger.people.numbers(["p3"])["p3"] > 2


def test_a_note_that_goes_to_another_patient_takes_that_number(ledger: Ledger) -> None:
    put(ledger, note("n1", "p1"))
    assert put(ledger, note("n1", "p2")) == ["changed"]
    assert stored(ledger, "n1").patient_no == ledger.people.numbers(["p2"])["p2"]


def test_more_patients_than_one_statement_takes(ledger: Ledger) -> None:
    put(ledger, *(note(f"n{i}", f"p{i}") for i in range(1200)))
    names = ledger.people.ids(ints(*range(1, 1201)))
    assert names == {i + 1: f"p{i}" for i in range(1200)}
    assert len(ledger.people.numbers(names.values())) == 1200


# What is told


def test_what_is_told_is_kept_and_what_is_not_told_stays(ledger: Ledger) -> None:
    put(ledger, note("n1", "p1", person=Person("female", date(1950, 1, 2))))
    assert known_of(ledger, "p1") == ("female", date(1950, 1, 2), None)
    assert told(ledger, "p1") == 0
    assert put(ledger, note("n2", "p1")) == ["new"]
    assert known_of(ledger, "p1") == ("female", date(1950, 1, 2), None)
    assert told(ledger, "p1", "male", death=date(2021, 3, 4)) == 1
    assert known_of(ledger, "p1") == ("male", date(1950, 1, 2), date(2021, 3, 4))
    assert told(ledger, "p1", "male", date(1951, 1, 2)) == 1
    assert known_of(ledger, "p1") == ("male", date(1951, 1, 2), date(2021, 3, 4))


def test_what_one_note_tells_is_not_lost_to_another_of_the_same_batch(ledger: Ledger) -> None:
    put(ledger, note("n1", "p1", person=Person("female", date(1950, 1, 2))), note("n2", "p1"))
    assert known_of(ledger, "p1") == ("female", date(1950, 1, 2), None)


def test_rows_of_one_patient_add_up(ledger: Ledger) -> None:
    ledger.learn([Patient("p1", Person("female")), Patient("p1", Person("", date(1950, 1, 2)))])
    assert known_of(ledger, "p1") == ("female", date(1950, 1, 2), None)


def test_learning_says_how_many_and_of_whom_there_is_no_note(ledger: Ledger) -> None:
    put(ledger, note("n1", "p1"))
    batch = [Patient("p1", Person("female")), Patient("p2", Person("male")), Patient("p3", Person())]
    assert ledger.learn(batch) == {"patients": 3, "told": 2, "without notes": 2}
    assert ledger.learn(batch) == {"patients": 3, "told": 0, "without notes": 2}
    assert not ledger.learn([])
    put(ledger, note("n2", "p2"))
    assert stored(ledger, "n2").patient_no == ledger.people.of_sex("male")[0]


def test_every_change_of_what_is_known_counts_up(ledger: Ledger) -> None:
    put(ledger, note("n1", "p1"))
    assert ledger.people.generation() == 0
    told(ledger, "p1", "female")
    assert ledger.people.generation() == 1
    told(ledger, "p1", "female")
    put(ledger, note("n1", "p1", person=Person("female")))
    assert ledger.people.generation() == 1
    put(ledger, note("n1", "p1", person=Person("female", date(1950, 1, 2))))
    assert ledger.people.generation() == 2


def test_sexes_and_ages_that_were_read_once_follow_every_change(ledger: Ledger) -> None:
    """The same object is asked before and after: what it keeps must not outlive what it stands for."""
    people = ledger.people

    def now() -> tuple[dict[str, list[int]], list[int], list[int]]:
        return people.by_sex(), people.at_age(50, 59), people.at_age(None, None)

    assert now() == ({}, [], [])
    put(ledger, note("n1", "p1", day=date(2000, 6, 1), person=Person("female", date(1950, 1, 2))))
    assert now() == ({"female": [1]}, [1], [1])
    put(ledger, note("n2", "p1", day=date(1990, 6, 1)))  # A new note, and nothing new of the patient.
    assert now() == ({"female": [1]}, [1], [1, 2])
    put(ledger, note("n2", "p1", day=date(2001, 6, 1)))  # A note that was there, on another day.
    assert now() == ({"female": [1]}, [1, 2], [1, 2])
    told(ledger, "p1", "male", date(1930, 1, 2))
    assert now() == ({"male": [1]}, [], [1, 2])


# Ages


@pytest.mark.parametrize(
    ("born", "day", "age"),
    [
        (date(1980, 6, 15), date(2020, 6, 15), 40),
        (date(1980, 6, 15), date(2020, 6, 14), 39),
        (date(1980, 6, 15), date(2020, 7, 1), 40),
        (date(1980, 12, 31), date(2020, 1, 1), 39),
        (date(2000, 2, 29), date(2021, 2, 28), 20),
        (date(2000, 2, 29), date(2021, 3, 1), 21),
        (date(2000, 2, 29), date(2020, 2, 29), 20),
        (date(1999, 2, 28), date(2020, 2, 29), 21),
        (date(1899, 5, 1), date(1969, 4, 30), 69),
        (date(2020, 6, 15), date(2020, 6, 15), 0),
    ],
)
def test_the_age_at_a_note_and_at_a_fact_by_the_birth_date(ledger: Ledger, born: date, day: date, age: int) -> None:
    put(ledger, note("n1", "p1", day))
    assert ages(ledger) == {"n1": None}
    told(ledger, "p1", birth=born)
    assert ages(ledger) == {"n1": age}
    key = keys(ledger)["n1"]
    at = since_1970(day)
    assert ledger.people.ages(Rows.of([1, 1], [at, at], [key, NO_NOTE])).tolist() == [age, age]


def test_the_birth_date_wins_over_the_age_that_a_note_gives(ledger: Ledger) -> None:
    put(ledger, note("n1", "p1", age=77), note("n2", "p1", None, 12), note("n3", "p2", age=33))
    assert ages(ledger) == {"n1": 77, "n2": 12, "n3": 33}
    told(ledger, "p1", birth=date(1980, 1, 1))
    assert ages(ledger) == {"n1": 40, "n2": 12, "n3": 33}
    told(ledger, "p1", birth=date(1981, 1, 1))
    assert ages(ledger) == {"n1": 39, "n2": 12, "n3": 33}
    put(ledger, note("n4", "p1", date(2021, 1, 1), 5))
    assert ages(ledger)["n4"] == 40
    assert stored(ledger, "n4").note.age == 5


def test_a_birth_date_in_a_note_counts_for_all_notes_of_its_patient(ledger: Ledger) -> None:
    put(ledger, note("n1", "p1"))
    put(ledger, note("n2", "p1", person=Person(birth_date=date(1980, 1, 1))))
    assert ages(ledger) == {"n1": 40, "n2": 40}


def test_a_changed_age_or_encounter_is_kept_and_the_note_stays_indexed(ledger: Ledger) -> None:
    first = note("n1", "p1", age=50, encounter_id="e1")
    put(ledger, first)
    queue = Queue(ledger, 10, 60, 5)
    queue.finish([(s, 2) for s in queue.begin(queue.claim() or "")])
    other = replace(first, age=51, encounter_id="e2")
    assert put(ledger, other) == ["unchanged"]
    found = stored(ledger, "n1")
    assert (found.state, found.version, found.note) == ("indexed", 1, other)
    assert ages(ledger) == {"n1": 51}
    assert ledger.counts()["pending"] == 0


def test_an_age_and_an_encounter_that_are_not_told_stay(ledger: Ledger) -> None:
    first = note("n1", "p1", age=50, encounter_id="e1")
    put(ledger, first)
    assert put(ledger, replace(first, age=None, encounter_id="")) == ["unchanged"]
    assert (stored(ledger, "n1").note, ages(ledger)) == (first, {"n1": 50})
    assert put(ledger, replace(first, age=0, encounter_id="")) == ["unchanged"]
    assert (stored(ledger, "n1").note.encounter_id, ages(ledger)) == ("e1", {"n1": 0})


def test_another_collection_changes_no_age_and_no_encounter(ledger: Ledger) -> None:
    first = note("n1", "p1", age=50, encounter_id="e1")
    put(ledger, first)
    other = replace(first, collection="other", age=77, encounter_id="e2", person=Person("female"))
    assert put(ledger, other) == ["unchanged"]
    assert (stored(ledger, "n1").note, ages(ledger)) == (first, {"n1": 50})
    assert known_of(ledger, "p1") == ("female", None, None)  # a patient is the same in every collection


def test_nothing_is_learnt_from_a_record_that_is_rejected(ledger: Ledger) -> None:
    born = date(1950, 1, 2)
    put(ledger, note("n1", "p1", person=Person("female", born)))
    foreign = note("n1", "p1", text="Other.", collection="other", person=Person("male", date(1930, 1, 2)))
    assert put(ledger, foreign) == ["foreign"]
    twice = note("n2", "p1"), note("n2", "p1", text="Other.", person=Person("male"))
    assert put(ledger, *twice) == ["new", "duplicate"]
    assert (known_of(ledger, "p1"), ledger.people.generation()) == (("female", born, None), 1)


# What cohorts ask


def test_who_is_of_a_sex(ledger: Ledger) -> None:
    assert ledger.people.of_sex("female") == []
    ledger.learn([Patient(f"p{i}", Person(sex)) for i, sex in enumerate(("female", "male", "", "female"))])
    assert sorted(ledger.people.of_sex("female")) == [1, 4]
    assert ledger.people.of_sex("male") == [2]
    assert ledger.people.of_sex("intersex") == []
    assert {sex: sorted(of) for sex, of in ledger.people.by_sex().items()} == {"female": [1, 4], "male": [2]}


@pytest.mark.parametrize(
    ("least", "most", "expected"),
    [(None, None, {0, 17, 18, 90}), (18, None, {18, 90}), (None, 17, {0, 17}), (17, 18, {17, 18}), (91, None, set())],
)
def test_which_notes_are_of_an_age(ledger: Ledger, least: int | None, most: int | None, expected: set[int]) -> None:
    put(ledger, *(note(f"n{age}", f"p{age}", age=age) for age in (0, 17, 18, 90, None)))
    by_key = {key: name for name, key in keys(ledger).items()}
    assert {by_key[k] for k in ledger.people.at_age(least, most)} == {f"n{age}" for age in expected}


def test_a_note_before_the_birth_date_is_of_no_age(ledger: Ledger) -> None:
    put(ledger, note("n1", "p1"), note("n2", "p1", age=7))
    told(ledger, "p1", birth=date(2022, 1, 1))
    assert ages(ledger) == {"n1": None, "n2": 7}
    at, key = since_1970(DAY), keys(ledger)["n1"]
    assert ledger.people.ages(Rows.of([1, 1], [at, at], [key, NO_NOTE])).tolist() == [-1, -1]
    assert ledger.people.at_age(None, 6) == []


@pytest.mark.parametrize("few", [0, known.FEW])
def test_ages_and_encounters_of_rows(ledger: Ledger, monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    monkeypatch.setattr(known, "FEW", few)  # whether by key or by the whole column
    put(
        ledger,
        note("n1", "p1", age=50, encounter_id="e1"),
        note("n2", "p1", encounter_id="e2"),
        note("n3", "p2", age=7, encounter_id="e1"),
        note("n4", "p3", None),
    )
    told(ledger, "p3", birth=date(1950, 1, 1))
    key = keys(ledger)
    day = since_1970(DAY)
    rows = Rows.of(
        [1, 1, 2, 3, 3, 3, 1],
        [day, day, day, UNDATED, day, UNDATED, day],
        [key["n1"], key["n2"], key["n3"], key["n4"], NO_NOTE, NO_NOTE, NO_NOTE],
    )
    ages_found = ledger.people.ages(rows).tolist()
    columns = (rows.patient.tolist(), rows.day.tolist(), rows.note.tolist())
    found = dict(zip(zip(*columns, strict=True), ages_found, strict=True))
    assert found == {
        (1, day, key["n1"]): 50,
        (1, day, key["n2"]): -1,
        (2, day, key["n3"]): 7,
        (3, UNDATED, key["n4"]): -1,
        (3, day, NO_NOTE): 70,
        (3, UNDATED, NO_NOTE): -1,
        (1, day, NO_NOTE): -1,
    }
    asked = ints(key["n3"], key["n2"], key["n1"], key["n4"], NO_NOTE, key["n1"], 999_999)
    third, second, first, none, fact, again, unknown = ledger.people.encounters(asked).tolist()
    assert first == third == again >= 0
    assert second >= 0
    assert second != first
    assert none == fact == unknown == -1
    assert ledger.people.ages(Rows.of([], [], [])).tolist() == ledger.people.encounters(ints()).tolist() == []


def test_an_encounter_has_one_number_within_an_answer(ledger: Ledger) -> None:
    put(ledger, *(note(f"n{n}", "p1", encounter_id=e) for n, e in enumerate(("e1", "e2", "", "e1"))))
    key = keys(ledger)
    first, second, none, again = ledger.people.encounters(ints(*(key[f"n{n}"] for n in range(4)))).tolist()
    assert (again, none) == (first, -1)
    assert first != second


def test_what_is_known_at_all(ledger: Ledger) -> None:
    assert ledger.people.said() == (False, False, False)
    put(ledger, note("n1", "p1", None))
    assert ledger.people.said() == (False, False, False)
    told(ledger, "p1", "female")
    assert ledger.people.said() == (True, False, False)
    put(ledger, note("n2", "p1", None, 4))
    assert ledger.people.said() == (True, True, False)
    put(ledger, note("n3", "p1"))
    assert ledger.people.said() == (True, True, True)


# Other places and older ledgers


@pytest.mark.parametrize("target", ["sqlite", pytest.param("postgresql", marks=pytest.mark.engine)])
def test_patients_move_with_the_ledger(
    ledger: Ledger, target: str, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> None:
    put(ledger, note("n1", "p1", encounter_id="e1"), note("n2", "p2", age=5), note("n3", "p3"))
    told(ledger, "p1", "female", date(1980, 1, 1), date(2021, 1, 1))
    with writing(ledger.engine) as c:  # its number is gone, and must not be given again
        c.execute(patients.delete().where(patients.c.patient_id == "p3"))
    folder = tmp_path_factory.mktemp("to")
    address = (
        f"sqlite:///{folder / 'ledger.sqlite3'}"
        if target == "sqlite"
        else str(request.getfixturevalue("make_postgresql")())
    )
    before = ages(ledger), ledger.people.generation(), [s.note for s in ledger.after(0, 10)]
    assert move(ledger.engine, address, lambda done, total: None) == 3
    moved = Ledger(open_database(address))
    assert (ages(moved), moved.people.generation(), [s.note for s in moved.after(0, 10)]) == before
    assert known_of(moved, "p1") == ("female", date(1980, 1, 1), date(2021, 1, 1))
    assert moved.people.numbers(["p1", "p2"]) == {"p1": 1, "p2": 2}
    put(moved, note("n4", "p4"))
    assert moved.people.numbers(["p4"]) == {"p4": 4}
    moved.engine.dispose()


def test_a_death_in_9999_that_was_taken_for_one_is_none(ledger: Ledger, ledger_address: str) -> None:
    told(ledger, "p1", death=date(9999, 12, 31))
    told(ledger, "p2", death=date(2020, 1, 1))
    with writing(ledger.engine) as c:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = c
        command.downgrade(config, "0017")
    opened = Ledger(open_database(ledger_address))
    assert [known_of(opened, id) for id in ("p1", "p2")] == [("", None, None), ("", None, date(2020, 1, 1))]
    opened.engine.dispose()


def test_a_ledger_without_patients_gets_them_numbered_by_their_first_notes(ledger_address: str) -> None:
    older = create_engine(ledger_address)
    row = (
        "INSERT INTO notes (collection, note_id, patient_id, type, title, text, content_hash, version, state, attempts,"
        " last_error, passages, progress, updated) VALUES ('c', :note, :patient, '', '', 'Text.', 'x', 1, 'indexed', 0,"
        " '', 1, 0, '2024-01-01 00:00:00')"
    )
    with older.begin() as c:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = c
        command.upgrade(config, "0003")
        for number, patient in enumerate(("pz", "pa", "pz", "pm", "pa")):
            c.execute(text(row), {"note": f"n{number}", "patient": patient})
    older.dispose()
    opened = Ledger(open_database(ledger_address))
    assert [s.patient_no for s in opened.after(0, 10)] == [1, 2, 1, 3, 2]
    assert opened.people.ids(ints(1, 2, 3)) == {1: "pz", 2: "pa", 3: "pm"}
    assert opened.people.generation() == 0
    assert {(s.note.encounter_id, s.note.age, s.state) for s in opened.after(0, 10)} == {("", None, "indexed")}
    put(opened, note("new", "pb"), note("more", "pa"))
    assert [s.patient_no for s in opened.after(5, 10)] == [4, 2]
    opened.engine.dispose()


# What notes say of who they are of


def test_who_has_no_source_is_of_the_sex_and_age_that_the_notes_say(ledger: Ledger) -> None:
    put(
        ledger,
        note("n1", "p1", text="A 65-year-old woman with a cough."),
        note("n2", "p1", text="Seen again, no better."),
        note("n3", "p2", text="77M, chest pain."),
    )
    assert ledger.people.by_sex() == {"female": [1], "male": [2]}
    assert ages(ledger) == {"n1": 65, "n2": None, "n3": 77}
    assert ledger.people.said()[:2] == (True, True)
    assert [found.sex for found in ledger.listing.patients_numbered([1, 2])] == ["female", "male"]


def test_what_a_source_says_comes_first_whenever_it_comes(ledger: Ledger) -> None:
    told(ledger, "p1", "male", date(1980, 1, 1))
    put(ledger, note("n1", "p1", text="A 65-year-old woman."), note("n2", "p2", age=50, text="A 65-year-old woman."))
    assert ledger.people.by_sex() == {"male": [1], "female": [2]}
    assert ages(ledger) == {"n1": 40, "n2": 50}
    told(ledger, "p2", "male")
    assert ledger.people.by_sex() == {"male": [1, 2]}


def test_notes_that_differ_say_nothing_until_one_is_gone(ledger: Ledger) -> None:
    put(ledger, note("n1", "p1", text="A 65-year-old woman."), note("n2", "p1", text="66M."))
    assert ledger.people.by_sex() == {}
    ledger.mark_deleting(["n2"])
    assert ledger.people.by_sex() == {"female": [1]}


def test_a_file_that_comes_again_is_read_for_it_where_it_was_not(ledger: Ledger) -> None:
    again = note("n1", "p1", text="A 65-year-old woman.")
    put(ledger, again)
    with writing(ledger.engine) as c:
        c.execute(notes.update().values(sex_read="", age_read=None, age=None))
    assert put(ledger, again) == ["unchanged"]
    assert ledger.people.by_sex() == {"female": [1]}
    assert ages(ledger) == {"n1": 65}
