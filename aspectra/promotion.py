"""Put a bundle into service: check it, keep a copy, encode anew beside the old index, swap, start anew."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from aspectra.stack import down, up
from aspectra.stack.folders import run_folder
from aspectra.stack.processes import running
from ingest.ledger import Ledger
from ingest.work.reindex import give_up_builds, reindex
from search_stack.core.client import connect, engine_errors
from search_stack.core.errors import AspectraError
from search_stack.core.files import unwritable
from search_stack.core.promoted import field_of, promote
from search_stack.core.settings import PREFIX, Settings
from search_stack.index.mapping import Indexes
from search_stack.inference.bundle import SHIPPED, Bundle, folder_of, load_bundle, read_manifest
from search_stack.inference.models import Encoder, Reranker
from search_stack.inference.session import ModelSession
from search_stack.language.labeller import load_labeller

Say = Callable[[str], None]
Progress = Callable[[int, int], None]


def kept_models(settings: Settings) -> Path:
    """Where bundles that were chosen are kept."""
    return settings.data_dir / "models"


def use(name: str, settings: Settings, given: frozenset[str], say: Say, progress: Progress) -> Settings:
    """Serve the bundle ``name`` from now on. Until the last step the old one serves; cut short, the same call goes on.

    Args:
        given: names of the settings that the environment or the configuration file give.

    Returns:
        The settings with the bundle.

    Raises:
        AspectraError: the bundle cannot be used, or a setting names another one; nothing has changed then.
    """
    kind = read_manifest(name).kind
    field = field_of(kind, name)
    if field in given:
        variable = PREFIX + field.upper()
        raise AspectraError(f"{variable} names the bundle that serves.", f"Change {variable}, or unset it first.")
    bundle = load_bundle(name, kind)
    session = _try(bundle, settings)
    serving = _keep(bundle, settings)
    chosen = settings.model_copy(update={field: serving})
    if kind == "cross":
        promote(settings.data_dir, field, serving)
        _start_anew(chosen, ["web"], say)
        return chosen
    # Where the broker is ours, so is the worker, also one that an earlier try has stopped.
    worker = ["worker"] if _runs(settings, "worker") or _runs(settings, "broker") else []
    down(settings, ["worker"], say)
    _encode_anew(Encoder(session), chosen, progress)
    promote(settings.data_dir, field, serving)
    _start_anew(chosen, [*worker, "web"], say)
    return chosen


def _try(bundle: Bundle, settings: Settings) -> ModelSession:
    """A model that loads, and gives what its manifest promises.

    Raises:
        AspectraError: it does not.
    """
    session = ModelSession(bundle, settings.onnx_provider, settings.onnx_threads)
    try:
        if bundle.manifest.kind == "bi":
            shape = Encoder(session).encode(["a passage", "another"]).shape
            fits = shape == (2, bundle.manifest.dimensions)
        else:
            fits = Reranker(session).score("a query", ["a passage", "another"]).shape == (2,)
    except AspectraError:
        raise
    except Exception as e:  # ONNX Runtime's classes share no base of their own; NumPy's error is a ValueError
        raise AspectraError(f"{bundle.model}: does not run ({type(e).__name__}).", "Export it again.") from e
    if not fits:
        raise AspectraError(f"{bundle.model}: gives another shape than bundle.json says.", "Export it again.")
    return session


def _keep(bundle: Bundle, settings: Settings) -> str:
    """The shipped name, or the folder of a copy that stays when the original goes."""
    if bundle.folder.parent == SHIPPED:
        return bundle.folder.name
    folder = kept_models(settings) / bundle.manifest.identity
    if not folder.is_dir():
        fresh = folder.with_name(f".{folder.name}.part")
        try:
            shutil.rmtree(fresh, ignore_errors=True)
            shutil.copytree(bundle.folder, fresh)
            fresh.rename(folder)
        except OSError as e:
            shutil.rmtree(fresh, ignore_errors=True)
            raise unwritable(folder, e, "Free some space and try again.") from e
    return str(folder)


def _encode_anew(encoder: Encoder, settings: Settings, progress: Progress) -> None:
    """Swap in an index with this encoder's vectors, where the serving one has others."""
    client = connect(settings)
    indexes, ledger = Indexes(client, settings), Ledger.from_settings(settings)
    with engine_errors(settings):
        live = indexes.live()
        same = live and not indexes.unfit(live, encoder.manifest)
    if live is None:
        return
    if same:
        give_up_builds(ledger, indexes, settings)
        return
    reindex(ledger, client, encoder, load_labeller(settings.lexicon_folder, settings.mentions), settings, progress)


def _runs(settings: Settings, service: str) -> bool:
    return run_folder(settings).is_dir() and running(settings, service) is not None


def _start_anew(settings: Settings, names: list[str], say: Say) -> None:
    wanted = [name for name in names if name == "worker" or _runs(settings, name)]
    if wanted:
        down(settings, wanted, say)
        up(settings, wanted, say)


def bundles(settings: Settings) -> list[str]:
    """Names of the shipped bundles, then folders of those that were kept."""
    shipped = sorted(p.name for p in SHIPPED.iterdir() if (p / "bundle.json").is_file())
    folder = kept_models(settings)
    kept = sorted(str(p) for p in folder.iterdir() if (p / "bundle.json").is_file()) if folder.is_dir() else []
    return [*shipped, *kept]


def size(name: str) -> int:
    """Bytes of a bundle's files."""
    return sum(p.stat().st_size for p in folder_of(name).iterdir())
