"""Addresses of what stands behind a number of a report."""

from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils.http import urlencode

from playground.reporting.period import Period


@dataclass(frozen=True, slots=True)
class Links:
    """Of the report of one catalog (its short name) over a period."""

    catalog: str
    period: Period

    def within(self, period: Period) -> "Links":
        """Of another period."""
        return replace(self, period=period)

    def runs(self, **filters: str) -> str:
        """The list of runs that the report counts, narrowed."""
        own = {"catalog": self.catalog, **_days(self.period), "nested": "own"}
        return f"{reverse('runs')}?{urlencode({**own, **filters})}"

    @property
    def report(self) -> str:
        return self._own("catalog_report", _days(self.period))

    def searches(self, **filters: str) -> str:
        return self._own("catalog_report_searches", {**_days(self.period), **filters})

    def tools(self, **filters: str) -> str:
        return self._own("catalog_report_tools", {**_days(self.period), **filters})

    def findings(self, rule: str) -> str:
        """What a rule found in the runs that the report counts."""
        days = {f"{name}_day": day for name, day in _days(self.period).items()}
        return f"{reverse('run_findings')}?{urlencode({'catalog': self.catalog, 'rule': rule, **days})}#results"

    def version(self, number: int) -> str:
        return reverse("catalog_version", args=[self.catalog, number])

    @property
    def versions(self) -> str:
        return reverse("catalog_versions", args=[self.catalog])

    def file(self, address: str, **parts: str) -> str:
        """Of an export, by the name of its address."""
        return self._own(address, _days(self.period), **parts)

    def _own(self, address: str, filters: dict[str, str], **parts: str) -> str:
        return f"{reverse(address, kwargs={'slug': self.catalog, **parts})}?{urlencode(filters)}"


def tool_page(server: str, name: str) -> str:
    return reverse("tool", args=[server, name])


def server_page(slug: str) -> str:
    return reverse("server", args=[slug])


def _days(period: Period) -> dict[str, str]:
    return {"since": period.since.isoformat(), "until": period.until.isoformat()}
