"""Time, people and facts as they are typed: in words, and by operators in capitals."""

from __future__ import annotations

import pytest

from search_stack.query.tree import QueryError
from search_stack.query.tree_json import from_json, to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same
from tests.queries.written import Tree as Json
from tests.queries.written import both, field, near, worded
from tests.queries.written import has as f

NO_FEVER: Json = {"finding": "fever", "assertion": "absent"}


def after(child: Json, to: Json) -> Json:
    return near(child, to, 1)


def before(child: Json, to: Json) -> Json:
    return near(child, to, None, -1)


def often(number: int, of: Json, unit: str = "notes") -> Json:
    return {"at_least": number, "unit": unit, "of": of}


def at_age(child: Json, least: int | None = None, most: int | None = None) -> Json:
    return {"at_age": child, **{k: v for k, v in (("least", least), ("most", most)) if v is not None}}


def during(child: Json, since: str = "", until: str = "") -> Json:
    return {"during": child, **{k: v for k, v in (("after", since), ("before", until)) if v}}


def together(by: str, *parts: Json) -> Json:
    return {"together": list(parts), "by": by}


def without(child: Json) -> Json:
    return {"not": child}


STROKE, FEVER, COUGH, GOUT = f("stroke"), f("fever"), f("cough"), f("gout")
PACEMAKER, PTX, EFFUSION = f("pacemaker"), f("pneumothorax"), f("pleural effusion")
SEPSIS, PNEUMONIA, AF = f("sepsis"), f("pneumonia"), f("atrial fibrillation")
KNEE, SURGERY, HIP = f("knee replacement"), f("surgery"), f("hip fracture")
FEMALE, MALE = field("sex", "female"), field("sex", "male")


def test_a_whole_question_is_read(understanding: Understanding) -> None:
    line = (
        "women over 60 with a pacemaker and a pneumothorax within 30 days after it, no effusion ever, "
        "heart failure at least twice, family history of cancer excluded"
    )
    assert to_json(understanding.understand(line).query) == both(
        FEMALE,
        field("age", ">60"),
        PACEMAKER,
        near(PTX, PACEMAKER, 0, 30),
        without(EFFUSION),
        often(2, f("congestive heart failure")),
        without(f("cancer", "family")),
    )


@pytest.mark.parametrize(
    ("line", "tree"),
    [
        # Which lies how far from which.
        ("pneumothorax within 30 days after pacemaker", near(PTX, PACEMAKER, 0, 30)),
        ("pneumothorax within 30 days of pacemaker", near(PTX, PACEMAKER, -30, 30)),
        ("pneumothorax within 30d of pacemaker", near(PTX, PACEMAKER, -30, 30)),
        ("PTX <30 days after pacemaker", near(PTX, PACEMAKER, 0, 30)),
        ("pneumothorax 30 days after pacemaker", near(PTX, PACEMAKER, 0, 30)),
        ("stroke within 7 days before pacemaker", near(STROKE, PACEMAKER, -7, 0)),
        ("fever within a week after appendectomy", near(FEVER, f("appendectomy"), 0, 7)),
        ("fever within three months after appendectomy", near(FEVER, f("appendectomy"), 0, 90)),
        ("fever within 1 year before lymphoma", near(FEVER, f("lymphoma"), -365, 0)),
        ("sepsis more than 30 days after hip fracture", near(SEPSIS, HIP, 31)),
        ("sepsis at least 2 weeks after hip fracture", near(SEPSIS, HIP, 14)),
        ("stroke after knee replacement", after(STROKE, KNEE)),
        ("pneumonia following intubation", after(PNEUMONIA, f("intubation"))),
        ("patients who had a stroke after starting apixaban", after(STROKE, f("apixaban"))),
        ("show me people who got pneumonia after being intubated", after(PNEUMONIA, f("intubation"))),
        ("stroke before knee replacement", before(STROKE, KNEE)),
        ("stroke prior to knee replacement", before(STROKE, KNEE)),
        ("pneumonia followed by sepsis", before(PNEUMONIA, SEPSIS)),
        ("pneumonia, then developed sepsis", before(PNEUMONIA, SEPSIS)),
        ("appendicitis and then abscess", before(f("appendicitis"), f("abscess"))),
        (
            "fever or cough within 7 days after intubation",
            near({"any": [FEVER, COUGH]}, f("intubation"), 0, 7),
        ),
        (
            "pain before surgery and fever after surgery",
            both(before(f("pain"), SURGERY), after(FEVER, SURGERY)),
        ),
        # Before any: before the first.
        ("chemotherapy before any surgery", before(f("chemotherapy"), {"first": SURGERY})),
        ("pneumonia before any antibiotics", before(PNEUMONIA, {"first": f("antibiotic")})),
        # What is excluded.
        ("without effusion after pacemaker", without(after(EFFUSION, PACEMAKER))),
        ("pneumothorax without effusion after pacemaker", both(PTX, without(after(EFFUSION, PACEMAKER)))),
        ("no effusion after pacemaker", after(f("pleural effusion", "absent"), PACEMAKER)),
        (
            "seizure never after craniotomy",
            both(f("seizure"), without(after(f("seizure"), f("craniotomy")))),
        ),
        ("stroke never before atrial fibrillation", both(STROKE, without(before(STROKE, AF)))),
        ("no stroke ever", without(STROKE)),
        ("pneumothorax, no chest tube ever", both(PTX, without(f("chest tube")))),
        ("melanoma, family history of melanoma excluded", both(f("melanoma"), without(f("melanoma", "family")))),
        # What has a time of its own is a statement of its own: a denial before its comma does not reach it.
        ("no fever, heart failure at least twice", both(NO_FEVER, often(2, f("congestive heart failure")))),
        ("no fever, at least 2 notes with heart failure", both(NO_FEVER, often(2, f("congestive heart failure")))),
        ("no fever, first stroke", both(NO_FEVER, {"first": STROKE})),
        ("no fever, stroke after surgery", both(NO_FEVER, after(STROKE, SURGERY))),
        ("without fever, most recent echocardiogram", both(without(FEVER), {"last": f("echocardiogram")})),
        (
            "no fever, cough or stroke after surgery",
            both(NO_FEVER, f("cough", "absent"), after(f("stroke", "absent"), SURGERY)),
        ),
        # How often.
        ("heart failure at least twice", often(2, f("congestive heart failure"))),
        ("at least 2 notes with fever", often(2, FEVER)),
        ("at least three episodes of gout", often(3, GOUT)),
        ("two or more episodes of pneumonia", often(2, PNEUMONIA)),
        ("2+ episodes of pancreatitis", often(2, f("pancreatitis"))),
        ("pneumonia on at least 2 different days", often(2, PNEUMONIA, "days")),
        ("pneumonia in at least three notes", often(3, PNEUMONIA)),
        ("pneumonia more than once", often(2, PNEUMONIA)),
        ("stroke twice or more", often(2, STROKE)),
        ("seizures on at least two occasions", often(2, f("seizure"))),
        # The first and the last.
        ("first stroke", {"first": STROKE}),
        ("the first stroke since 2019", during({"first": STROKE}, "2019-01-01")),
        ("first stroke after 2019", during({"first": STROKE}, "2020-01-01")),
        ("last seizure in 2020", during({"last": f("seizure")}, "2020-01-01", "2021-01-01")),
        ("most recent echocardiogram", {"last": f("echocardiogram")}),
        ("first episode of gout", {"first": GOUT}),
        ("earliest mention of dementia", {"first": f("dementia", "any")}),
        # The age at which.
        ("stroke before age 50", at_age(STROKE, None, 49)),
        ("stroke before the age of 50", at_age(STROKE, None, 49)),
        ("stroke at age 40 to 50", at_age(STROKE, 40, 50)),
        ("stroke at age 60 or older", at_age(STROKE, 60)),
        ("colon cancer at age 40 or younger", at_age(f("colon cancer"), None, 40)),
        ("stroke after age 65", at_age(STROKE, 65)),
        ("first seizure after age 60", at_age({"first": f("seizure")}, 60)),
        (
            "women with a first myocardial infarction before age 55",
            both(FEMALE, at_age({"first": f("myocardial infarction")}, None, 54)),
        ),
        # In the same.
        ("rash in the same visit as fever", together("encounter", f("rash"), FEVER)),
        ("fever and cough in the same note", together("note", FEVER, COUGH)),
        ("headache and fever on the same day", near(f("headache"), FEVER, 0, 0)),
        (
            "pneumothorax and pleural effusion in the same year",
            together("year", PTX, EFFUSION),
        ),
        # People.
        ("people aged 40 to 60 with gout", both(field("age", "40-60"), GOUT)),
        ("men under 50 with stroke", both(MALE, field("age", "<50"), STROKE)),
        ("65F with gout", both(FEMALE, field("age", "65"), GOUT)),
        ("children with asthma", both(field("age", "<18"), f("asthma"))),
        ("elderly men with hip fracture", both(MALE, {"field": "age", "value": ">=65"}, HIP)),
        ("men and women with gout", both({"any": [MALE, FEMALE]}, GOUT)),
        ("sex:f age:60+ gout", both(FEMALE, field("age", ">=60"), GOUT)),
        # Facts.
        ("gout fact:icd10:I48", both(GOUT, {"fact": "icd10:I48"})),
        ("fact:loinc:718-7 < 8", {"fact": "loinc:718-7", "compare": "<", "value": 8.0}),
        ("fact:loinc:718-7 <8, gout", both({"fact": "loinc:718-7", "compare": "<", "value": 8.0}, GOUT)),
        (
            "gout with fact:loinc:718-7 < 8g/dL.",
            both(GOUT, {"fact": "loinc:718-7", "compare": "<", "value": 8.0, "unit": "g/dL"}),
        ),
        (
            "(fact:loinc:718-7<=8mm[Hg])",
            {"fact": "loinc:718-7", "compare": "<=", "value": 8.0, "unit": "mm[Hg]"},
        ),
        ("fact:icd10:I48 WITHIN 30 DAYS AFTER pacemaker", near({"fact": "icd10:I48"}, PACEMAKER, 0, 30)),
    ],
)
def test_lines_of_time(understanding: Understanding, line: str, tree: Json) -> None:
    read = to_json(understanding.understand(line).query)
    assert same(read, tree), read
    assert to_json(from_json(read)) == read


@pytest.mark.parametrize(
    ("line", "tree"),
    [
        ("first rib fracture", both({"words": "first"}, f("rib fracture"))),
        ("first metatarsal fracture", both({"words": "first"}, f("metatarsal fracture"))),
        ("second degree burn", f("partial thickness burn")),
        ("third degree burn", f("full thickness burn")),
        ("first trimester bleeding", both({"words": "first trimester"}, f("bleeding"))),
        ("last menstrual period", f("last menstrual period")),
        ("first-line treatment of asthma", both({"words": "first-line"}, {"entity": "asthma", "aspect": "treatment"})),
        ("first seen in clinic with gout", GOUT),
        ("mesothelioma before 2015", both(f("mesothelioma"), field("before", "2015-01-01"))),
        ("fever after 2019", both(FEVER, field("after", "2020-01-01"))),
        ("pneumonia since 2019", both(PNEUMONIA, field("after", "2019-01-01"))),
        ("sepsis in the last two years", both(SEPSIS, field("after", "2024-11-22"))),
        ("stroke in the past 30 days", both(STROKE, field("after", "2026-10-23"))),
        ("gout between 2015 and 2018", both(GOUT, field("after", "2015-01-01"), field("before", "2019-01-01"))),
        ("follow-up after", {"words": "follow-up"}),
        ("after surgery", SURGERY),
        ("pneumothorax after it", PTX),
        ("at least 2 mm", {"any": [{"words": "2mm"}, {"words": "2 mm"}]}),
        ("nodule at least 2 mm", {**f("nodule"), "value": ">= 2 mm"}),
        ("at least 2 cm nodule", {**f("nodule"), "value": ">= 20 mm"}),
        ("post-operative fever", {"finding": "postoperative fever", "assertion": "present"}),
        ("effusion within 30 days", EFFUSION),
        ("recurrent stroke", both(worded("recurrent"), STROKE)),
        ("pregnant women with pulmonary embolism", both(f("pregnancy"), f("pulmonary embolism"))),
        ("infants with bronchiolitis", both({"field": "age", "value": "<2"}, f("bronchiolitis"))),
    ],
)
def test_what_says_no_time_or_only_the_day_of_a_note(understanding: Understanding, line: str, tree: Json) -> None:
    read = to_json(understanding.understand(line).query)
    assert same(read, tree), read


@pytest.mark.parametrize(
    ("line", "tree"),
    [
        ("effusion WITHIN 30 DAYS AFTER pneumothorax", near(EFFUSION, PTX, 0, 30)),
        ("effusion WITHIN 30 DAYS BEFORE pneumothorax", near(EFFUSION, PTX, -30, 0)),
        ("effusion WITHIN 1 DAY OF pneumothorax", near(EFFUSION, PTX, -1, 1)),
        ("stroke -7 TO 30 DAYS AFTER pacemaker", near(STROKE, PACEMAKER, -7, 30)),
        ("stroke 31 TO * DAYS AFTER pacemaker", near(STROKE, PACEMAKER, 31)),
        ("stroke AFTER pacemaker", after(STROKE, PACEMAKER)),
        ("stroke BEFORE pacemaker", before(STROKE, PACEMAKER)),
        ("FIRST stroke", {"first": STROKE}),
        ("LAST stroke", {"last": STROKE}),
        ("FIRST stroke AFTER pacemaker", after({"first": STROKE}, PACEMAKER)),
        ("FIRST (stroke AFTER pacemaker)", {"first": after(STROKE, PACEMAKER)}),
        ("AT LEAST 2 NOTES OF fever", often(2, FEVER)),
        ("AT LEAST 1 NOTE OF fever", often(1, FEVER)),
        ("AT LEAST 3 DAYS OF fever", often(3, FEVER, "days")),
        ("AT LEAST 2 NOTES OF fever AFTER pacemaker", after(often(2, FEVER), PACEMAKER)),
        ("SAME NOTE (fever cough)", together("note", FEVER, COUGH)),
        ("SAME ENCOUNTER (fever AND cough AND gout)", together("encounter", FEVER, COUGH, GOUT)),
        ("SAME DAY (fever cough)", together("day", FEVER, COUGH)),
        ("SAME YEAR (fever cough)", together("year", FEVER, COUGH)),
        ("stroke DURING 2019-01-01 TO *", during(STROKE, "2019-01-01")),
        ("stroke DURING 2019 TO 2019-12-31", during(STROKE, "2019-01-01", "2020-01-01")),
        ("stroke DURING * TO 2019-12-31", during(STROKE, "", "2020-01-01")),
        (
            "((stroke DURING 2019-01-01 TO *) AFTER pneumonia) AT AGE 60 TO *",
            {"at_age": near(during(STROKE, "2019-01-01"), PNEUMONIA, 1), "least": 60},
        ),
        ("stroke AT AGE 60 TO *", at_age(STROKE, 60)),
        ("stroke AT AGE * TO 49", at_age(STROKE, None, 49)),
        ("stroke AT AGE 40 TO 50", at_age(STROKE, 40, 50)),
        ("(stroke OR fever) WITHIN 7 DAYS AFTER pacemaker", near({"any": [STROKE, FEVER]}, PACEMAKER, 0, 7)),
        ("stroke AND fever AFTER pacemaker", both(STROKE, after(FEVER, PACEMAKER))),
        ("NOT effusion AFTER pacemaker", without(after(EFFUSION, PACEMAKER))),
        ("-effusion AFTER pacemaker", without(after(EFFUSION, PACEMAKER))),
        ("FIRST STROKE AFTER PACEMAKER", after({"first": STROKE}, PACEMAKER)),
    ],
)
def test_operators_in_capitals(understanding: Understanding, line: str, tree: Json) -> None:
    assert to_json(understanding.understand(line).query) == tree


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("effusion WITHIN 30 DAYS AFTER", "WITHIN 30 DAYS AFTER lacks a criterion beside it."),
        ("WITHIN 30 DAYS AFTER effusion", "WITHIN 30 DAYS AFTER lacks a criterion beside it."),
        ("stroke AFTER", "AFTER lacks a criterion beside it."),
        ("BEFORE stroke", "BEFORE lacks a criterion beside it."),
        ("stroke AFTER BEFORE pacemaker", "AFTER lacks a criterion beside it."),
        ("stroke FIRST", "FIRST lacks a criterion beside it."),
        ("FIRST sex:female", "FIRST lacks a criterion beside it."),
        ("fever AT LEAST 2 NOTES OF", "AT LEAST 2 NOTES OF lacks a criterion beside it."),
        ("fever SAME NOTE", "SAME NOTE lacks a criterion beside it."),
        ("DURING 2019-01-01 TO * stroke", "DURING 2019-01-01 TO * lacks a criterion beside it."),
        ("AT AGE 60 TO * stroke", "AT AGE 60 TO * lacks a criterion beside it."),
        ("stroke DURING 2019-13-01 TO *", "DURING 2019-13-01 TO * holds no date."),
        ("stroke DURING 2020 TO 2019", "Since 2020-01-01 and before 2020-01-01 leave no day."),
    ],
)
def test_an_operator_that_lacks_a_criterion_is_told(understanding: Understanding, line: str, says: str) -> None:
    with pytest.raises(QueryError) as told:
        understanding.understand(line)
    assert told.value.message == says
    assert told.value.remedy


@pytest.mark.parametrize(
    ("line", "kind", "message"),
    [
        ("pneumothorax 30 days after pacemaker", "time", '"30 days after" was read as within that time.'),
        (
            "elderly men with gout",
            "people",
            '"elderly men" says no exact age in years; it was read as age:>=65.',
        ),
    ],
)
def test_what_was_guessed_of_time_and_people_is_told(
    understanding: Understanding, line: str, kind: str, message: str
) -> None:
    (notice,) = understanding.understand(line).notices
    assert (notice.kind, notice.message) == (kind, message)


@pytest.mark.parametrize(
    "line",
    ["family history of cancer excluded", "history of stroke excluded, atrial fibrillation"],
)
def test_an_excluded_history_may_begin_the_line(understanding: Understanding, line: str) -> None:
    assert "not" in str(to_json(understanding.understand(line).query))


@pytest.mark.parametrize("line", ["fever and after surgery", "fever before and after surgery"])
def test_an_and_is_no_day(understanding: Understanding, line: str) -> None:
    assert '"most": 1' not in str(to_json(understanding.understand(line).query)).replace("'", '"')


@pytest.mark.parametrize(
    "line",
    [
        "pneumonia 2 to 14 days after intubation",
        "pneumonia 2-14 days after intubation",
        "pneumonia between 2 and 14 days after intubation",
    ],
)
def test_from_so_many_days_to_so_many(understanding: Understanding, line: str) -> None:
    assert to_json(understanding.understand(line).query) == near(PNEUMONIA, f("intubation"), 2, 14)


@pytest.mark.parametrize(
    "line",
    [
        "stroke AT AGE 70 TO 60",
        "stroke 30 TO 7 DAYS AFTER pacemaker",
        "AT LEAST 0 NOTES OF fever",
        "stroke AFTER sex:female",
    ],
)
def test_an_operator_that_nothing_can_hold_is_told(understanding: Understanding, line: str) -> None:
    with pytest.raises(QueryError):
        understanding.understand(line)
