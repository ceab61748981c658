"""Calls as an API receives them, byte for byte, and its answers as a model reads them."""

import json
import socket
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalog.sources.errors import SourceError
from catalog.sources.openapi.call_plan import FORM, JSON, Argument, CallPlan
from catalog.sources.openapi.calling import run
from catalog.sources.openapi.request import ApiConnection, Credential, build_request
from tests.api_server import BIG, Api, served_api

ANYTHING: Mapping[str, Any] = {"type": "object"}
COLORS = ["blue", "black", "brown"]
RGB = {"R": 100, "G": 200, "B": 150}


@pytest.fixture(scope="module")
def serving() -> Iterator[Api]:
    with served_api() as api:
        yield api


@pytest.fixture
def api(serving: Api) -> Api:
    serving.received.clear()
    serving.answers.clear()
    return serving


def connection(api: Api, **more: Any) -> ApiConnection:
    return ApiConnection(api.address + "/v1", allow_private=True, **more)


def get(*arguments: Argument, path: str = "/x", **more: Any) -> CallPlan:
    return CallPlan("GET", path, arguments, **more)


async def call(api: Api, plan: CallPlan, arguments: Mapping[str, Any], **more: Any) -> str:
    outcome = await run(plan, ANYTHING, arguments, connection(api, **more))
    assert not outcome.is_error, outcome.content_text
    return outcome.content_text


@pytest.mark.parametrize(
    ("style", "explode", "text", "many", "named"),
    [
        ("simple", False, "blue", "blue,black,brown", "R,100,G,200,B,150"),
        ("simple", True, "blue", "blue,black,brown", "R=100,G=200,B=150"),
        ("label", False, ".blue", ".blue,black,brown", ".R,100,G,200,B,150"),
        ("label", True, ".blue", ".blue.black.brown", ".R=100.G=200.B=150"),
        ("matrix", False, ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"),
        ("matrix", True, ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"),
    ],
)
async def test_every_style_of_a_path(api: Api, style: Any, explode: bool, text: str, many: str, named: str) -> None:
    plan = get(Argument("c", "path", "color", style, explode), path="/a/{color}/b")
    for value, expected in (("blue", text), (COLORS, many), (RGB, named)):
        await call(api, plan, {"c": value})
        assert api.last.target == f"/v1/a/{expected}/b"


@pytest.mark.parametrize(
    ("style", "explode", "empty", "text", "many", "named"),
    [
        ("form", False, "color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"),
        ("form", True, "color=", "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"),
        ("spaceDelimited", False, None, None, "color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150"),
        ("pipeDelimited", False, None, None, "color=blue%7Cblack%7Cbrown", "color=R%7C100%7CG%7C200%7CB%7C150"),
        ("deepObject", True, None, None, None, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"),
    ],
)
async def test_every_style_of_a_query(
    api: Api, style: Any, explode: bool, empty: str | None, text: str | None, many: str | None, named: str
) -> None:
    plan = get(Argument("c", "query", "color", style, explode))
    for value, expected in (("", empty), ("blue", text), (COLORS, many), (RGB, named)):
        if expected is not None:
            await call(api, plan, {"c": value})
            assert api.last.query == expected


@pytest.mark.parametrize(
    ("explode", "text", "many", "named"),
    [
        (False, "blue", "blue,black,brown", "R,100,G,200,B,150"),
        (True, "blue", "blue,black,brown", "R=100,G=200,B=150"),
    ],
)
async def test_every_style_of_a_header(api: Api, explode: bool, text: str, many: str, named: str) -> None:
    plan = get(Argument("c", "header", "X-Color", "simple", explode))
    for value, expected in (("blue", text), (COLORS, many), (RGB, named)):
        await call(api, plan, {"c": value})
        assert api.last.headers["x-color"] == expected


async def test_every_style_of_a_cookie(api: Api) -> None:
    for explode, many in ((False, "color=blue,black,brown"), (True, "color=blue; color=black; color=brown")):
        plan = get(Argument("c", "cookie", "color", "form", explode))
        for value, expected in (("blue", "color=blue"), (COLORS, many)):
            await call(api, plan, {"c": value})
            assert api.last.headers["cookie"] == expected


@pytest.mark.parametrize(
    ("value", "sent"),
    [
        (True, "true"),
        (False, "false"),
        (7, "7"),
        (1.5, "1.5"),
        ("a b&c=d#e?f/g+h%", "a%20b%26c%3Dd%23e%3Ff%2Fg%2Bh%25"),
        ("日本", "%E6%97%A5%E6%9C%AC"),
        ("\r\nX-Evil: 1", "%0D%0AX-Evil%3A%201"),
    ],
)
async def test_values_of_every_kind_are_written_and_encoded(api: Api, value: Any, sent: str) -> None:
    await call(api, get(Argument("v", "query", "v", "form", True)), {"v": value})
    assert api.last.query == f"v={sent}"


async def test_what_is_null_or_missing_is_not_sent(api: Api) -> None:
    arguments = [Argument(name, "query", name, "form", True) for name in ("a", "b", "c")]
    await call(api, get(*arguments), {"a": None, "b": "1"})
    assert api.last.query == "b=1"


async def test_reserved_characters_stay_where_they_may_but_end_nothing(api: Api) -> None:
    plan = get(Argument("u", "query", "u", "form", True, keeps_reserved=True))
    await call(api, plan, {"u": "https://a/b?c=d&e#f"})
    assert api.last.query == "u=https://a/b?c%3Dd%26e%23f"


async def test_a_parameter_can_be_json(api: Api) -> None:
    await call(api, get(Argument("f", "query", "f", "form", True, is_json=True)), {"f": {"a": [1, None]}})
    assert unquote(api.last.query) == 'f={"a":[1,null]}'


async def test_a_json_body_holds_its_properties_or_is_one_value(api: Api) -> None:
    named = [
        Argument("title", "body", "title"),
        Argument("id_body", "body", "id"),
        Argument("page", "query", "page", "form"),
    ]
    await call(api, CallPlan("POST", "/x", tuple(named), JSON), {"title": "Ärger", "id_body": 7, "page": 2})
    assert json.loads(api.last.body) == {"title": "Ärger", "id": 7}
    assert (api.last.query, api.last.headers["content-type"]) == ("page=2", "application/json")
    whole = CallPlan("POST", "/x", (Argument("body", "whole body", "body"),), JSON)
    await call(api, whole, {"body": [1, {"a": None}]})
    assert api.last.body == b'[1,{"a":null}]'
    await call(api, whole, {})
    assert api.last.body == b""
    assert "content-type" not in api.last.headers


async def test_a_form_is_written_by_the_styles_of_its_fields(api: Api) -> None:
    named = (
        Argument("name", "body", "name", "form", True),
        Argument("likes", "body", "likes", "form", True),
        Argument("home", "body", "home", "deepObject", True),
    )
    given = {"name": "A & B", "likes": ["x", "y z"], "home": {"town": "Ål"}}
    await call(api, CallPlan("POST", "/x", named, FORM), given)
    assert api.last.body == b"name=A+%26+B&likes=x&likes=y+z&home%5Btown%5D=%C3%85l"
    assert api.last.headers["content-type"] == FORM


@pytest.mark.parametrize(
    "value",
    ["..", ".", "../admin", "a/../b", "a/..", "%2e%2e", "%2E%2E%2Fadmin", "%252e%252e", "..\\admin", "a\0b", "", []],
)
async def test_a_value_that_could_lead_to_another_path_is_not_sent(api: Api, value: Any) -> None:
    plan = get(Argument("v", "path", "v"), path="/a/{v}")
    outcome = await run(plan, ANYTHING, {"v": value}, connection(api))
    assert outcome.is_error
    assert "path" in outcome.content_text
    assert api.received == []


@pytest.mark.parametrize(
    ("value", "sent"), [("a/b", "a%2Fb"), ("?x=1#", "%3Fx%3D1%23"), ("%2f", "%252f"), (";a=1", "%3Ba%3D1")]
)
async def test_a_value_in_a_path_is_encoded(api: Api, value: str, sent: str) -> None:
    await call(api, get(Argument("v", "path", "v"), path="/a/{v}/b"), {"v": value})
    assert api.last.target == f"/v1/a/{sent}/b"


VALUES = st.one_of(
    st.text(),
    st.text("./\\%2eEfF?#;&=@: \t\r\n\0"),
    st.integers(),
    st.booleans(),
    st.lists(st.text("./%2e;,a")),
    st.dictionaries(st.text("./%2e"), st.text("./%2e")),
)


@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(value=VALUES, style=st.sampled_from(["simple", "label", "matrix"]), explode=st.booleans())
def test_no_value_leaves_its_segment(value: Any, style: Any, explode: bool) -> None:
    plan = get(Argument("v", "path", "v", style, explode), path="/before/{v}/after")
    try:
        request = build_request(plan, {"v": value}, ApiConnection("https://api.test/v1"))
    except SourceError:
        return
    assert request.url.startswith("https://api.test/v1/before/")
    assert request.url.endswith("/after")
    segments = request.url.removeprefix("https://api.test/").split("/")
    assert len(segments) == 4
    assert not {"?", "#", "\\", " "} & set(request.url.removeprefix("https://"))
    assert request.url.isascii()
    assert ".." not in unquote(unquote(segments[2])).replace("\\", "/").split("/")


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(value=VALUES, place=st.sampled_from(["query", "header", "cookie"]), explode=st.booleans())
def test_no_value_adds_a_parameter_a_header_or_a_cookie(value: Any, place: Any, explode: bool) -> None:
    if isinstance(value, list | dict):
        explode = False
    plan = get(Argument("v", place, "v", "simple" if place == "header" else "form", explode))
    try:
        request = build_request(plan, {"v": value}, ApiConnection("https://api.test"))
    except SourceError:
        return
    path, _, query = request.url.removeprefix("https://api.test").partition("?")
    assert path == "/x"
    assert "&" not in query
    assert "#" not in query
    headers = dict(request.headers)
    assert headers.keys() <= {"Accept", "v", "Cookie"}
    assert not any("\r" in text or "\n" in text for text in headers.values())
    assert ";" not in headers.get("Cookie", "")


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\nb", "a\0b", "naïve", "日本"])
async def test_a_header_value_that_could_add_a_header_is_not_sent(api: Api, value: str) -> None:
    outcome = await run(get(Argument("v", "header", "X-V")), ANYTHING, {"v": value}, connection(api))
    assert outcome.is_error
    assert api.received == []


async def test_a_secret_is_sent_where_its_scheme_says_and_only_if_asked_for(api: Api) -> None:
    credentials = {
        "key": Credential("header", "X-Key", "s3cret-a"),
        "old": Credential("query", "api_key", "s3cret b"),
        "visitor": Credential("cookie", "visitor", "s3cret-c"),
    }
    await call(api, get(security=(("key",),)), {}, credentials=credentials)
    assert (api.last.headers["x-key"], api.last.query) == ("s3cret-a", "")
    await call(api, get(security=(("missing",), ("old", "visitor"))), {}, credentials=credentials)
    assert (api.last.query, api.last.headers["cookie"]) == ("api_key=s3cret%20b", "visitor=s3cret-c")
    await call(api, get(), {}, credentials=credentials)
    assert "s3cret" not in str(api.last)


async def test_an_argument_does_not_take_the_place_of_a_secret(api: Api) -> None:
    plan = get(Argument("k", "header", "X-Key"), Argument("h", "header", "x-own"), security=(("key",),))
    own = {"credentials": {"key": Credential("header", "X-Key", "the-secret")}, "headers": {"X-Own": "ours"}}
    await call(api, plan, {"k": "forged", "h": "forged"}, **own)
    assert (api.last.headers["x-key"], api.last.headers["x-own"]) == ("the-secret", "ours")


async def test_a_refusal_for_want_of_a_secret_says_which(api: Api) -> None:
    api.answers["/v1/x"] = (401, {}, b'{"error": "no"}')
    outcome = await run(get(security=(("key",),)), ANYTHING, {}, connection(api))
    assert outcome.is_error
    assert outcome.content_text.startswith("HTTP status 401 Unauthorized.\nNo secret is stored for")
    assert "(key)" in outcome.content_text
    assert outcome.content_text.endswith('{\n  "error": "no"\n}')


async def test_how_long_an_api_asks_to_wait_is_told(api: Api) -> None:
    api.answers["/v1/x"] = (429, {"Retry-After": "30"}, b"{}")
    outcome = await run(get(), ANYTHING, {}, connection(api))
    assert (
        outcome.content_text
        == "HTTP status 429 Too Many Requests.\nIt has had too many requests, and asks to wait: 30.\n{}"
    )


async def test_an_operation_served_elsewhere_is_not_called(api: Api) -> None:
    with served_api() as other:
        outcome = await run(get(server=other.address), ANYTHING, {}, connection(api))
        assert outcome.is_error
        assert "not the address that was approved" in outcome.content_text
        assert other.received == []
    await call(api, get(server=f"{api.address}/v2"), {})
    assert api.last.target == "/v2/x"


async def test_a_redirect_is_followed_within_the_origin_and_never_out_of_it(api: Api) -> None:
    api.answers["/v1/x"] = (302, {"Location": "/v1/y"}, b"")
    assert '"/v1/y"' in await call(api, get(), {})
    api.received.clear()
    with served_api() as other:
        api.answers["/v1/x"] = (307, {"Location": f"{other.address}/steal"}, b"")
        outcome = await run(get(), ANYTHING, {}, connection(api, headers={"X-Key": "s3cret-key"}))
        assert outcome.is_error
        assert f"It leads on to {other.address}/steal, which is not followed." in outcome.content_text
        assert other.received == []


async def test_a_call_that_changes_something_is_never_sent_twice(api: Api) -> None:
    api.answers["/v1/x"] = (307, {"Location": "/v1/y"}, b"")
    outcome = await run(CallPlan("POST", "/x"), ANYTHING, {}, connection(api))
    assert outcome.is_error
    assert len(api.received) == 1


async def test_redirects_without_end_are_left(api: Api) -> None:
    api.answers |= {"/v1/x": (302, {"Location": "/v1/y"}, b""), "/v1/y": (302, {"Location": "/v1/x"}, b"")}
    with pytest.raises(SourceError, match="again and again"):
        await run(get(), ANYTHING, {}, connection(api))


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ((200, {}, b'{"a":[1,2.50]}'), '{"a":[1,2.50]}'),
        ((200, {}, b'{"a":[1,2.5],"b":"\xc3\xa4"}'), '{\n  "a": [\n    1,\n    2.5\n  ],\n  "b": "ä"\n}'),
        ((200, {"Content-Type": "application/problem+json"}, b"[]"), "[]"),
        ((200, {}, b"not json"), "not json"),
        ((200, {"Content-Type": "text/plain; charset=latin-1"}, b"gr\xfc\xdf"), "grüß"),
        ((200, {"Content-Type": "image/png"}, b"\x89PNG" * 10), "[image/png, 40 bytes, which is no text]"),
        ((204, {}, b""), "[completed with HTTP status 204, and no content]"),
        ((200, {"Content-Type": "text/plain; charset=nonsense"}, b"a\0b"), "a\ufffdb"),
    ],
)
async def test_answers_are_told_as_text(api: Api, answer: tuple[int, dict[str, str], bytes], text: str) -> None:
    api.answers["/v1/x"] = answer
    assert await call(api, get(), {}) == text


async def test_an_answer_beyond_the_cap_is_left(api: Api) -> None:
    api.answers["/v1/x"] = (200, {"Content-Type": "text/plain"}, b"x" * BIG)
    with pytest.raises(SourceError, match="larger than 10 MB"):
        await run(get(), ANYTHING, {}, connection(api))


async def test_arguments_that_do_not_fit_are_not_sent(api: Api) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    outcome = await run(get(Argument("n", "query", "n", "form")), schema, {"n": "seven"}, connection(api))
    assert outcome.content_text == "The arguments do not fit: n: “seven” is not a whole number"
    assert api.received == []


async def test_a_private_address_needs_the_word_of_an_admin(api: Api) -> None:
    with pytest.raises(SourceError, match="private or reserved address"):
        await run(get(), ANYTHING, {}, ApiConnection(api.address))
    assert api.received == []


async def test_an_api_that_is_not_there_is_told_plainly() -> None:
    with pytest.raises(SourceError, match="cannot be reached"):
        await run(get(), ANYTHING, {}, ApiConnection("http://127.0.0.1:9", allow_private=True))


async def test_an_api_that_does_not_answer_is_given_up(api: Api) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent_api = ApiConnection(f"http://127.0.0.1:{silent.getsockname()[1]}", allow_private=True)
        with pytest.raises(SourceError, match=r"did not answer in 0\.2 seconds"):
            await run(get(), ANYTHING, {}, silent_api, seconds=0.2)
