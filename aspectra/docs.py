"""The generated parts of the documentation: the table of settings and the help of every command."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
from pydantic import SecretStr
from pydantic.fields import FieldInfo

from aspectra.cli import main as cli
from search_stack.core.settings import PREFIX, Settings

FOLDER = Path(__file__).parents[1] / "docs"
WIDTH = 100
COMPUTED = {
    "data_dir": "`~/.local/share/aspectra`",
    "cache_dir": "`~/.cache/aspectra`",
}
"""Defaults that depend on the machine; docs/settings.md says how, below its table."""


def settings_table() -> str:
    """A row for each setting: its variable, its default, its description."""
    rows = [
        f"| `{PREFIX}{name.upper()}` | {_default(name, f)} | {_meaning(f)} |"
        for name, f in Settings.model_fields.items()
    ]
    return "\n".join(("| variable | default | meaning |", "|---|---|---|", *rows))


def _default(name: str, field: FieldInfo) -> str:
    if name in COMPUTED:
        return COMPUTED[name]
    value = field.default
    if isinstance(value, SecretStr):
        value = value.get_secret_value()
    return "empty" if value in ("", None) else f"`{value}`"


def _meaning(field: FieldInfo) -> str:
    return (field.description or "").replace("|", r"\|")


def commands_help() -> str:
    """A heading and the help of each command, groups before what they hold."""
    return "\n\n".join(f"## {path}\n\n```text\n{text}\n```" for path, text in command_helps())


def command_helps() -> Iterator[tuple[str, str]]:
    """Every command with its help text, as a terminal of `WIDTH` columns shows it."""
    yield from _helps(cli, "aspectra", None)


def _helps(command: click.Command, name: str, parent: click.Context | None) -> Iterator[tuple[str, str]]:
    settings = {**command.context_settings, "terminal_width": WIDTH, "max_content_width": WIDTH}
    context = click.Context(command, info_name=name, parent=parent, **settings)
    yield context.command_path, context.get_help()
    if isinstance(command, click.Group):
        for one in command.list_commands(context):
            if (found := command.get_command(context, one)) is not None:
                yield from _helps(found, one, context)


PARTS = {"settings": ("settings.md", settings_table), "commands": ("commands.md", commands_help)}
"""By the name that the markers carry: the page, and what stands between them."""


def filled(page: str, part: str, content: str) -> str:
    """``page`` with ``content`` between the markers of ``part``.

    >>> filled("a <!-- generated:x --> old <!-- end:x --> b", "x", "new")
    'a <!-- generated:x -->\\n\\nnew\\n\\n<!-- end:x --> b'

    Raises:
        ValueError: the page has no such markers.
    """
    begin, end = f"<!-- generated:{part} -->", f"<!-- end:{part} -->"
    before, found, rest = page.partition(begin)
    _, ended, after = rest.partition(end)
    if not (found and ended):
        raise ValueError(f"there are no markers {begin} and {end}")
    return f"{before}{begin}\n\n{content}\n\n{end}{after}"


def main() -> None:
    """Rewrite the generated parts of the pages in place."""
    for part, (name, generate) in PARTS.items():
        path = FOLDER / name
        path.write_text(filled(path.read_text(encoding="utf-8"), part, generate()), encoding="utf-8")


if __name__ == "__main__":
    main()
