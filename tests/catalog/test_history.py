"""What changed of a tool over time."""

from catalog.editing import save_overlay
from catalog.history import edits_of, history_of
from catalog.importing import import_listing
from catalog.models import Catalog, Server, Tool
from catalog.sources.listing import read_listing


def test_each_version_tells_what_it_changed_on_its_layer(team: Catalog) -> None:
    tool = Tool.objects.get(name="notify_user")
    tool.search_text = "tell"
    save_overlay(tool, by=None)
    import_listing(Server.objects.get(), read_listing([{"name": "notify_user", "description": "Now short."}]))
    history = history_of(Tool.objects.get(name="notify_user"), 10)
    assert [[name for name, _, _ in entry.changes] for entry in history] == [
        ["description", "tags"],
        ["search_text"],
        [],
    ]
    assert history[0].changes[0] == ("description", "Send a direct message to one person.", "Now short.")


def test_the_oldest_shown_is_still_compared_with_the_one_before_it(team: Catalog) -> None:
    tool = Tool.objects.get(name="notify_user")
    for words in ("tell", "tell write"):
        tool.search_text = words
        save_overlay(tool, by=None)
    (entry,) = history_of(tool, 1)
    assert entry.changes == (("search_text", "tell", "tell write"),)


def test_a_version_of_the_source_that_is_not_the_first_is_not_told_as_the_first(team: Catalog) -> None:
    tool = Tool.objects.get(name="notify_user")
    for words in ("tell", "tell write"):
        tool.search_text = words
        save_overlay(tool, by=None)
    import_listing(Server.objects.get(), read_listing([{"name": "notify_user", "description": "Now short."}]))
    (entry,) = history_of(Tool.objects.get(name="notify_user"), 1)
    assert [name for name, _, _ in entry.changes] == ["description", "tags"]


def test_edits_are_the_fields_in_which_a_model_reads_something_else(team: Catalog) -> None:
    tool = Tool.objects.get(name="notify_user")
    assert edits_of(tool) == []
    tool.own_description, tool.own_tags = "Write to one person.", []
    assert edits_of(tool) == [
        ("description", "Send a direct message to one person.", "Write to one person."),
        ("tags", ["chat"], []),
    ]
