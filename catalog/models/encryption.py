"""A field whose JSON value is encrypted in the database, with a key that lies outside it."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.db import models

LOCKED = "locked"
"""What stands in place of a value whose key is gone."""


@cache
def _fernet(key_file: Path) -> Fernet:
    if not key_file.exists():
        key_file.touch(mode=0o600)
        key_file.write_bytes(Fernet.generate_key())
    return Fernet(key_file.read_bytes())


def fernet() -> Fernet:
    """The cipher of this installation; its key is made on first use."""
    return _fernet(Path(settings.ENCRYPTION_KEY_FILE))


class EncryptedJSONField(models.TextField[Any, Any]):
    """Text names to secret text values, or any JSON. A value that cannot be decrypted reads as `{"locked": ""}`.

    That there are no names is no secret: `{}` is an empty text, so that a list of servers decrypts those that have some.
    """

    def get_prep_value(self, value: Any) -> str:
        return "" if value == {} else fernet().encrypt(json.dumps(value).encode()).decode()

    def from_db_value(self, value: str | None, *_: object) -> Any:
        if not value:
            return {}
        try:
            return json.loads(fernet().decrypt(value.encode()))
        except InvalidToken:
            return {LOCKED: ""}
