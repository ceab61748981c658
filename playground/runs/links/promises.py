"""Whether a tool is still what the run was offered, and whether its answer is what its source promised."""

from collections.abc import Collection
from datetime import datetime

from catalog.invisible import cleaned_json
from catalog.meaning import change_kinds, changes_meaning
from catalog.models import Tool, ToolVersion
from catalog.planning import upstream_hash, upstream_of
from catalog.sources.arguments import check_result
from catalog.sources.call_outcome import CallOutcome
from catalog.sources.listing import Listing
from catalog.tools import ToolSpec

HELD_BACK = "held back: its definition is not the one that was offered"
"""What the way of the call says of it."""
_ADVICE = "It was not sent. Use another tool, or say what is missing."


def why_not_as_offered(offered: ToolSpec, row: Tool | None, since: datetime) -> str:
    """Why a call must not be sent, as a sentence for the model; empty if it may. `since` is when the run was set up.

    A change that waited for review before then holds nothing back: what is in force is what was offered.
    """
    if row is None:
        return ""
    if row.gone_at:
        return f"{offered.name} is gone: its server no longer lists it. {_ADVICE}"
    if changes_meaning(change_kinds({"parameters": offered.parameters}, {"parameters": cleaned_json(row.parameters)})):
        return f"{offered.name} takes other parameters now than when it was offered. {_ADVICE}"
    drift = row.drifts.waiting().filter(changes_meaning=True, found_at__gte=since).first()
    kinds = drift.kinds if drift else _accepted(row, since)
    return _changed(offered.name, ", ".join(kinds)) if kinds else ""


def _accepted(row: Tool, since: datetime) -> Collection[str]:
    """Which kinds of change came into force since then, where they change its meaning; how it is called is among them."""
    said = row.versions.filter(layer=ToolVersion.Layer.UPSTREAM)
    if not said.filter(at__gte=since).exists() or (before := said.filter(at__lt=since).first()) is None:
        return ()
    kinds = change_kinds({**row.upstream(), **before.content}, row.upstream())
    return kinds if changes_meaning(kinds) else ()


def changed_meanwhile(row: Tool | None, known: Collection[str], listing: Listing | None) -> str:
    """As `why_not_as_offered`, by what the server lists since it said that its tools changed; None if it never did.

    `known` are the digests of definitions that waited for review, or were refused, already.
    """
    if row is None or listing is None:
        return ""
    now = next((tool for tool in listing.tools if tool.name == row.name), None)
    if now is None:
        return f"{row.name} is gone: its server no longer lists it. {_ADVICE}"
    upstream = upstream_of(now)
    if upstream_hash(upstream) in known:
        return ""
    kinds = change_kinds(row.upstream(), upstream)
    return _changed(row.name, ", ".join(kinds)) if changes_meaning(kinds) else ""


def broken_promise(row: Tool | None, outcome: CallOutcome) -> str:
    """How an answer differs from the tool's output schema; empty if it does not, or if there is none."""
    if row is None or not row.output_schema or outcome.is_error:
        return ""
    if outcome.structured is None:
        return "it promised structured content and sent none"
    problems = check_result(outcome.structured, row.output_schema)
    return f"its result is not what it promised: {'; '.join(problems)}" if problems else ""


def _changed(name: str, kinds: str) -> str:
    return f"The server changed what {name} means while this ran ({kinds}), and a person has to look at that first. {_ADVICE}"
