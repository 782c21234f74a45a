"""What an architecture says of itself, and how it is found by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, Protocol

from encoders import models
from encoders.models.scorer import Scorer
from search_stack.core.errors import AspectraError
from search_stack.inference.bundle import Kind

OWN_WORDS = "words"
"""The base that training makes first, of what the model will learn from."""


class RunOptions(Protocol):
    """What of a training run's options a shape may look at."""

    @property
    def loss(self) -> str: ...
    @property
    def precision(self) -> str: ...
    @property
    def at_once(self) -> int: ...


@dataclass(frozen=True)
class Shape:
    """Options of one architecture, which ``--set`` reads besides the run's and a trained model notes."""

    def check(self, run: RunOptions) -> None:
        """
        Raises:
            AspectraError: it cannot be trained with these options.
        """


@dataclass(frozen=True, slots=True)
class Served:
    """How a bundle serves an architecture."""

    kind: Kind
    weights: Any
    """Class of transformers that reads them."""
    head: Literal["mean", "cross"]
    """Of the graph: see `encoders.export.bert_graph`."""
    needs: Mapping[str, Any] = field(default_factory=dict)
    """Options of the shape that a bundle takes for granted."""
    unused: tuple[str, ...] = ()
    """Beginnings of the names of weights that the head does not read."""

    def unfit(self, shape: Shape) -> tuple[str, object, object] | None:
        """The first option of ``shape`` that a bundle cannot say, its value, and the one that a bundle has."""
        others = ((name, getattr(shape, name), value) for name, value in self.needs.items())
        return next((found for found in others if found[1] != found[2]), None)


@dataclass(frozen=True, slots=True)
class Architecture:
    name: str
    model: type[Scorer]
    shape: type[Shape]
    build: Callable[[str, int, int, Any], Scorer]
    """An untrained model of a base, the longest input in tokens, how many of the base's layers (0: all), the shape."""
    load: Callable[[Path, int, Any], Scorer]
    """A trained model of its folder, the longest input, the shape."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """Options, the run's and the shape's, whose defaults differ from those of their classes."""
    served: Served | None = None
    """None where no bundle serves it."""
    words: bool = False
    """Whether its base is a folder of word vectors; the base `OWN_WORDS` are those of the training text."""


def architecture(name: str) -> Architecture:
    """
    Raises:
        AspectraError: there is none of this name.
    """
    if name not in models.NAMES:
        raise AspectraError(f"There is no architecture {name!r}.", f"There are {', '.join(models.NAMES)}.")
    package = next((sub for sub in models.SUBPACKAGES if name in sub.NAMES), models)
    found: Architecture = import_module(f"{package.__name__}.{name.replace('-', '_')}").ARCHITECTURE
    return found


def require_above_0(options: object, *names: str) -> None:
    """
    Raises:
        AspectraError: one of these options is not above 0.
    """
    for name in names:
        if getattr(options, name) <= 0:
            raise AspectraError(f"{name} is {getattr(options, name)}.", "It must be above 0.")
