"""The table of defences, by what they are about. Each row of docs/threats.md has at least one."""

from tests.product.threats.taking_out.defences.addresses import ADDRESSES
from tests.product.threats.taking_out.defences.calls import CALLS
from tests.product.threats.taking_out.defences.commands import COMMANDS
from tests.product.threats.taking_out.defences.definitions import DEFINITIONS
from tests.product.threats.taking_out.defences.links import LINKS
from tests.product.threats.taking_out.defences.pages import PAGES
from tests.product.threats.taking_out.defences.parsers import PARSERS
from tests.product.threats.taking_out.defences.people import PEOPLE
from tests.product.threats.taking_out.defences.secrets import SECRETS

DEFENCES = sorted(
    (*COMMANDS, *ADDRESSES, *PAGES, *PEOPLE, *LINKS, *SECRETS, *DEFINITIONS, *CALLS, *PARSERS),
    key=lambda defence: defence.threat,
)
