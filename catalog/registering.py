"""Apps that register their tools, and unregister: each in one transaction, through the importing of any source."""

from dataclasses import asdict, dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog.auditing.recording import Act, record
from catalog.importing import import_listing, told
from catalog.models import App, Import, Server
from catalog.planning import Plan
from catalog.sources.sdk import Registration

SOURCE = "the app itself"


class NameTaken(Exception):
    """A server of another kind has the name; the message says which."""


@dataclass(frozen=True, slots=True)
class Registered:
    """`signing_key` is there only where the app was given a new one."""

    server: Server
    plan: Plan
    is_new: bool
    signing_key: str


@transaction.atomic
def register(name: str, registration: Registration, by: User) -> Registered:
    """Make the app's server, or bring it up to date: twice the same changes nothing. Raises NameTaken.

    What is sent to its callback address waits for an admin's word, as long as they have not approved that address.
    """
    server, is_new = Server.objects.select_for_update().get_or_create(
        slug=name,
        defaults={
            "title": registration.title,
            "kind": Server.Kind.SDK,
            "transport": Server.Transport.CALLBACK,
            "name_rule": Server.NameRule.SDK,
        },
    )
    if server.kind != Server.Kind.SDK:
        raise NameTaken(f"{name} is the short name of a server that is no app. Choose another name.")
    server.title, server.description = registration.title, registration.description
    server.url = registration.callback_url
    server.save()
    key = _note(server, renew=registration.new_signing_key)
    plan = import_listing(server, registration.listing, by)
    record(Act.APP_REGISTERED, server, after={"callback address": server.url, **told(plan)}, by=by)
    if not plan.is_empty:
        _keep(server, plan, by)
    return Registered(server, plan, is_new, key)


@transaction.atomic
def unregister(name: str) -> bool:
    """Mark the app as gone; its tools stay findable. Whether there is such an app."""
    app = App.objects.select_related("server").filter(server__slug=name)
    if app.filter(unregistered_at=None).update(unregistered_at=timezone.now()):
        record(Act.APP_UNREGISTERED, app.get().server)
    return app.exists()


def _note(server: Server, *, renew: bool) -> str:
    """That it registered; its signing key where it has a new one."""
    app = App.objects.filter(server=server).first() or App(server=server)
    key = app.renew_key() if renew or not app.pk else ""
    app.register(timezone.now())
    app.save()
    return key


def _keep(server: Server, plan: Plan, by: User) -> None:
    """In the server's list of imports."""
    total = len(plan.added) + len(plan.changed) + plan.unchanged
    Import.objects.create(
        server=server,
        by=by,
        source=SOURCE,
        state=Import.State.APPLIED,
        plan=asdict(plan),
        done=total,
        total=total,
        ended_at=timezone.now(),
    )
