"""Servers of a catalog that were not reached in a period: of the contacts that are kept, those without an answer."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Q

from catalog.models import Catalog, Contact
from playground.reporting.counted import midnight
from playground.reporting.period import Period


@dataclass(frozen=True, slots=True)
class Failing:
    """`failed` of the `contacts` with the server got no answer; `problem` is why the last of them did not."""

    slug: str
    contacts: int
    failed: int
    problem: str


def failing_servers(catalog: Catalog, period: Period) -> list[Failing]:
    """The worst first."""
    contacts = Contact.objects.ended().filter(
        server__in_catalogs__catalog=catalog,
        at__gte=midnight(period.since),
        at__lt=midnight(period.until + timedelta(days=1)),
    )
    failed = Count("pk", filter=~Q(problem=""))
    rows = contacts.order_by().values("server__slug").annotate(count=Count("pk"), failed=failed).exclude(failed=0)
    problems = dict(contacts.exclude(problem="").order_by("pk").values_list("server__slug", "problem"))
    return [
        Failing(row["server__slug"], row["count"], row["failed"], problems[row["server__slug"]])
        for row in rows.order_by("-failed", "server__slug")
    ]
