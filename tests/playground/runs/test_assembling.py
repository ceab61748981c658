"""A run that cannot begin as it is set up says what has to change."""

from typing import Any

import pytest

from catalog.models import Catalog
from playground.models import ChatModel, Run, Thread
from playground.models.chat_model import SCRIPTED
from playground.runs.assembling import CannotRunError, assemble, limits_of
from playground.runs.executing import start
from playground.runs.nested import AgentRuns


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
        assemble(run.pk, AgentRuns(run.pk, start))


def test_limits_are_the_runs_then_the_settings_and_never_more_than_the_most(settings: Any) -> None:
    settings.PEGBOARD_RUN_LIMITS = {"turns": 25, "calls": 50, "tokens": 900, "seconds": 60}
    settings.PEGBOARD_RUN_LIMITS_MOST = {"turns": 30, "calls": 500, "tokens": 800, "seconds": 600}
    limits = limits_of(Run(limits={"turns": 90, "calls": 7}))
    assert (limits.turns, limits.calls, limits.tokens, limits.seconds, limits.dollars) == (30, 7, 800, 60, None)
    assert limits_of(Run(limits={"dollars": 0.25})).dollars == 0.25
