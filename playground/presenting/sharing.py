"""Making links to a run that need no sign-in, and taking them back."""

from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from catalog.auditing.recording import Act, record
from playground.models import Run, SharedRun
from playground.presenting.deck import Shown


@transaction.atomic
def share(run: Run, by: User, lasting: timedelta, shown: Shown) -> str:
    """The token of a new link."""
    made, token = SharedRun.make(run, by, lasting, texts=shown.texts, notes=shown.notes)
    told = {"link": made.pk, "until": made.expires_at.isoformat(timespec="seconds")}
    record(Act.RUN_SHARED, run, after={**told, "shows texts": shown.texts, "shows notes": shown.notes})
    return token


@transaction.atomic
def take_back(link: SharedRun) -> None:
    """It opens nothing any more. Once is enough."""
    if SharedRun.objects.filter(pk=link.pk, revoked_at=None).update(revoked_at=timezone.now()):
        record(Act.RUN_UNSHARED, link.run, after={"link": link.pk})


def opened(token: str) -> SharedRun | None:
    """The link of that token, if it opens, and sharing is on."""
    return SharedRun.opened_by(token) if settings.PEGBOARD_SHARING else None


def count_visit(link: SharedRun) -> None:
    SharedRun.objects.filter(pk=link.pk).update(visits=F("visits") + 1)
