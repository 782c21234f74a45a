"""A label's version changes with everything that labels, and with nothing else."""

from __future__ import annotations

from pathlib import Path

from search_stack.language.labeller import Labeller
from search_stack.language.lexicon.concepts import Concept, Lexicon
from search_stack.language.version import RULES, digest_of, labels_version

FEVER = Concept("fever", "fever", "symptom")


def test_it_changes_with_the_lexicon_and_with_the_rules() -> None:
    one, more = Lexicon([FEVER]), Lexicon([FEVER, Concept("cough", "cough", "symptom")])
    assert Labeller(one, None).version == labels_version(one) == labels_version(Lexicon([FEVER]))
    assert len({labels_version(one), labels_version(more), labels_version(one, rules="other")}) == 3


def test_rules_are_files_by_name_and_content(tmp_path: Path) -> None:
    def digest() -> str:
        return digest_of(tmp_path)

    seen = [digest()]
    for name, content in (("rules.toml", "a = 1"), ("rules.toml", "a = 2"), ("more/code.py", "x = 1")):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
        seen.append(digest())
    assert len(set(seen)) == 4
    (tmp_path / "code.cpython-311.pyc").write_text("compiled")
    (tmp_path / "README.md").write_text("about it")
    assert digest() == seen[-1]


def test_the_rules_that_label_are_among_them() -> None:
    """Triggers, headings, the matcher's endings: where one moves elsewhere, the folders here must follow."""
    from search_stack.language.version import FOLDER

    files = {p.name for p in FOLDER.rglob("*")}
    assert {"triggers.toml", "clauses.toml", "aspects.toml", "endings.toml", "labeller.py", "matcher.py"} <= files
    assert digest_of(FOLDER) == RULES
