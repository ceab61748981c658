"""Name and password, of which too many that failed make one wait."""

from datetime import datetime
from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils import timezone

from catalog.auditing.recording import Act, record
from catalog.sign_in_tries import MustWaitError, Try, begin_try

COOKIE = "pegboard_known"


class SignInForm(AuthenticationForm):
    """`wait` is how many seconds nobody is let try, where that is so."""

    wait = 0

    def clean(self) -> dict[str, Any]:
        name = self.cleaned_data.get("username")
        if not name or not self.cleaned_data.get("password"):
            return super().clean()
        try:
            this = begin_try(
                name, self._sent("REMOTE_ADDR"), self.request.COOKIES.get(COOKIE, "") if self.request else ""
            )
        except MustWaitError as error:
            raise self._waiting(error.until) from None
        try:
            cleaned: dict[str, Any] = super().clean()
        except ValidationError:
            self._tell(name, this)
            raise
        this.was_good()
        return cleaned

    def _sent(self, name: str) -> str:
        return str(self.request.META.get(name) or "") if self.request else ""

    def _tell(self, name: str, failed: Try) -> None:
        """In the audit, once: with the failure from which on one has to wait."""
        if until := failed.must_wait:
            person = User.objects.filter(username=name).first()
            record(
                Act.SIGN_IN_HELD_OFF, person or "an unknown name", after={"until": until.isoformat(timespec="seconds")}
            )

    def _waiting(self, until: datetime) -> ValidationError:
        self.wait = max(1, round((until - timezone.now()).total_seconds()))
        minutes = -(-self.wait // 60)
        return ValidationError(
            f"Too many tries failed. Try again in {minutes} minute{'' if minutes == 1 else 's'}; "
            "a sign-in link works at once.",
            code="must-wait",
        )
