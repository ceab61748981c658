"""Switching servers on and off, and deleting them: what pages and the admin do alike."""

from django.db import transaction

from catalog.auditing.recording import Act, audited
from catalog.models import Server
from catalog.sessions.current import review_soon


def switch_server(server: Server, is_on: bool) -> None:
    """Off, none of its tools is discoverable in any catalog, and its sessions are closed."""
    with audited(Act.SERVER_SWITCHED_ON if is_on else Act.SERVER_SWITCHED_OFF, server):
        server.enabled = is_on
        server.save(update_fields=["enabled", "updated_at"])
    transaction.on_commit(review_soon)


def why_kept(server: Server) -> str:
    """Why a server cannot be deleted; empty if it can."""
    follows = "This server follows the agents. Delete those that are not wanted."
    return follows if server.kind == Server.Kind.AGENTS else ""


def drop_server(server: Server) -> None:
    """With its tools, their versions, and all that was read of it."""
    with audited(Act.SERVER_DELETED, server):
        server.delete()
    transaction.on_commit(review_soon)
