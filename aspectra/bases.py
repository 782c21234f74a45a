"""What a training run begins with."""

from __future__ import annotations

from pathlib import Path

from search_stack.core.errors import AspectraError
from search_stack.inference.bundle import is_bundle, load_bundle, read_manifest


def restored(base: str, out: Path) -> str:
    """``base``, or where it is a bundle the folder in ``out`` of its weights in Hugging Face's layout.

    Raises:
        AspectraError: the bundle reads mentions, or cannot be used.
    """
    from encoders.export.restore import save_restored

    if not is_bundle(base):
        return base
    bundle = load_bundle(base, read_manifest(base).kind)
    if bundle.manifest.kind == "mention":
        raise AspectraError(f"{base}: reads mentions, not passages.", "Name an encoder or a cross-encoder.")
    folder = out / "base" / bundle.manifest.identity
    if not (folder / "tokenizer.json").is_file():
        folder.mkdir(parents=True, exist_ok=True)
        save_restored(bundle, folder)
    return str(folder)
