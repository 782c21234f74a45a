"""How a measuring command is called by `aspectra evaluate all`: each says it in its module's ``FOR_ALL``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules


@dataclass(frozen=True, slots=True)
class Standard:
    data: str
    """Pattern below the data's root, such as qa/*.xml: the command is called with ``--data`` for each file that fits;
    or . for the root itself, where ``needs`` are there."""
    shown: tuple[str, ...]
    """Paths of the figures that are shown: see `search_stack.evaluation.overview.figures`."""
    options: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    """Files below the root that it reads besides."""


@dataclass(frozen=True, slots=True)
class Run:
    """One call of a command."""

    task: str
    data: Path
    standard: Standard
    files: tuple[str, ...]
    """What it reads, below the root."""

    @property
    def arguments(self) -> list[str]:
        """Behind `aspectra`."""
        return ["evaluate", self.task, "--data", str(self.data), *self.standard.options]


def runs(root: Path) -> Iterator[Run]:
    """Whatever ``root`` has files for, by task."""
    for module in iter_modules([str(Path(__file__).parent)]):
        found = import_module(f"{__package__}.{module.name}")
        for standard in getattr(found, "FOR_ALL", ()):
            (command,) = found.COMMANDS
            if not all((root / name).is_file() for name in standard.needs):
                continue
            for data in [root] if standard.data == "." else sorted(root.glob(standard.data)):
                own = () if data == root else (data.relative_to(root).as_posix(),)
                yield Run(str(command.name), data, standard, (*own, *standard.needs))
