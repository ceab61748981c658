"""Tries to sign in by password: whoever failed too often waits.

What counts is an account at an address, and an address. An account alone counts nothing, so that no stranger can keep
somebody else out. A browser in which somebody signed in before is counted by itself for that account, so that tries of
others from the same address, as behind one proxy, do not keep them out either.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network

from django.core import signing
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from catalog.models import FailedSignIn

WINDOW = timedelta(minutes=15)
"""How long a failure counts."""
MOST_OF_ACCOUNT = 5
"""Failures with one account at one address."""
MOST_OF_ADDRESS = 30
"""Failures at one address, whatever the account."""
MOST_OF_BROWSER = 10
KNOWN_FOR = timedelta(days=365)
"""How long a browser is known after a sign-in."""
_SALT = "pegboard.known-browser"


class MustWaitError(Exception):
    """Nothing was tried. `until` is when it may be."""

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


@dataclass(frozen=True, slots=True)
class Try:
    """One that was begun, and counts as failed until it is said to be good. `bounds` are keys, each with the most failures."""

    bounds: Sequence[tuple[str, int]]
    rows: Sequence[int]

    def was_good(self) -> None:
        """Failures before it count no more; those of its address with other accounts do."""
        FailedSignIn.objects.filter(pk__in=self.rows).delete()
        FailedSignIn.objects.filter(key=self.bounds[0][0]).delete()

    @property
    def must_wait(self) -> datetime | None:
        """Until when the next one has to wait now."""
        return _until(self.bounds)


@transaction.atomic
def begin_try(name: str, address: str, known: str) -> Try:
    """`known` is what `known_browser` gave to the browser, or whatever it sends. Raises MustWaitError."""
    bounds = _bounds(name, address, known)
    if until := _until(bounds):
        raise MustWaitError(until)
    now = timezone.now()
    FailedSignIn.objects.filter(at__lt=now - WINDOW).delete()
    rows = FailedSignIn.objects.bulk_create([FailedSignIn(key=key, at=now) for key, _ in bounds])
    return Try(bounds, [row.pk for row in rows])


def known_browser(name: str) -> str:
    """For a browser in which somebody just signed in by that name."""
    return signing.dumps([_digest("name", name), secrets.token_hex(16)], salt=_SALT)


def _bounds(name: str, address: str, known: str) -> list[tuple[str, int]]:
    if browser := _browser(name, known):
        return [(_digest("browser", browser), MOST_OF_BROWSER)]
    network = _network(address)
    return [(_digest("account", name, network), MOST_OF_ACCOUNT), (_digest("address", network), MOST_OF_ADDRESS)]


def _until(bounds: Sequence[tuple[str, int]]) -> datetime | None:
    return max((until for key, most in bounds if (until := _until_of(key, most))), default=None)


def _until_of(key: str, most: int) -> datetime | None:
    since = timezone.now() - WINDOW
    times = list(FailedSignIn.objects.filter(key=key, at__gt=since).order_by("-at").values_list("at", flat=True)[:most])
    return times[-1] + WINDOW if len(times) == most else None


def _browser(name: str, known: str) -> str:
    """Empty where the browser is not known for that name."""
    try:
        whose, browser = signing.loads(known, salt=_SALT, max_age=KNOWN_FOR)
    except (signing.BadSignature, ValueError, TypeError):
        return ""
    return str(browser) if whose == _digest("name", name) else ""


def _network(address: str) -> str:
    """Of IPv6 the 64 bits that one household or machine has; what is no address as it is."""
    try:
        read = ip_address(address)
    except ValueError:
        return address
    if isinstance(read, IPv6Address):
        return str(read.ipv4_mapped or ip_network(f"{read}/64", strict=False).network_address)
    return str(read)


def _digest(*parts: str) -> str:
    return salted_hmac(_SALT, "\0".join(part.casefold() for part in parts), algorithm="sha256").hexdigest()
