"""Arrays of a trained model in one file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search_stack.core.files import replacing


def save(arrays: Mapping[str, NDArray[Any]], target: Path) -> None:
    """Write the arrays to ``target``, whole or not at all; its folder is made.

    Raises:
        AspectraError: it cannot be written.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with replacing(target) as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)
