"""The rules of forms.toml by their own examples, and that none of them is idle."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from search_stack.language.sections.aspects import aspect_of, aspect_table, key
from search_stack.language.sections.forms import Forms, read_forms, shipped_forms
from search_stack.language.sections.sectioner import headings

FORMS = shipped_forms()
DATA = read_forms()
NOTHING: frozenset[str] = frozenset()
WITHOUT: dict[str, Forms] = {
    "usual": replace(FORMS, usual=NOTHING),
    "unmistakable": replace(FORMS, unmistakable=NOTHING),
    "titles": replace(FORMS, titles=NOTHING),
    "leads": replace(FORMS, leads=NOTHING, phrases=NOTHING),
    "linking": replace(FORMS, before=NOTHING, behind=NOTHING),
    "speakers": replace(FORMS, speakers=NOTHING),
    "answers": replace(FORMS, answers=NOTHING),
    "signs": replace(FORMS, signs=NOTHING),
    "columns": replace(FORMS, columns=NOTHING),
    "letters": replace(FORMS, letters=NOTHING),
    "ends_kin": replace(FORMS, ends_kin=replace(FORMS.ends_kin, inside=NOTHING)),
    "styled": replace(FORMS, styled=replace(FORMS.styled, inside=NOTHING)),
}
RULES: dict[str, tuple[dict[str, Any], Forms]] = {name: (DATA[name], without) for name, without in WITHOUT.items()}
RULES |= {
    f"readings {n}": (row, replace(FORMS, readings=tuple(r for m, r in enumerate(FORMS.readings) if m != n)))
    for n, row in enumerate(DATA["readings"])
}
EXAMPLES = [
    pytest.param(example, id=f"{name}: {example}")
    for name, (row, _) in RULES.items()
    for side in ("for", "against")
    for example in row[side]
]


def plain(marked: str) -> str:
    return marked.replace("{", "").replace("}", "")


def found(marked: str, forms: Forms = FORMS) -> list[tuple[str, str]]:
    """Headings as written and their aspects."""
    text = plain(marked)
    return [(text[h.begin : h.end].strip(), h.aspect) for h in headings(text, aspect_table(), forms) if h.aspect]


def meant(marked: str) -> list[str]:
    return [part.partition("}")[0] for part in marked.split("{")[1:]]


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples(example: str) -> None:
    assert [words for words, _ in found(example)] == meant(example)


@pytest.mark.parametrize("name", RULES)
def test_no_rule_is_idle(name: str) -> None:
    row, without = RULES[name]
    for example in row["for"]:
        assert found(example, without) != found(example), example


@pytest.mark.parametrize("row", DATA["readings"], ids=lambda row: row["keys"][0])
def test_a_reading_is_of_the_words_behind_or_of_the_note(row: dict[str, Any]) -> None:
    def read(example: str) -> list[tuple[str, str]]:
        return [(words, aspect) for words, aspect in found(example) if key(words) in row["keys"]]

    assert [aspect for example in row["for"] for _, aspect in read(example)] == [row["aspect"]] * bool(row["aspect"])
    for example in row["against"]:
        ((words, aspect),) = read(example)
        assert aspect == aspect_of(words) != row["aspect"]


def test_the_table_names_only_what_there_is() -> None:
    keys = aspect_table().aspects
    assert set(DATA["usual"]["aspects"]) <= set(keys.values())
    assert [word for word in DATA["usual"]["but"] if keys.get(word) not in DATA["usual"]["aspects"]] == []
    named = [
        *DATA["unmistakable"]["words"],
        *DATA["titles"]["words"],
        *DATA["leads"]["words"],
        *DATA["leads"]["phrases"],
        *DATA["unmistakable"]["beside"],
        *DATA["usual"]["and"],
    ]
    named += [k for row in DATA["readings"] for k in row["keys"]]
    assert [k for k in named if k not in keys] == []
    beside = {aspect for row in DATA["readings"] for name in ("beside", "but") for aspect in row.get(name, ())}
    assert beside <= set(DATA["usual"]["aspects"])
