"""The person whom the embedded form belongs to, and the link that signs them in."""

from django.contrib.auth.models import User
from django.urls import reverse

from catalog.models import SignInLink

OWNER = "owner"


def owner() -> tuple[User, bool]:
    """The admin of a fresh installation, made if nobody is there yet, and whether it was."""
    if person := User.objects.filter(is_superuser=True, is_active=True).order_by("pk").first():
        return person, False
    person = User(username=OWNER, is_staff=True, is_superuser=True)
    person.set_unusable_password()
    person.save()
    return person, True


def sign_in_address(person: User, address: str) -> str:
    """A one-time link for `person` at the product's own address."""
    return address + reverse("sign_in_link", args=[SignInLink.make(person)])
