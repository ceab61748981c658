"""The person whom the embedded form belongs to, and the link that signs them in."""

from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse

from catalog.auditing.recording import Act, audited, record
from catalog.models import SignInLink

OWNER = "owner"


def owner() -> tuple[User, bool]:
    """The admin of a fresh installation, made if nobody is there yet, and whether it was."""
    if person := User.objects.filter(is_superuser=True, is_active=True).order_by("pk").first():
        return person, False
    person = User(username=OWNER, is_staff=True, is_superuser=True)
    person.set_unusable_password()
    with audited(Act.PERSON_ADDED, person):
        person.save()
    return person, True


def sign_in_address(person: User, address: str) -> str:
    """A one-time link for `person` at the product's own address."""
    with transaction.atomic():
        token = SignInLink.make(person)
        record(Act.LINK_MADE, person)
    return address + reverse("sign_in_link", args=[token])
