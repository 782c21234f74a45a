from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from encoders.training.sources import load_pairs, merged
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData, Passage, Query

LONG = "It swells the joint of the big toe at night and goes within two weeks."
SECTIONED = f"""{LONG} This is the opening.

What causes gout?
Crystals of uric acid in the joint cause it, and so does a rich diet.

Can gout be prevented?
Drinking water and eating less meat prevents a good share of the attacks.

Where to get support?
Too short.
"""


def written(tmp_path: Path, *rows: Any, name: str = "topics.jsonl") -> Path:
    file = tmp_path / name
    file.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in rows) + "\n", encoding="utf-8")
    return file


def test_headings_that_are_questions_become_queries_and_leave_their_passage(tmp_path: Path) -> None:
    data = load_pairs(written(tmp_path, {"title": "Gout", "text": SECTIONED}))
    assert [(q.text, q.aspect) for q in data.queries] == [
        ("What is Gout ?", "information"),
        ("What causes gout?", "causes"),
        ("Can gout be prevented?", "prevention"),
    ]
    assert all("?" not in p.text for p in data.passages)
    assert [q.relevant for q in data.queries] == [(p.id,) for p in data.passages]
    assert {p.entity for p in data.passages} == {"Gout"}


def test_later_passages_are_read_with_the_opening_the_first_is_not(tmp_path: Path) -> None:
    first, *later = load_pairs(written(tmp_path, {"title": "Gout", "text": SECTIONED})).passages
    assert first.around.lead == ""
    assert all(p.around.lead.startswith("It swells the joint") for p in later)


def test_named_sections_are_asked_for_in_natural_words(tmp_path: Path) -> None:
    row = {"title": "Gout", "sections": {"symptoms": [LONG, LONG], "causes": ["Short."], "images": [LONG]}}
    data = load_pairs(written(tmp_path, row))
    assert [q.text for q in data.queries] == ["What are the symptoms of Gout ?"]
    assert data.passages[0].text == f"{LONG} {LONG}"


def test_blank_lines_are_passed_over_and_numbers_still_right(tmp_path: Path) -> None:
    with pytest.raises(AspectraError) as caught:
        load_pairs(written(tmp_path, {"title": "Gout", "text": LONG}, "", "{torn"))
    assert caught.value.message == f"{tmp_path / 'topics.jsonl'}:3: not JSON in UTF-8."


@pytest.mark.parametrize("before", [0, 3])
def test_a_line_that_is_not_utf_8_is_named(tmp_path: Path, before: int) -> None:
    file = written(tmp_path, *[{"title": "Gout", "text": LONG}] * before)
    file.write_bytes((b"" if not before else file.read_bytes()) + '{"title": "Ménière"}\n'.encode("latin-1"))
    with pytest.raises(AspectraError) as caught:
        load_pairs(file)
    assert caught.value.message == f"{file}:{before + 1}: not JSON in UTF-8."
    assert "UTF-8" in caught.value.remedy


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"text": LONG}, "1: title: is missing"),
        ({"title": " ", "text": LONG}, "1: title: is missing"),
        ({"title": "Gout"}, "1: text: is missing"),
        ({"title": "Gout", "sections": {"causes": LONG}}, "1: sections.causes: not a list"),
        ({"title": "Gout", "sections": {"cuases": [LONG]}}, "1: sections.cuases: an unknown aspect"),
        ([LONG], "1: not an object"),
    ],
)
def test_a_row_that_cannot_be_used_is_named(tmp_path: Path, row: Any, said: str) -> None:
    with pytest.raises(AspectraError) as caught:
        load_pairs(written(tmp_path, row))
    assert caught.value.message.startswith(f"{tmp_path / 'topics.jsonl'}:{said}")
    assert LONG not in str(caught.value)


RQE = """<?xml version="1.0" encoding="UTF-8"?>
<RQE>
<pair pid="1" value="true"><chq> My toe hurts at night, what could it be? </chq><faq>What causes gout?</faq></pair>
<pair pid="2" value="true"><chq>Is there anything to eat against it?</chq><faq>What causes gout?</faq></pair>
<pair pid="3" value="false"><chq>Is there anything to eat against it?</chq><faq>What is asthma?</faq></pair>
<pair pid="4" value="true"><chq>What is asthma?</chq><faq>What is asthma?</faq></pair>
</RQE>"""


def test_entailed_questions_are_pairs_others_and_a_question_with_itself_are_not(tmp_path: Path) -> None:
    (tmp_path / "rqe.xml").write_text(RQE)
    data = load_pairs(tmp_path / "rqe.xml")
    assert [p.text for p in data.passages] == ["What causes gout?"]
    assert [(q.text, q.relevant) for q in data.queries] == [
        ("My toe hurts at night, what could it be?", (data.passages[0].id,)),
        ("Is there anything to eat against it?", (data.passages[0].id,)),
    ]


@pytest.mark.parametrize(("text", "said"), [(RQE[:-20], "xml:6: this is no XML"), ("<RQE/>", "xml: holds no pair")])
def test_questions_that_cannot_be_read(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "rqe.xml").write_text(text)
    with pytest.raises(AspectraError, match=said):
        load_pairs(tmp_path / "rqe.xml")


def test_a_file_without_topics(tmp_path: Path) -> None:
    with pytest.raises(AspectraError, match="holds no topic"):
        load_pairs(written(tmp_path, {"title": "Gout", "text": "Short."}))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(AspectraError, match="cannot be read"):
        load_pairs(tmp_path / "nowhere.jsonl")


def one(name: str, text: str, passage: str = "p") -> EntityAspectData:
    return EntityAspectData(
        name,
        (Passage(passage, "d", "Gout", "gout", "causes", text),),
        (Query("q", "What causes gout?", "gout", "causes", "Causes", (passage,)),),
    )


def test_the_same_words_from_two_files_are_one_passage_that_both_queries_find() -> None:
    data = merged([one("a", LONG), one("b", LONG), one("c", "Other words.")])
    assert data.name == "a+b+c"
    assert [p.id for p in data.passages] == ["a/p", "c/p"]
    assert [(q.id, q.relevant) for q in data.queries] == [("a/q", ("a/p",)), ("b/q", ("a/p",)), ("c/q", ("c/p",))]


def test_a_single_file_keeps_its_ids() -> None:
    assert merged([one("a", LONG)]).passages[0].id == "p"
