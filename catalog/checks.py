"""System checks for what only a start can tell."""

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from catalog.embedding.local import LOCAL, weights_folder


@register()
def check_index_folder(**_: Any) -> list[CheckMessage]:
    """Indexes are written to a folder of the state; without it no search works."""
    folder = Path(settings.PEGBOARD_INDEX_DIR)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_mode & 0o022:
        return [
            Error(
                f"The index folder {folder} can be changed by others: who writes an index runs code here.",
                hint=f"Run: chmod 700 {folder}",
            )
        ]
    if os.access(folder, os.W_OK):
        return []
    return [Error(f"The index folder {folder} is not writable.", hint="Set PEGBOARD_STATE to a folder of yours.")]


@register()
def check_local_model(**_: Any) -> list[CheckMessage]:
    """The local model is installed apart; where it is asked for, it has to be there."""
    if settings.PEGBOARD_EMBEDDINGS != LOCAL or weights_folder() is not None:
        return []
    return [Error("PEGBOARD_EMBEDDINGS is local, and the local model is not installed.", hint="Run: make embeddings")]


@register()
def check_hosts(**_: Any) -> list[CheckMessage]:
    """A wildcard host would let any web page speak to the sockets."""
    if settings.DEBUG or "*" not in settings.ALLOWED_HOSTS:
        return []
    return [Error("PEGBOARD_HOSTS must not be *.", hint="Name the hosts under which Pegboard is reached.")]
