"""Reading settings from the environment, typed and loud: an odd value stops the start with one clear line."""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

from catalog.embedding.providers import OVER_HTTP, OVER_SDK

Choice = TypeVar("Choice", bound=str)
EMBEDDING_PROVIDERS = OVER_SDK | OVER_HTTP
_POLICY_NAME = re.compile(r"[A-Za-z0-9_-]{1,60}")
_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")
_BOOLEANS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


def env_text(name: str, default: str) -> str:
    return os.environ.get(name) or default


def env_bool(name: str, default: bool) -> bool:
    text = os.environ.get(name)
    if not text:
        return default
    if text.lower() not in _BOOLEANS:
        raise ImproperlyConfigured(f"{name} is {text!r}; it must be one of {', '.join(_BOOLEANS)}")
    return _BOOLEANS[text.lower()]


def env_choice(name: str, default: Choice, choices: Sequence[Choice]) -> Choice:
    text = env_text(name, default)
    for choice in choices:
        if text == choice:
            return choice
    raise ImproperlyConfigured(f"{name} is {text!r}; it must be one of {', '.join(choices)}")


def env_url(name: str) -> str:
    """An http or https address without a name or a password in it; empty if it is not set."""
    text = env_text(name, "")
    parts = urlsplit(text)
    if text and (parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password):
        raise ImproperlyConfigured(f"{name} must be an http or https address, without a name or a password in it")
    return text.rstrip("/")


def env_embeddings(name: str) -> str:
    """`local`, or `provider/model` with a provider that Pegboard reaches through LiteLLM; empty if it is not set."""
    text = env_text(name, "")
    provider, _, model = text.partition("/")
    if text == "local" or not text or (provider in EMBEDDING_PROVIDERS and model):
        return text
    hint = " (Ollama speaks OpenAI’s protocol: openai/<model> and its address with /v1)" if provider == "ollama" else ""
    known = ", ".join(sorted(EMBEDDING_PROVIDERS))
    raise ImproperlyConfigured(f"{name} is {text!r}{hint}; it must be local, or <provider>/<model> with one of {known}")


def env_number(name: str, default: int, least: int = 1) -> int:
    """A whole number of `least` or more."""
    text = env_text(name, str(default))
    if not (text.isascii() and text.isdigit() and int(text) >= least):
        raise ImproperlyConfigured(f"{name} is {text!r}; it must be a whole number, {least} or more")
    return int(text)


def env_limits(name: str, default: Mapping[str, int]) -> dict[str, int]:
    """Some of the default's numbers replaced, as `turns=40,seconds=900`; whole numbers of 1 or more."""
    given = dict(part.partition("=")[::2] for part in env_list(name, []))
    for key, text in given.items():
        if key not in default or not (text.isascii() and text.isdigit() and int(text)):
            raise ImproperlyConfigured(
                f"{name} has {key}={text}; it must name some of {', '.join(default)}, each with a whole number, 1 or more"
            )
    return {**default, **{key: int(text) for key, text in given.items()}}


def env_list(name: str, default: Sequence[str]) -> list[str]:
    """Comma-separated values."""
    return [part.strip() for part in os.environ.get(name, "").split(",") if part.strip()] or list(default)


def env_policies(name: str) -> dict[str, str]:
    """`name=package.module:function`, comma-separated, by name. Nothing is imported yet."""
    found: dict[str, str] = {}
    for entry in env_list(name, []):
        key, equals, path = (part.strip() for part in entry.partition("="))
        if not (equals and _POLICY_NAME.fullmatch(key) and _DOTTED.fullmatch(path)) or key in found:
            raise ImproperlyConfigured(f"{name} has {entry!r}; write name=package.module:function, each name once")
        found[key] = path
    return found


def env_path(name: str, default: Path) -> Path:
    path = Path(env_text(name, str(default))).expanduser().resolve()
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def secret_key_file(path: Path) -> str:
    """The key in `path`, made on the first start. Refuses a file that others may read."""
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(get_random_secret_key())
    if path.stat().st_mode & 0o077:
        raise ImproperlyConfigured(f"{path} can be read by others; run: chmod 600 {path}")
    return path.read_text()
