"""`manage.py sign_in_link`: another one-time link."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from catalog.auditing.commands import by_command
from catalog.management.prepared import PreparedCommand
from catalog.sign_in_links import owner, sign_in_address


class Command(PreparedCommand):
    help = "Print a one-time sign-in link; links printed before cease to work."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", nargs="?", help="whom it signs in; the first admin if left out")
        parser.add_argument("--address", default="http://127.0.0.1:8000", help="where Pegboard is served")

    def handle(self, *args: object, username: str | None, address: str, **options: Any) -> None:
        person = User.objects.filter(username=username, is_active=True).first() if username else owner()[0]
        if person is None:
            raise CommandError(f"There is no active person named {username}.")
        with by_command("sign_in_link"):
            self.stdout.write(sign_in_address(person, address.rstrip("/")))
