"""The secrets that a run could come across, so that its record can be kept clean of them."""

import os
from collections.abc import Iterator

from catalog.models import App, Catalog, Server, ServerSignIn
from playground.models import ChatModel, Run
from playground.runs.family import ancestors

LONG_ENOUGH = 12
"""Characters from which a word inside a secret (`Bearer abcdef…`) counts as one by itself."""


def key_of(chat_model: ChatModel) -> str:
    """The model's own key, else its provider's usual environment variable, which never goes to an address of one's own."""
    if chat_model.api_key or chat_model.base_url:
        return chat_model.api_key
    provider = chat_model.name.partition("/")[0]
    return os.environ.get(f"{provider.upper()}_API_KEY", "")


def secrets_of_run(run: Run) -> Iterator[str]:
    """Those of a run, and of the runs that it is nested in."""
    for one in (run, *ancestors(run)):
        yield from secrets_of(one.catalog, one.chat_model)


def secrets_of(catalog: Catalog | None, chat_model: ChatModel | None) -> Iterator[str]:
    """The chat model's key, and the values that the catalog's servers are started or asked with."""
    if chat_model:
        yield key_of(chat_model)
    for server in Server.objects.filter(in_catalogs__catalog=catalog) if catalog else ():
        yield from secrets_of_server(server)


def secrets_of_server(server: Server) -> Iterator[str]:
    """What it is started or asked with, the tokens of a sign-in, and what calls to an app are signed with."""
    for value in [*server.env.values(), *server.headers.values(), *server.credential_secrets]:
        yield value
        yield from (word for word in value.replace(":", " ").split() if len(word) >= LONG_ENOUGH)
    for sign_in in ServerSignIn.objects.filter(server=server):
        yield from sign_in.secrets
    if server.kind == Server.Kind.SDK and (app := App.objects.filter(server=server).first()):
        yield app.signing_key
