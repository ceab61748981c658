"""The kinds of rows of the playground that the audit tells of. Of a run it keeps no word that a person wrote."""

from typing import Any

from catalog.auditing.facts import Secret
from catalog.auditing.kinds import Kind
from playground.models import ChatModel


def of_chat_model(model: ChatModel) -> dict[str, Any]:
    names = ("title", "name", "base_url", "prompt_price", "completion_price", "cached_price", "enabled")
    key = {"key": Secret(model.api_key)} if model.api_key else {}
    return {**{name: getattr(model, name) for name in names}, **key}


PLAYGROUND_KINDS = {
    kind.label: kind
    for kind in (
        Kind("chat model", "playground.ChatModel", ("pk",), "title", "chat_model_edit", "pk", of_chat_model),
        Kind("run", "playground.Run", ("pk",), "", "run", "pk"),
    )
}
