"""Settings are loud: an odd value stops the start with one line; nothing slow or chatty happens at start-up."""

import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django.fixtures import Settings

from catalog import checks
from config.environment import env_bool, env_choice, env_embeddings, env_limits, env_number, env_url, secret_key_file

ROOT = Path(__file__).parents[2]


def test_an_odd_switch_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PEGBOARD_DEBUG", "maybe")
    with pytest.raises(ImproperlyConfigured, match="PEGBOARD_DEBUG is 'maybe'"):
        env_bool("PEGBOARD_DEBUG", False)


def test_an_odd_choice_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PEGBOARD_SANDBOX", "some")
    with pytest.raises(ImproperlyConfigured, match="auto, required, off"):
        env_choice("PEGBOARD_SANDBOX", "auto", ("auto", "required", "off"))


@pytest.mark.parametrize("named", ["", "local", "openai/text-embedding-3-small", "mistral/mistral-embed"])
def test_a_model_of_meanings_is_local_or_of_a_provider(monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    monkeypatch.setenv("PEGBOARD_EMBEDDINGS", named)
    assert env_embeddings("PEGBOARD_EMBEDDINGS") == named


@pytest.mark.parametrize(("named", "hint"), [("ollama/nomic", "openai/<model> and its address"), ("gpt", "voyage")])
def test_an_odd_model_of_meanings_is_refused(monkeypatch: pytest.MonkeyPatch, named: str, hint: str) -> None:
    monkeypatch.setenv("PEGBOARD_EMBEDDINGS", named)
    with pytest.raises(ImproperlyConfigured, match=hint):
        env_embeddings("PEGBOARD_EMBEDDINGS")


@pytest.mark.parametrize("address", ["models.test", "ftp://models.test", "https://me:secret@models.test"])
def test_an_odd_address_is_refused_and_not_repeated(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("PEGBOARD_EMBEDDINGS_URL", address)
    with pytest.raises(ImproperlyConfigured, match="http or https address") as caught:
        env_url("PEGBOARD_EMBEDDINGS_URL")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("text", ["soon", "0", "-1", "1.5", "²"])
def test_an_odd_number_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("PEGBOARD_OUTPUT_DAYS", text)
    with pytest.raises(ImproperlyConfigured, match="PEGBOARD_OUTPUT_DAYS is"):
        env_number("PEGBOARD_OUTPUT_DAYS", 7)


def test_limits_replace_some_of_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PEGBOARD_RUN_LIMITS", "turns=40, seconds=900")
    assert env_limits("PEGBOARD_RUN_LIMITS", {"turns": 25, "calls": 50, "seconds": 600}) == {
        "turns": 40,
        "calls": 50,
        "seconds": 900,
    }


@pytest.mark.parametrize("text", ["turns", "turns=0", "turns=many", "dollars=3", "turns=²", "=3"])
def test_an_odd_limit_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("PEGBOARD_RUN_LIMITS", text)
    with pytest.raises(ImproperlyConfigured, match="it must name some of turns, each with"):
        env_limits("PEGBOARD_RUN_LIMITS", {"turns": 25})


def test_a_number_that_may_be_none_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PEGBOARD_SESSION_IDLE_SECONDS", "0")
    assert env_number("PEGBOARD_SESSION_IDLE_SECONDS", 300, least=0) == 0
    monkeypatch.setenv("PEGBOARD_SESSION_IDLE_SECONDS", "-1")
    with pytest.raises(ImproperlyConfigured, match="0 or more"):
        env_number("PEGBOARD_SESSION_IDLE_SECONDS", 300, least=0)


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


def test_no_library_of_models_is_imported_to_serve_pages() -> None:
    code = "import sys, config.asgi; print({'litellm', 'openai', 'tokenizers'} & sys.modules.keys())"
    assert in_a_fresh_process(code) == "set()"


def test_every_setting_is_in_the_documents() -> None:
    source = (ROOT / "config" / "settings.py").read_text()
    document = (ROOT / "docs" / "settings.md").read_text()
    named = {word.strip('",)') for word in source.replace("(", " ").split() if word.startswith('"PEGBOARD_')}
    assert named
    assert all(f"`{name}`" in document for name in named)


def test_a_local_model_that_is_not_installed_is_said_at_the_start(settings: Settings) -> None:
    with patch.object(checks, "weights_folder", return_value=None):
        assert checks.check_local_model() == []
        settings.PEGBOARD_EMBEDDINGS = "local"
        assert [problem.hint for problem in checks.check_local_model()] == ["Run: make embeddings"]
