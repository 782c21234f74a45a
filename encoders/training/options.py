"""Options of a run and of its architecture by name, as a person writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from encoders.models.architecture import architecture
from encoders.training.config import TrainingConfig
from search_stack.core.errors import AspectraError


def with_options(arch: str, options: Mapping[str, Any]) -> TrainingConfig:
    """The defaults of ``arch``, and over them ``options``, of the run and of the architecture alike."""
    known = architecture(arch)
    own = {f.name for f in fields(known.shape)}
    values = {**known.defaults, **options}
    shape = known.shape(**{k: v for k, v in values.items() if k in own})
    return TrainingConfig(arch, shape, **{k: v for k, v in values.items() if k not in own})


def configured(arch: str, given: Sequence[str], **changes: Any) -> TrainingConfig:
    """The defaults of ``arch``, then ``changes`` that are not None, then ``given`` as name=value.

    Raises:
        AspectraError: a name or a value that no option has.
    """
    return with_options(arch, read_options(given, _kinds(arch), **changes))


def read_options(given: Sequence[str], kinds: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    """``changes`` that are not None, then ``given`` as name=value, each of the kind that ``kinds`` tells by name.

    Raises:
        AspectraError: a name or a value that no option has.
    """
    values = {k: v for k, v in changes.items() if v is not None}
    for one in given:
        name, sign, value = one.partition("=")
        if not sign or name not in kinds:
            raise AspectraError(f"--set {one}: no such option.", f"Write name=value, one of: {', '.join(kinds)}.")
        values[name] = _read(name, value, kinds[name])
    return values


def _kinds(arch: str) -> dict[str, Any]:
    """The kinds of all options that ``arch`` and its run have, by name."""
    run = {n: kind for n, kind in get_type_hints(TrainingConfig).items() if n not in ("arch", "shape")}
    return run | get_type_hints(architecture(arch).shape)


def _read(name: str, value: str, kind: Any) -> Any:
    wrong = AspectraError(f"--set {name}={value}: that is no value for it.", f"It takes: {_described(kind)}.")
    if get_origin(kind) is tuple:
        parts = tuple(part for part in value.split(",") if part)
        if get_args(kind)[0] is int:
            if not all(part.isdecimal() for part in parts):
                raise wrong
            return tuple(map(int, parts))
        if not set(parts) <= set(get_args(get_args(kind)[0])):
            raise wrong
        return parts
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise wrong
        return value
    if kind is bool:
        if value not in ("true", "false"):
            raise wrong
        return value == "true"
    try:
        return kind(value)
    except ValueError:
        raise wrong from None


def _described(kind: Any) -> str:
    if get_origin(kind) is tuple and get_args(kind)[0] is int:
        return "whole numbers with commas between"
    if get_origin(kind) is tuple:
        return f"any of {', '.join(get_args(get_args(kind)[0]))}, with commas between, or nothing"
    if get_origin(kind) is Literal:
        return ", ".join(get_args(kind))
    return {bool: "true or false", int: "a whole number", float: "a number"}.get(kind, "a name or a path")
