"""A transcript as a model is sent it: searches of a provider are told only to one that can read them."""

from playground.agent.messages import to_chat
from playground.transcript import AssistantMessage, ProviderSearch, ToolCall, ToolMessage, UserMessage

SEARCH = ProviderSearch("search_1", "weather", ("get_weather", "gone"))
SEARCHED = (
    UserMessage("Weather?"),
    AssistantMessage("", searches=(SEARCH,)),
    AssistantMessage("I look.", (ToolCall("a", "get_weather"),), (SEARCH,)),
    ToolMessage("a", "get_weather", "sunny"),
)


def test_another_provider_is_told_nothing_of_a_search() -> None:
    messages = to_chat("", SEARCHED)
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "tool"]
    assert not any("searches" in message for message in messages)


def test_a_provider_that_is_handed_tools_is_told_of_those_that_it_has() -> None:
    messages = to_chat("", SEARCHED, handed={"get_weather"})
    assert [search["names"] for search in messages[2]["searches"]] == [("get_weather",)]
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "assistant", "tool"]
