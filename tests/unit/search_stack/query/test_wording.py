"""Ways of asking, each with its like that must not be read so."""

from __future__ import annotations

import pytest

from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from search_stack.query.wording import wording
from tests.queries.judge import same
from tests.queries.written import Tree as Json
from tests.queries.written import both, either, field, had, no, topic, words
from tests.queries.written import has as f

GOUT, STROKE, COPD = f("gout"), f("stroke"), f("chronic obstructive pulmonary disease")
UNANSWERED = either(*map(words, ("did not respond", *wording().failure)))
ASTHMA_TREATMENT = topic("asthma", "treatment")
Y2021 = both(field("after", "2021-01-01"), field("before", "2022-01-01"))


@pytest.mark.parametrize(
    ("line", "tree"),
    [
        # Shorthand before what no lexicon knows is left aside; before a concept it says what it says.
        ("s/p TAVR", f("transcatheter aortic valve replacement", "historical")),
        ("history of brugada syndrome", had("brugada syndrome")),
        ("s/p CABG", f("coronary artery bypass graft", "historical")),
        # What somebody underwent ends where something else is told; a list of it goes on.
        ("s/p CABG, gout", both(f("coronary artery bypass graft", "historical"), GOUT)),
        ("hx stroke, gout", both(f("stroke", "historical"), had("gout"))),
        ("hx stroke, now gout", both(f("stroke", "historical"), GOUT)),
        ("no hx of stroke", f("stroke", "absent")),
        ("gout, hx of stroke", both(GOUT, f("stroke", "historical"))),
        # A denial that a name holds is its own.
        ("never smoker with gout", both(f("tobacco use", "absent"), GOUT)),
        ("no known drug allergies, gout", both(f("drug allergy", "absent"), GOUT)),
        ("non-smoker", f("tobacco use", "absent")),
        # What somebody is on, or has besides, is a statement of its own; its list of alternatives stays whole.
        ("stroke on apixaban or warfarin", both(STROKE, either(f("apixaban"), f("warfarin")))),
        ("aspirin or warfarin for stroke", both(either(f("aspirin"), f("warfarin")), STROKE)),
        ("stroke in asthma or gout", both(STROKE, either(f("asthma"), GOUT))),
        ("what's the treatment for gout?", {"entity": "gout", "aspect": "treatment"}),
        ("prognosis gout", {"entity": "gout", "aspect": "prognosis"}),
        ("prognosis gout stroke", both(words("prognosis"), GOUT, STROKE)),
        ("diagnosis gout", GOUT),
        # An adjective behind a comma is that of the name behind it.
        ("gout, suspected stroke", both(GOUT, f("stroke", "possible"))),
        ("gout, suspected", f("gout", "possible")),
        # A guess ends before what somebody has besides; a list of guesses goes on.
        ("suspected stroke, gout", both(f("stroke", "possible"), GOUT)),
        ("suspected stroke in gout", both(f("stroke", "possible"), GOUT)),
        ("?stroke with gout", both(f("stroke", "possible"), GOUT)),
        ("suspected stroke, asthma or gout", either(*(f(n, "possible") for n in ("stroke", "asthma", "gout")))),
        # Hardly a note says what somebody is not on: it only is not there.
        ("gout, not on aspirin", both(GOUT, no(f("aspirin")))),
        ("not taking aspirin", no(f("aspirin"))),
        ("stroke and gout during the same hospital stay", {"together": [STROKE, GOUT], "by": "encounter"}),
        ("i'm after patients with gout", GOUT),
        # The name of a system of codes stands for "fact:".
        ("icd10:M10 and stroke", both({"fact": "icd10:M10"}, STROKE)),
        ("ward:10 gout", both(words("ward:10"), GOUT)),
        ("stroke or gout on warfarin", both(either(STROKE, GOUT), f("warfarin"))),
        ("gout with fever, cough or stroke", both(GOUT, either(f("fever"), f("cough"), STROKE))),
        ("gout, fever or stroke", either(GOUT, f("fever"), STROKE)),
        ("hx of sleep apnea, on CPAP", both(had("sleep apnea"), f("continuous positive airway pressure"))),
        ("family history of gout who has asthma", both(f("gout", "family"), f("asthma"))),
        ("mother who has asthma", f("asthma", "family")),
        # A negative that answers for the name before it says nothing of the next.
        ("influenza negative, fever", both(f("influenza", "absent"), f("fever"))),
        ("negative for influenza, fever", both(f("influenza", "absent"), f("fever", "absent"))),
        ("HIV negative", f("human immunodeficiency virus infection", "absent")),
        ("HIV -ve, gout", both(f("human immunodeficiency virus infection", "absent"), GOUT)),
        # A denial that a name begins with is no denial of it, nor of what stands beside it.
        ("not compliant with medications", f("noncompliance")),
        ("gout, not compliant with colchicine", both(GOUT, f("noncompliance"), f("colchicine"))),
        ("compliant with medications", f("noncompliance", "absent")),
        ("absent bowel sounds", f("decreased bowel sounds")),
        # "Does not" says what a note would say; "not" alone leaves out.
        ("does not smoke", f("tobacco use", "absent")),
        ("gout, does not drink alcohol", both(GOUT, f("alcohol use", "absent"))),
        ("do not smoke or drink alcohol", both(f("tobacco use", "absent"), f("alcohol use", "absent"))),
        ("not a smoker", no(f("tobacco use"))),
        ("gout that did not respond to colchicine", both(GOUT, f("colchicine", "any"), UNANSWERED)),
        # Trouble with a finding is the finding; with what somebody takes or underwent it is looked for by its words.
        ("no issues with bleeding", f("bleeding", "absent")),
        ("no problems with metformin", both(words("no problems"), f("metformin"))),
        ("no problems with anesthesia", f("anesthesia problem", "absent")),
        ("refused blood transfusion", f("blood transfusion", "absent")),
        ("declined because of fever", both(words("declined"), f("fever"))),
        # Words before a negative at the end, which answers for them, stay whole; before a bracket it denies that.
        ("gout, foobar neg", both(GOUT, either(words("foobar negative"), words("foobar neg")))),
        ("gout foobar no (fever or cough)", both(GOUT, words("foobar"), f("fever", "absent"), f("cough", "absent"))),
        ("no problems with her asthma", both(words("no problems"), f("asthma"))),
        ("problems with constipation", f("constipation")),
        ("no trouble with constipation or fever", both(f("constipation", "absent"), f("fever", "absent"))),
        ("problems with metformin", both(words("problems"), f("metformin"))),
        # Who is free of a side of something has none of it; "no" of another criterion says nothing of the topic.
        ("no side effects from statins", no(topic("statin", "side effects"))),
        ("side effects from statins", topic("statin", "side effects")),
        ("no complications of gout", no(topic("gout", "complications"))),
        ("no treatment for gout", both(no(topic("gout", "treatment")), f("gout"))),
        ("no fever, treatment of gout", both(f("fever", "absent"), topic("gout", "treatment"))),
        # A denial of what is looked for is no frame; "up to date on" is one where nothing denies it.
        ("not up to date on shots", f("vaccination", "absent")),
        ("up to date on vaccines", f("vaccination")),
        ("vaccines not up to date", f("vaccination", "absent")),
        # What somebody gave up, or is allergic to, and what they have besides.
        ("quit smoking, gout", both(f("tobacco use", "historical"), GOUT)),
        ("gout, to quit smoking", both(GOUT, words("quit"), f("tobacco use"))),
        ("former smoker with gout", both(f("tobacco use", "historical"), GOUT)),
        ("penicillin allergic", f("penicillin", "allergy")),
        # A family history ends where something is denied of the patient; a denied one goes on.
        ("family history of gout, no stroke", both(f("gout", "family"), f("stroke", "absent"))),
        ("family history of gout, stroke", both(f("gout", "family"), f("stroke", "family"))),
        ("no family history of gout or stroke", both(no(f("gout", "family")), no(f("stroke", "family")))),
        (
            "gout in the impression not the findings",
            both(both(GOUT, field("section", "impression")), no(both(GOUT, field("section", "findings")))),
        ),
        ("gout not the findings", both(GOUT, no(words("findings")))),
        ("mom had gout", f("gout", "family")),
        ("gout without a fall", both(GOUT, no(f("accidental fall")))),
        ("a fall in hemoglobin", both(words("fall"), f("hemoglobin measurement"))),
        ("doesn't smoke or drink", both(f("tobacco use", "absent"), f("alcohol use", "absent"))),
        ("echo 2021", both(f("echocardiogram"), Y2021)),
        # Slips in words that decide.
        ("familiy history of gout", f("gout", "family")),
        ("stroke exlcuding gout", both(STROKE, no(GOUT))),
        ("familial gout", both(words("familial"), GOUT)),
        # Short forms in capitals; among shouted words those that count in small letters too.
        ("?PE", f("pulmonary embolism", "possible")),
        ("GOUT WITH PE SEEN", both(GOUT, f("pulmonary embolism"))),
        ("GOUT IN FIT PATIENTS", both(GOUT, words("fit"))),
        # In small letters too where no word is written so; "Ms" is somebody.
        ("no pe", f("pulmonary embolism", "absent")),
        ("gout, denies cp", both(GOUT, f("chest pain", "absent"))),
        ("hi gout", GOUT),
        ("Ms Jones", words("Ms Jones")),
        # A number beside what has a value is no age.
        ("ejection fraction below 40", {**f("ejection fraction"), "value": "< 40"}),
        ("gout below 40", both(GOUT, field("age", "<40"))),
        # Who cannot exclude it holds it for possible.
        ("cannot exclude gout", f("gout", "possible")),
        ("stroke, exclude gout", both(STROKE, no(GOUT))),
        ("family history negative for gout", no(f("gout", "family"))),
        ("family history of gout", f("gout", "family")),
        # How long ago is told with dates; that it is past is said.
        ("gout 3 years ago", f("gout", "historical")),
        ("gout for 3 years", GOUT),
        ("ex-smokers with gout", both(f("tobacco use", "historical"), GOUT)),
        # Ages as they are typed elsewhere.
        ("asthma, under 16 years of age", both(f("asthma"), field("age", "<16"))),
        ("age >= 65 and sex = female and gout", both(field("age", ">=65"), field("sex", "female"), GOUT)),
        ("F >60 with gout", both(field("sex", "female"), field("age", ">60"), GOUT)),
        ("ferritin >60 with gout", both({**f("ferritin"), "value": "> 60"}, GOUT)),
        ("gout, age 18-60 y", both(GOUT, field("age", "18-60"))),
        # One patient; a number alone is none.
        ("gout for patient 10442", both(GOUT, field("patient", "10442"))),
        ("patient 2 gout", both(words("2"), GOUT)),
        # Notes of a type, and the part of a note.
        ("gout in radiology reports", both(GOUT, field("type", "radiology report"))),
        ("gout in the impression", both(GOUT, field("section", "impression"))),
        # Each is ruled out, or never mentioned, alone; a list that is joined is so together.
        ("gout, stroke not mentioned", both(GOUT, no(f("stroke", "any")))),
        ("a stroke and suspected gout", both(STROKE, f("gout", "possible"))),
        ("stroke and gout are suspected", both(f("stroke", "possible"), f("gout", "possible"))),
        # Headings of a protocol without a colon.
        ("INCLUSION CRITERIA 1. gout 2. stroke EXCLUSION CRITERIA 1. asthma", both(GOUT, STROKE, no(f("asthma")))),
        # An operator at the end of a line.
        ("- gout AND\n- stroke", both(GOUT, STROKE)),
        ("gout OR\nstroke", either(GOUT, STROKE)),
        ("- gout OR\n- stroke", either(GOUT, STROKE)),
        # Years and calendar; measured values are none.
        ("gout 2021", both(GOUT, Y2021)),
        ("gout in March 2021", both(GOUT, field("after", "2021-03-01"), field("before", "2021-04-01"))),
        ("platelets 2000", {**f("platelet count"), "value": "<= 2000"}),
        ("gout after 2019", both(GOUT, field("after", "2020-01-01"))),
        ("gout after:2019", both(GOUT, field("after", "2019-01-01"))),
        ("gout last year", both(GOUT, field("after", "2025-01-01"), field("before", "2026-01-01"))),
        ("gout in the last year", both(GOUT, field("after", "2025-11-22"))),
        ("gout since last year", both(GOUT, field("after", "2025-01-01"))),
        ("gout this month", both(GOUT, field("after", "2026-11-01"))),
        ("gout since December", both(GOUT, field("after", "2025-12-01"))),
        ("gout last week", both(GOUT, field("after", "2026-11-09"), field("before", "2026-11-16"))),
        ("gout yesterday", both(GOUT, field("after", "2026-11-21"), field("before", "2026-11-22"))),
        ("letters from 2021", Y2021),
        ("gout from 2021", both(GOUT, field("after", "2021-01-01"))),
        # Ages; measured values are none.
        ("gout over 60", both(GOUT, field("age", ">60"))),
        ("BMI over 40", {**f("body mass index"), "value": "> 40"}),
        ("GCS under 9", {**f("glasgow coma scale"), "value": "< 9"}),
        ("fever over 39", {**f("fever"), "value": "> 39"}),
        ("patients between 18 and 65 with gout", both(field("age", "18-65"), GOUT)),
        ("women over 60 and under 70", both(field("sex", "female"), field("age", ">60"), field("age", "<70"))),
        ("a child with gout", both(field("age", "<18"), GOUT)),
        ("the child had gout", GOUT),
        ("child abuse", f("child abuse")),
        ("stroke before 50", {"at_age": STROKE, "most": 49}),
        # Aspects, shared and asked for.
        ("treatment of asthma and COPD", both(ASTHMA_TREATMENT, topic(COPD["finding"], "treatment"))),
        ("treatment of asthma with COPD", both(ASTHMA_TREATMENT, COPD)),
        ("why do people get gout", topic("gout", "causes")),
        ("does warfarin cause gout?", both(f("warfarin"), GOUT)),
        ("how do we screen for gout", topic("gout", "screening")),
        ("treating gout during pregnancy", both(topic("gout", "treatment"), f("pregnancy"))),
        ("confirmed diagnosis of gout", GOUT),
        ("diagnosis of gout", topic("gout", "diagnosis")),
        ("how is asthma treated in COPD", both(ASTHMA_TREATMENT, COPD)),
        ("gout and treatment of asthma", both(GOUT, ASTHMA_TREATMENT)),
        ("which drugs treat asthma", ASTHMA_TREATMENT),
        ("why do patients with COPD develop gout", both(COPD, topic("gout", "causes"))),
        ("gout w COPD", both(GOUT, COPD)),
        ("gout w/o COPD", both(GOUT, no(COPD))),
        # Alternatives, and whom is asked for.
        ("any of (a) gout (b) stroke", either(GOUT, STROKE)),
        ("COPD and one of the following: 1) gout 2) stroke", both(COPD, either(GOUT, STROKE))),
        ("1) gout 2) stroke", both(GOUT, STROKE)),
        ("any of our patients with gout, COPD", both(GOUT, COPD)),
        ("on warfarin or apixaban who had a stroke", both(either(f("warfarin"), f("apixaban")), STROKE)),
        ("gout or COPD and are not on warfarin", both(either(GOUT, COPD), no(f("warfarin")))),
        ("mother or sister had gout", f("gout", "family")),
        # Exclusion in prose.
        ("eligible if they have gout; excluded if they have COPD", both(GOUT, no(COPD))),
        ("gout unless COPD", both(GOUT, no(COPD))),
        ("gout without headache", both(GOUT, no(f("headache")))),
        ("gout not due to alcohol or COPD", both(GOUT, no(f("alcohol use")), no(COPD))),
        # Fields of several words; sections in prose.
        ("type:nursing note gout", both(field("type", "nursing note"), GOUT)),
        ("type:nursing gout", both(field("type", "nursing"), GOUT)),
        ("section:family history gout", both(field("section", "family history"), GOUT)),
        ("gout as the chief complaint", both(GOUT, field("section", "chief complaint"))),
        (
            "gout in the findings but not the impression",
            both(both(GOUT, field("section", "findings")), no(both(GOUT, field("section", "impression")))),
        ),
        ("gout but not the procedure", both(GOUT, no(words("procedure")))),
        # Slips; other words are none.
        ("chest pian", f("chest pain")),
        ("pian", words("pian")),
        ("fevr", f("fever")),
        ("tavr", f("transcatheter aortic valve replacement")),
        ("statin myopathy", f("statin myopathy")),
        ("statin neuropathy", both(f("statin"), f("peripheral neuropathy"))),
        ("cronic kidney diseas", f("chronic kidney disease")),
        ("patints with gout", GOUT),
        # What is told of a concept is kept in a line that is talked.
        (
            "we need to find those whose asthma is not controlled",
            both(
                f("asthma"),
                either(*map(words, ("not controlled", "uncontrolled", "poorly controlled", "not well controlled"))),
            ),
        ),
    ],
)
def test_ways_of_asking(understanding: Understanding, line: str, tree: Json) -> None:
    read = to_json(understanding.understand(line).query)
    assert same(read, tree), read


def test_a_code_in_words_is_left_aside_and_told(understanding: Understanding) -> None:
    for said in ("by diagnosis code", "with an ICD-10 code", "per billing codes"):
        found = understanding.understand(f"atrial fibrillation {said}, no stroke")
        assert found.query == understanding.understand("atrial fibrillation, no stroke").query
        assert found.aside == (said,)
        assert "fact:icd10:I48" in found.notices[0].message
    assert not understanding.understand("code blue").notices
