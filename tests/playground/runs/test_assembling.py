"""A run that cannot begin as it is set up says what has to change."""

from typing import Any

import pytest

from catalog.models import Catalog
from playground.models import ChatModel, Run, Thread
from playground.models.chat_model import SCRIPTED
from playground.runs.assembling import CannotRunError, assemble


@pytest.mark.parametrize(
    ("setup", "said"),
    [
        ({"mode": "telepathy"}, "a mode that is not there: telepathy"),
        ({"engine": "altavista"}, "an engine that is not there: altavista"),
        ({"mode_options": {"offload_over": "much"}}, "settings that cannot be taken"),
        ({"engine": "mastra", "engine_settings": {"min_score": "high"}}, "settings that cannot be taken"),
    ],
)
def test_a_catalog_that_cannot_be_run_says_why(team: Catalog, setup: dict[str, Any], said: str) -> None:
    for name, value in setup.items():
        setattr(team, name, value)
    team.save()
    model, _ = ChatModel.objects.get_or_create(name=SCRIPTED, defaults={"title": "Demo"})
    run = Run.objects.create(thread=Thread.objects.create(title="t"), task="t", catalog=team, chat_model=model)
    with pytest.raises(CannotRunError, match=said):
        assemble(run.pk)
