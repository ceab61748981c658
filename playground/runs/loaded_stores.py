"""The in-memory stores of this process: one for each catalog and time to live, as there is one for each agent (M-26)."""

from dataclasses import dataclass
from threading import Lock
from uuid import UUID

from catalog.search.settings import UnfitSettingsError, read_settings
from playground.models import Run
from playground.modes import MODES
from playground.modes.loaded_store import KeepsLoaded, LoadedStore
from playground.transcript import Transcript, loaded_names

_stores: dict[tuple[int, float], LoadedStore] = {}
_lock = Lock()


def store_of(run: Run) -> LoadedStore | None:
    """The store that the run's catalog has under the run's options; None where nothing is kept in memory, or it cannot run.

    Another time to live is another agent, whose store begins empty.
    """
    kind = MODES.get(run.mode_named)
    if kind is None or run.catalog_id is None:
        return None
    try:
        options = read_settings(kind.Options, run.options_named)
    except UnfitSettingsError:
        return None
    return _store(run.catalog_id, options.ttl) if isinstance(options, KeepsLoaded) and options.in_memory else None


@dataclass(frozen=True, slots=True)
class StoreSeen:
    """A store, looked at for one thread. `held` is what the thread has loaded, `lost` what its transcript shows beside.

    `age` is how many seconds ago the thread was visited that nobody came to for longest; None without threads.
    """

    threads: int
    age: float | None
    held: tuple[str, ...]
    lost: tuple[str, ...]


def look_at(store: LoadedStore, thread_id: UUID, transcript: Transcript) -> StoreSeen:
    stats, held = store.stats(), store.held(thread_key(thread_id))
    oldest = stats.oldest_access
    age = None if oldest is None else store.seconds_since(oldest)
    lost = tuple(name for name in loaded_names(transcript) if name not in held)
    return StoreSeen(stats.threads, age, held, lost)


def thread_key(thread_id: UUID) -> str:
    """The name under which a store keeps a thread."""
    return str(thread_id)


def _store(catalog_id: int, ttl: float) -> LoadedStore:
    with _lock:
        if (catalog_id, ttl) not in _stores:
            _stores[catalog_id, ttl] = LoadedStore(ttl)
        return _stores[catalog_id, ttl]
