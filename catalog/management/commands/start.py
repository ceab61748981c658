"""`manage.py start`: from nothing to a served product, and a link to sign in with."""

import errno
import socket
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from catalog.auditing.commands import by_command
from catalog.indexing import corpus_of
from catalog.models import Catalog
from catalog.samples import load_sample
from catalog.serving import LOOPBACK, listen, serve
from catalog.sign_in_links import owner, sign_in_address


class Command(BaseCommand):
    help = "Prepare the database, load the sample on the first start, serve, and print a one-time sign-in link."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--no-sample", action="store_true", help="start with an empty catalog")

    def handle(self, *args: object, host: str, port: int, no_sample: bool, **options: Any) -> None:
        self._refuse_open_door(host)
        listener = self._listen(host, port)
        call_command("migrate", verbosity=0, interactive=False)
        with by_command("start"):
            person, is_new = owner()
        if is_new and not no_sample:
            self._load()
        address = f"http://{host}:{listener.getsockname()[1]}"
        with by_command("start"):
            link = sign_in_address(person, address)
        serve(listener, lambda: self._announce(link))

    def _load(self) -> None:
        self.stdout.write("Loading the sample catalog …")
        load_sample()
        for catalog in Catalog.objects.all():
            corpus_of(catalog)

    def _announce(self, link: str) -> None:
        self.stdout.write(f"\nPegboard is ready. Open this link to sign in (it works once):\n\n    {link}\n")
        self.stdout.write("Stop with Ctrl-C. For another link: manage.py sign_in_link\n")

    def _listen(self, host: str, port: int) -> socket.socket:
        """Take the port before anything else happens, so that a second start changes nothing."""
        try:
            return listen(host, port)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise CommandError(
                    f"Port {port} is in use; perhaps Pegboard runs already. Try --port {port + 1}."
                ) from None
            raise CommandError(f"Cannot listen on {host}:{port}: {error.strerror}.") from None

    def _refuse_open_door(self, host: str) -> None:
        if host not in LOOPBACK and not settings.SESSION_COOKIE_SECURE:
            raise CommandError(
                f"{host} can be reached from other machines. Put a proxy with TLS before Pegboard, "
                "then set PEGBOARD_HTTPS=1, PEGBOARD_HOSTS and PEGBOARD_ORIGINS."
            )
