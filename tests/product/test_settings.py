"""Settings are loud: an odd value stops the start with one line; nothing slow or chatty happens at start-up."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.environment import env_bool, env_choice, env_number, secret_key_file

ROOT = Path(__file__).parents[2]


def test_an_odd_switch_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PEGBOARD_DEBUG", "maybe")
    with pytest.raises(ImproperlyConfigured, match="PEGBOARD_DEBUG is 'maybe'"):
        env_bool("PEGBOARD_DEBUG", False)


def test_an_odd_choice_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PEGBOARD_SANDBOX", "some")
    with pytest.raises(ImproperlyConfigured, match="auto, required, off"):
        env_choice("PEGBOARD_SANDBOX", "auto", ("auto", "required", "off"))


@pytest.mark.parametrize("text", ["soon", "0", "-1", "1.5", "²"])
def test_an_odd_number_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("PEGBOARD_OUTPUT_DAYS", text)
    with pytest.raises(ImproperlyConfigured, match="PEGBOARD_OUTPUT_DAYS is"):
        env_number("PEGBOARD_OUTPUT_DAYS", 7)


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "key"
    assert secret_key_file(path) == secret_key_file(path)
    path.chmod(0o644)
    with pytest.raises(ImproperlyConfigured, match="chmod 600"):
        secret_key_file(path)


def in_a_fresh_process(code: str) -> str:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}
    outcome = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return outcome.stdout.strip()


def test_litellm_is_not_imported_to_serve_pages() -> None:
    code = "import sys, config.asgi; print('litellm' in sys.modules)"
    assert in_a_fresh_process(code) == "False"


def test_every_setting_is_in_the_documents() -> None:
    source = (ROOT / "config" / "settings.py").read_text()
    document = (ROOT / "docs" / "settings.md").read_text()
    named = {word.strip('",)') for word in source.replace("(", " ").split() if word.startswith('"PEGBOARD_')}
    assert named
    assert all(f"`{name}`" in document for name in named)
