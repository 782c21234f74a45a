"""The documentation says what the program is: settings, commands, links."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from aspectra.cli import main as cli
from aspectra.docs import PARTS, commands_help, filled, settings_table
from search_stack.core.secret_files import file_variable, secrets_of
from search_stack.core.settings import PREFIX, Settings

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs").glob("*.md"))
LINKED = [*PAGES, *(p for p in [ROOT / "README.md"] if p.is_file())]
NO_SETTINGS = {"ASPECTRA_CONFIG", "ASPECTRA_DATA"}
EXPECTED = {
    "architecture",
    "commands",
    "evaluation",
    "index",
    "ingest",
    "operations",
    "production",
    "security",
    "settings",
}

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
HOSTS = re.compile(
    r"pypi\.org|pythonhosted|repo1?\.maven|maven\.org|artifacts\.opensearch|docker\.io|ghcr\.io|huggingface\.co"
)
MACHINE_PATH = re.compile(r"(?<![\w./~-])/(?:work|home|root|Users|tmp|mnt)\b(?:/|(?=[\s`]))")


def page_text(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def named(path: Path) -> str:
    return path.name


def setting_rows() -> dict[str, list[str]]:
    """Cells of each row of a table in settings.md whose first cell is one of our variables."""
    rows: dict[str, list[str]] = {}
    for line in page_text("settings.md").splitlines():
        cells = [c.strip().replace(r"\|", "|") for c in re.split(r"(?<!\\)\|", line)[1:-1]]
        if cells and (found := re.fullmatch(rf"`({PREFIX}[A-Z_]+)`", cells[0])):
            assert found[1] not in rows, f"{found[1]} stands there twice"
            rows[found[1]] = cells
    return rows


def command_paths(command: click.Command, path: str) -> list[str]:
    below = command.commands.items() if isinstance(command, click.Group) else ()
    return [path, *(p for name, one in below for p in command_paths(one, f"{path} {name}"))]


def anchors(path: Path) -> set[str]:
    """Anchors of the headings, as the usual renderers make them."""
    prose = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).strip().replace(" ", "-") for h in headings}


def test_every_page_is_there() -> None:
    assert {p.stem for p in PAGES} >= EXPECTED


def test_every_setting_has_a_row_and_every_row_a_setting() -> None:
    wanted = {PREFIX + name.upper() for name in Settings.model_fields}
    assert set(setting_rows()) - NO_SETTINGS == wanted


@pytest.mark.parametrize("name", Settings.model_fields)
def test_a_settings_row_gives_its_default_and_description(name: str) -> None:
    field = Settings.model_fields[name]
    _, default, meaning = setting_rows()[PREFIX + name.upper()]
    assert field.description
    assert meaning == field.description
    if isinstance(field.default, int | float) or (isinstance(field.default, str) and field.default):
        assert default == f"`{field.default}`"
    elif field.default_factory is None:
        assert default == "empty"


def test_no_page_names_a_setting_that_does_not_exist() -> None:
    known = {PREFIX + name.upper() for name in Settings.model_fields} | NO_SETTINGS
    known |= {file_variable(PREFIX, name) for name in secrets_of(Settings)}
    unknown = {
        f"{page.name}: {name}"
        for page in LINKED
        for name in re.findall(rf"{PREFIX}[A-Z][A-Z_]*[A-Z]", page.read_text(encoding="utf-8"))
        if name not in known
    }
    assert not unknown


def test_every_command_has_its_help() -> None:
    headings = re.findall(r"^## (aspectra.*)$", page_text("commands.md"), re.MULTILINE)
    assert sorted(headings) == sorted(command_paths(cli, "aspectra"))


def test_every_command_says_what_it_does() -> None:
    assert not [path for path in command_paths(cli, "aspectra") if not find_command(path).help]


def find_command(path: str) -> click.Command:
    command: click.Command = cli
    for name in path.split()[1:]:
        assert isinstance(command, click.Group)
        command = command.commands[name]
    return command


@pytest.mark.parametrize("part", PARTS)
def test_generated_parts_are_current(part: str) -> None:
    name, generate = PARTS[part]
    page = page_text(name)
    assert filled(page, part, generate()) == page, "run: python -m aspectra.docs"


def test_generated_parts_do_not_depend_on_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    before = commands_help(), settings_table()
    monkeypatch.setenv("COLUMNS", "43")
    monkeypatch.setenv("XDG_DATA_HOME", "elsewhere")
    assert (commands_help(), settings_table()) == before


def test_a_page_without_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="markers"):
        filled("no markers", "settings", "x")


@pytest.mark.parametrize("page", LINKED, ids=named)
def test_relative_links_lead_somewhere(page: Path) -> None:
    prose = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for link in LINK.findall(prose):
        if re.match(r"[a-z]+:", link):
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), f"{page.name}: {link}"
        assert target.is_relative_to(ROOT), f"{page.name}: {link} leads out of the project"
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), f"{page.name}: {link}"


@pytest.mark.parametrize("page", LINKED, ids=named)
def test_no_page_names_a_registry_host_or_a_path_of_one_machine(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not HOSTS.findall(text)
    assert not MACHINE_PATH.findall(text)


@pytest.mark.parametrize("page", LINKED, ids=named)
def test_commands_in_pages_exist(page: Path) -> None:
    """Each `aspectra …` in a page names a command of ours."""
    text = page.read_text(encoding="utf-8")
    used = re.findall(r"(?:^|`|exec (?:-T )?web )aspectra ([a-z]+)\b", text, re.MULTILINE)
    known = set(cli.commands)
    assert set(used) <= known, set(used) - known
