"""Calling a skill: its text is the result, read from the database."""

import pytest

from catalog.importing import import_listing
from catalog.models import Server, Tool
from catalog.sources.skills import read
from catalog.tools import ToolSpec
from playground.runs import skill_calls
from tests.catalog.sources.test_skills import GOOD, zipped

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def skill(transactional_db: None) -> ToolSpec:
    server = Server.objects.create(slug="skills", title="Skills", kind=Server.Kind.SKILLS)
    import_listing(server, read(zipped({"tidy-up/SKILL.md": GOOD, "tidy-up/refs/desk.md": "# Desk"})))
    return Tool.objects.select_related("server").get().to_spec()


async def test_a_call_returns_the_instructions_or_a_file(skill: ToolSpec) -> None:
    assert (await skill_calls.run(skill, {})).content == "# Tidy up\n\nFirst the desk."
    assert (await skill_calls.run(skill, {"file": "refs/desk.md"})).content == "# Desk"


@pytest.mark.parametrize("file", ["../../etc/passwd", "SKILL.md/..", "nothing.md", 5])
async def test_a_file_that_it_does_not_have_is_an_error_for_the_model(skill: ToolSpec, file: object) -> None:
    result = await skill_calls.run(skill, {"file": file})
    assert result.is_error
    assert result.content.startswith("The arguments do not fit: ")


async def test_a_skill_that_was_removed_meanwhile_says_so(skill: ToolSpec) -> None:
    await Tool.objects.all().adelete()
    result = await skill_calls.run(skill, {})
    assert result.is_error
    assert "changed or removed while this ran" in result.content
