"""Vectors from a provider, over a real connection, when all goes well and when it does not."""

import asyncio

import httpx
import numpy as np
import pytest

from catalog.embedding.embedder import EmbeddingFailedError
from catalog.embedding.litellm_embedder import LiteLLMEmbedder, Patience
from catalog.embedding.providers import OVER_HTTP, OVER_SDK
from catalog.outbound import http_transport
from tests.model_endpoint import ECHOED_KEY, ModelEndpoint

TEXTS = ["send a message", "weather", "zebra"]
SHORT = Patience(one=1, many=1)


class Recording(httpx.AsyncBaseTransport):
    """Answers every request with 401, and keeps it."""

    def __init__(self) -> None:
        self.requests: list[httpx.Request] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return httpx.Response(401, json={"error": {"message": "no"}}, request=request)


def test_each_text_has_its_vector_whatever_order_they_come_in(model_endpoint: ModelEndpoint) -> None:
    embedder = LiteLLMEmbedder("openai/letters", model_endpoint.url("vectors"), "sk-mine")
    rows = embedder.embed(TEXTS)
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1, 1])
    assert np.abs(rows - np.stack([embedder.embed([text])[0] for text in TEXTS])).max() < 1e-6
    _, headers, body = model_endpoint.requests[0]
    assert headers["authorization"] == "Bearer sk-mine"
    assert (body["model"], body["input"]) == ("letters", TEXTS)


def test_texts_that_providers_refuse_are_sent_as_ones_that_they_take(model_endpoint: ModelEndpoint) -> None:
    LiteLLMEmbedder("openai/letters", model_endpoint.url("vectors")).embed(["", "\ud800", "x" * 50_000])
    assert [len(text) for text in model_endpoint.requests[0][2]["input"]] == [1, 1, 8_192]


@pytest.mark.parametrize(
    ("mood", "sentence"),
    [
        ("401", "the endpoint answered 401 and refused the key"),
        ("429", "the endpoint answered 429"),
        ("500", "the endpoint answered 500"),
        ("html", "the answer holds no vectors"),
        ("few-vectors", "the answer holds no 3 vectors of one length"),
        ("ragged-vectors", "the answer holds no vectors"),
        ("rst", "the connection failed"),
        ("hang", "nothing came back within 1 seconds"),
    ],
)
def test_a_failure_is_one_sentence_and_one_request(model_endpoint: ModelEndpoint, mood: str, sentence: str) -> None:
    embedder = LiteLLMEmbedder("openai/letters", model_endpoint.url(mood), ECHOED_KEY, SHORT)
    with pytest.raises(EmbeddingFailedError, match=sentence) as caught:
        embedder.embed(TEXTS)
    assert ECHOED_KEY not in str(caught.value)
    assert len(model_endpoint.requests) == 1


def test_nobody_there_is_said_so() -> None:
    with pytest.raises(EmbeddingFailedError, match="the connection failed"):
        LiteLLMEmbedder("openai/letters", "http://127.0.0.1:9/v1").embed(TEXTS)


def test_a_private_address_needs_the_operators_word(model_endpoint: ModelEndpoint) -> None:
    embedder = LiteLLMEmbedder("openai/letters", model_endpoint.url("vectors"), open_transport=http_transport)
    with pytest.raises(EmbeddingFailedError, match=r"127\.0\.0\.1"):
        embedder.embed(TEXTS)
    assert model_endpoint.requests == []


@pytest.mark.parametrize("provider", sorted(OVER_SDK | OVER_HTTP))
def test_every_provider_goes_out_as_it_is_told_and_with_no_key_of_the_environment(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", f"{provider.upper()}_API_KEY"):
        monkeypatch.setenv(name, "sk-of-the-operator")
    wire = Recording()
    with pytest.raises(EmbeddingFailedError, match="answered 401"):
        LiteLLMEmbedder(f"{provider}/model", "http://models.test/v1", open_transport=lambda: wire).embed(["a"])
    assert [request.url.host for request in wire.requests] == ["models.test"]
    assert "sk-of-the-operator" not in str(wire.requests[0].headers)


async def test_texts_can_be_embedded_where_a_loop_runs(model_endpoint: ModelEndpoint) -> None:
    embedder = LiteLLMEmbedder("openai/letters", model_endpoint.url("vectors"))
    assert len(embedder.embed(["a"])) == 1
    assert len(await asyncio.to_thread(embedder.embed, ["a"])) == 1
