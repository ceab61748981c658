"""The app in which a model is watched finding its tools."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class PlaygroundConfig(AppConfig):
    name = "playground"
    verbose_name = "Playground"

    def ready(self) -> None:
        post_migrate.connect(_ensure_demo_model, sender=self)
        _tell_the_lint()
        _tell_what_was_asked()
        _tell_engines_of_modes()
        _tell_the_audit()
        _tell_who_writes()


def _ensure_demo_model(**_: Any) -> None:
    """The demo model is there in every database that has tables."""
    from playground.models.chat_model import SCRIPTED, ChatModel

    ChatModel.objects.get_or_create(name=SCRIPTED, defaults={"title": "Demo model (scripted, no LLM)"})


def _tell_the_lint() -> None:
    """The catalog knows nothing of runs."""
    from catalog.linting import sources
    from playground.recorded_searches import heard

    sources.heard = heard


def _tell_what_was_asked() -> None:
    from catalog.whatif.known import sources
    from playground.recorded_searches import recorded

    sources.recorded = recorded


def _tell_engines_of_modes() -> None:
    from catalog.asked_engine import modes
    from playground.modes import engine_of_mode

    modes.engine_of = engine_of_mode


def _tell_the_audit() -> None:
    from catalog.auditing.kinds import KINDS
    from playground.audited_kinds import PLAYGROUND_KINDS

    KINDS.update(PLAYGROUND_KINDS)


def _tell_who_writes() -> None:
    from catalog.whatif.writers import sources
    from playground.writers import writers

    sources.writers = writers
