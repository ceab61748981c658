"""`manage.py verify_audit`: whether the chain of audit entries fits, and if not, the first entry that does not."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from catalog.auditing.sealing import pruned_end, seal, verify
from catalog.management.prepared import PreparedCommand
from catalog.models import AuditEntry


class Command(PreparedCommand):
    help = (
        "Verify the audit: name the first entry that was changed, taken out or put in, and fail; or tell its last hash."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--has", metavar="HASH", help="a hash told earlier, which must still be in the chain")

    def handle(self, *args: object, has: str | None, **options: Any) -> None:
        seal()
        if misfit := verify():
            raise CommandError(misfit.reason)
        sealed, (pruned, pruned_hash) = AuditEntry.objects.sealed(), pruned_end()
        if has and has != pruned_hash and not sealed.filter(hash=has).exists():
            raise CommandError(
                "The chain fits, but no entry has this hash: its end was taken off, or all was written anew."
            )
        last = sealed.last()
        if last is None:
            self.stdout.write("The audit is empty.")
            return
        cut = f", after {pruned:,} that were pruned" if pruned else ""
        self.stdout.write(f"{sealed.count():,} entries fit{cut}. The last is {last.number:,}, its hash {last.hash}")
