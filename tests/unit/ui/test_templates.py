"""No page without a test that holds it to the rules of accessibility."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import ui
from tests.browser.covered import COVERED

TEMPLATES = Path(ui.__file__).parent / "templates"
BROWSER = Path(__file__).resolve().parents[2] / "browser"
CHECKS = {"keeps_the_rules", "looks_right"}
"""The second calls the first."""
LAYOUT = "base.html"
USED = re.compile(r"{%-?\s*(?:extends|from|import|include)\s+\"([^\"]+)\"")
RENDERED = re.compile(r"render_template\(\s*\"([^\"]+)\"")


def used(name: str) -> set[str]:
    """What a template takes in, and what that does."""
    direct = set(USED.findall((TEMPLATES / name).read_text(encoding="utf-8")))
    return direct.union(*map(used, direct))


def test_every_template_is_opened_by_a_test_or_part_of_one_that_is() -> None:
    there = {str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.html")}
    parts = {name for name in there if name.startswith("_")} | {LAYOUT}
    assert there - parts == set(COVERED)
    assert parts <= set().union(*map(used, COVERED))


def test_what_is_rendered_is_a_template_of_the_table() -> None:
    sources = [path.read_text(encoding="utf-8") for path in Path(ui.__file__).parent.rglob("*.py")]
    calls = sum(source.count("render_template(") for source in sources)
    named = [name for source in sources for name in RENDERED.findall(source)]
    assert len(named) == calls  # each by its name, so that none can slip through
    assert set(named) == set(COVERED)


@pytest.mark.parametrize("where", sorted(set(COVERED.values())))
def test_the_test_is_there_and_looks(where: str) -> None:
    file, _, name = where.partition("::")
    tree = ast.parse((BROWSER / file).read_text(encoding="utf-8"))
    (found,) = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
    assert CHECKS & {node.id for node in ast.walk(found) if isinstance(node, ast.Name)}
