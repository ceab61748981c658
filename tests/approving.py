"""An admin's word for a server, as tests give it."""

from django.contrib.auth.models import User
from django.utils import timezone

from catalog.models import Server


def approve(server: Server) -> None:
    """As it stands. The row is written, too."""
    server.approve(User.objects.get_or_create(username="an-admin")[0], timezone.now())
    server.save()
