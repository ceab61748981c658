"""Tools out of the rows and in again, by page and by command."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from catalog.importing import import_listing
from catalog.models import Server, Tool
from catalog.sources import tool_file
from catalog.sources.listing import Listing
from catalog.writing.tools import written_tools

pytestmark = pytest.mark.django_db

DECLARED = """tools:
- name: find
  display:
    en: Find
    zh-CN: 查找
  description: Finds a file.
  available: false
  searchable: false
  category: files
  tags:
  - read
  permission: read
  platforms:
  - linux
  aliases:
  - lookup
  search_text: locate
  parameters:
    type: object
    properties:
      query:
        type: string
  annotations:
    readOnlyHint: true
  simulated_result:
    found: '{query}'
- name: wait
  description: |-
    Waits.
    Then goes on.
"""


def said(*command: str) -> str:
    out = StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


def add(slug: str, listing: Listing) -> Server:
    server = Server.objects.create(slug=slug, title=slug.title(), kind=Server.Kind.FILE)
    import_listing(server, listing)
    return server


@pytest.fixture
def files() -> Server:
    return add("files", tool_file.read(DECLARED.encode()))


def test_a_file_that_was_imported_is_written_as_it_was(files: Server) -> None:
    assert said("export_tools", "files") == DECLARED


def test_what_was_declared_switched_off_is_off_from_the_start_and_then_peoples_to_say(files: Server) -> None:
    tool = Tool.objects.get(name="find")
    assert (tool.enabled, tool.searchable, tool.platforms) == (False, False, ["linux"])
    Tool.objects.update(enabled=True)
    import_listing(files, tool_file.read(DECLARED.encode()))
    assert Tool.objects.get(name="find").enabled


def test_edits_of_this_house_go_along(files: Server) -> None:
    Tool.objects.filter(name="wait").update(own_description="Rests.", own_tags=["slow"], own_permission="execute")
    [_, tool] = tool_file.read(said("export_tools", "files").encode()).tools
    assert (tool.description, tool.tags, tool.permission) == ("Rests.", ("slow",), "execute")


def test_tools_of_several_servers_come_back_apart(files: Server) -> None:
    add("desk", Listing(tool_file.read(b'[{"name": "find"}]').tools))
    names = [tool.name for tool in tool_file.read(said("export_tools").encode()).tools]
    assert names == ["desk__find", "files__find", "files__wait"]
    mcp = json.loads(said("export_tools", "--as", "mcp"))
    assert [tool["name"] for tool in mcp["tools"]] == names
    assert [tool["name"] for tool in json.loads(said("export_tools", "desk", "--as", "mcp"))["tools"]] == ["find"]


def test_what_a_model_is_given_names_tools_as_models_call_them(files: Server) -> None:
    openai = json.loads(said("export_tools", "--as", "openai", "--matching", "waits"))
    assert [tool["function"]["name"] for tool in openai] == ["files__wait"]
    anthropic = json.loads(said("export_tools", "--as", "anthropic"))
    assert [tool["name"] for tool in anthropic] == ["files__find", "files__wait"]


def test_a_file_is_written_and_one_that_cannot_be_is_told(files: Server, tmp_path: Path) -> None:
    said("export_tools", "files", "--output", str(tmp_path / "out.yaml"))
    assert (tmp_path / "out.yaml").read_text() == DECLARED
    with pytest.raises(CommandError, match="cannot be written"):
        said("export_tools", "--output", str(tmp_path / "nowhere" / "out.yaml"))
    with pytest.raises(CommandError, match="no server named nobody"):
        said("export_tools", "nobody")


def test_the_tools_page_offers_what_its_filters_show(viewer: Client, files: Server) -> None:
    page = viewer.get("/tools/?q=waits").content.decode()
    assert '"/tools/export/anthropic?q=waits"' in page
    answer: Any = viewer.get("/tools/export/yaml?q=waits")
    assert answer["Content-Disposition"] == 'attachment; filename="tools.yaml"'
    assert [tool.name for tool in tool_file.read(b"".join(parts_of(answer))).tools] == ["wait"]
    assert viewer.get("/tools/export/odd").status_code == 404
    assert viewer.get("/tools/export/yaml?server=odd").status_code == 404


def test_a_long_file_is_sent_in_parts(viewer: Client, files: Server) -> None:
    now = timezone.now()
    Tool.objects.bulk_create(Tool(server=files, name=f"t{place:03}", last_seen_at=now) for place in range(250))
    parts = parts_of(viewer.get("/tools/export/mcp"))
    assert len(parts) > 2
    assert len(json.loads(b"".join(parts))["tools"]) == 252


def parts_of(answer: Any) -> list[bytes]:
    async def parts() -> list[bytes]:
        return [part async for part in answer.streaming_content]

    return async_to_sync(parts)()


def test_skills_are_no_tools_to_be_written(files: Server) -> None:
    Tool.objects.filter(name="wait").update(capability="skill")
    text = "".join(written_tools(Tool.objects.here(), "yaml"))
    assert len(tool_file.read(text.encode()).tools) == 1 and "wait" not in text
