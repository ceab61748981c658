"""Nothing goes where it should not: whatever a host is called, whichever HTTP library asks."""

import gzip
import http.server
import threading
from collections.abc import Iterator
from typing import Any

import httpcore
import httpcore2
import httpx
import httpx2
import pytest

from catalog import outbound
from catalog.outbound import OutboundRefused, http_client, mcp_http_client
from catalog.sources import gate
from catalog.sources.addresses import allowed_hosts, reach, url_problem

CLIENTS = pytest.mark.parametrize("client", [http_client, mcp_http_client], ids=["httpx", "httpx2"])
CORES = {http_client: httpcore, mcp_http_client: httpcore2}
UNREACHED = (httpx.HTTPError, httpx2.HTTPError)


class Trap(http.server.ThreadingHTTPServer):
    """A server on loopback that remembers who came."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), TrapHandler)
        self.hits: list[tuple[str, dict[str, str]]] = []


class TrapHandler(http.server.BaseHTTPRequestHandler):
    server: Trap

    def do_GET(self) -> None:
        self.server.hits.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
        kind = self.path.strip("/").split("?")[0]
        self.send_response(302 if kind == "redirect" else 200)
        if kind == "redirect":
            self.send_header("Location", f"http://localhost:{self.server.server_port}/inside")
        if kind == "gzip":
            self.send_header("Content-Encoding", "gzip")
        if kind == "events":
            self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        try:
            self.wfile.write(gzip.compress(b"x" * 5_000_000) if kind == "gzip" else b"ok")
            if kind in ("big", "events"):
                self.wfile.write(b"x" * 3_000_000)
        except ConnectionError:
            pass

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def trap() -> Iterator[Trap]:
    server = Trap()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


HOSTS = [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "0",
    "localhost",
    "localhost.",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::a9fe:a9fe]",
    "[2002:7f00:1::]",
    "[::7f00:1]",
    "[fec0::1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "169.254.169.254",
    "100.64.0.1",
    "10.0.0.1",
    "198.18.0.1",
    "user:pw@127.0.0.1",
    "224.0.0.1",
    "168.63.129.16",
]


@pytest.mark.threat("T07")
@CLIENTS
@pytest.mark.parametrize("host", HOSTS)
async def test_no_spelling_of_an_inner_address_is_reached(client: Any, host: str, trap: Trap) -> None:
    async with client() as http_:
        with pytest.raises((OutboundRefused, httpx.InvalidURL, httpx2.InvalidURL, *UNREACHED)):
            await http_.get(f"http://{host}:{trap.server_port}/", timeout=2)
    assert trap.hits == []


@CLIENTS
async def test_an_allowed_host_and_port_is_reached_and_no_other(client: Any, trap: Trap) -> None:
    async with client({("127.0.0.1", trap.server_port)}) as http_:
        assert (await http_.get(f"http://127.0.0.1:{trap.server_port}/")).text == "ok"
        for url in (f"http://localhost:{trap.server_port}/", f"http://127.0.0.1:{trap.server_port + 1}/"):
            with pytest.raises(OutboundRefused, match="private or reserved address"):
                await http_.get(url)
    assert len(trap.hits) == 1


@CLIENTS
async def test_private_networks_can_be_opened_and_metadata_stays_shut(client: Any, trap: Trap) -> None:
    async with client(allow_private=True) as http_:
        assert (await http_.get(f"http://localhost:{trap.server_port}/")).text == "ok"
        for host in ("169.254.169.254", "[fd00:ec2::254]", "[64:ff9b::7f00:1]", "0"):
            with pytest.raises(OutboundRefused):
                await http_.get(f"http://{host}:{trap.server_port}/")


@pytest.mark.threat("T08")
@CLIENTS
@pytest.mark.parametrize("answers", [["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["::ffff:10.0.0.1"]])
async def test_a_name_is_judged_by_all_that_it_resolves_to(
    client: Any, answers: list[str], trap: Trap, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        return answers

    monkeypatch.setattr(gate, "resolve", resolve)
    async with client() as http_:
        with pytest.raises(OutboundRefused):
            await http_.get(f"http://example.com:{trap.server_port}/")
    assert trap.hits == []


@pytest.mark.threat("T08")
@CLIENTS
async def test_a_name_is_resolved_once_so_that_it_cannot_change_its_mind(
    client: Any, trap: Trap, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [["192.0.2.1"], ["127.0.0.1"]]
    connected = []

    async def resolve(host: str, port: int) -> list[str]:
        return answers.pop(0)

    async def connect(self: Any, host: str, *args: Any) -> Any:
        connected.append(host)
        raise CORES[client].ConnectError("nobody there")

    monkeypatch.setattr(gate, "resolve", resolve)
    monkeypatch.setattr(gate, "reach", lambda address: "public" if address == "192.0.2.1" else reach(address))
    monkeypatch.setattr(CORES[client].AnyIOBackend, "connect_tcp", connect)
    async with client() as http_:
        with pytest.raises(UNREACHED):
            await http_.get(f"http://example.com:{trap.server_port}/")
        with pytest.raises(OutboundRefused):
            await http_.get(f"http://example.com:{trap.server_port}/")
    assert connected == ["192.0.2.1"]
    assert trap.hits == []


@pytest.mark.threat("T09")
@CLIENTS
async def test_a_redirect_is_not_followed(client: Any, trap: Trap) -> None:
    both = {("127.0.0.1", trap.server_port), ("localhost", trap.server_port)}
    async with client(both, headers={"Authorization": "Bearer x"}) as http_:
        assert (await http_.get(f"http://127.0.0.1:{trap.server_port}/redirect")).status_code == 302
    assert [path for path, _ in trap.hits] == ["/redirect"]


@pytest.mark.threat("T09")
@CLIENTS
async def test_a_followed_redirect_passes_the_gate_too(client: Any, trap: Trap) -> None:
    async with client({("127.0.0.1", trap.server_port)}) as http_:
        with pytest.raises(OutboundRefused):
            await http_.get(f"http://127.0.0.1:{trap.server_port}/redirect", follow_redirects=True)
    assert [path for path, _ in trap.hits] == ["/redirect"]


@CLIENTS
async def test_a_proxy_of_the_environment_is_not_used(client: Any, trap: Trap, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    async with client({("127.0.0.1", trap.server_port)}) as http_:
        assert (await http_.get(f"http://127.0.0.1:{trap.server_port}/")).text == "ok"


@CLIENTS
async def test_a_configured_proxy_is_used_and_written_addresses_are_still_judged(client: Any, trap: Trap) -> None:
    async with client(proxy=f"http://127.0.0.1:{trap.server_port}") as http_:
        assert (await http_.get("http://example.com/page")).text == "ok"
        with pytest.raises(OutboundRefused):
            await http_.get("http://169.254.169.254/")
    assert [path for path, _ in trap.hits] == ["http://example.com/page"]


@pytest.mark.threat("T40")
@CLIENTS
async def test_a_compressed_answer_is_not_unpacked(client: Any, trap: Trap) -> None:
    async with client({("127.0.0.1", trap.server_port)}) as http_:
        with pytest.raises(OutboundRefused, match="compressed"):
            await http_.get(f"http://127.0.0.1:{trap.server_port}/gzip", headers={"Accept-Encoding": "gzip"})
    assert trap.hits[0][1]["accept-encoding"] == "identity"


@pytest.mark.threat("T40")
@CLIENTS
@pytest.mark.parametrize(("path", "limit"), [("big", "MAX_BODY"), ("events", "MAX_STREAM")])
async def test_a_large_answer_is_cut_off(
    client: Any, path: str, limit: str, trap: Trap, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with client({("127.0.0.1", trap.server_port)}) as http_:
        assert len((await http_.get(f"http://127.0.0.1:{trap.server_port}/{path}")).content) == 3_000_002
        monkeypatch.setattr(outbound, limit, 2 * 1024 * 1024)
        with pytest.raises(OutboundRefused, match="larger than 2 MB"):
            await http_.get(f"http://127.0.0.1:{trap.server_port}/{path}")


@CLIENTS
@pytest.mark.parametrize(
    "url", ["ftp://example.com/", "file:///etc/passwd", "http://[::1", "http://a\nb/", "//x", "http://"]
)
async def test_a_strange_url_is_an_error_that_can_be_told(client: Any, url: str) -> None:
    async with client() as http_:
        with pytest.raises((OutboundRefused, httpx.InvalidURL, httpx2.InvalidURL, *UNREACHED)):
            await http_.get(url)


@pytest.mark.parametrize(
    ("address", "where"),
    [
        ("93.184.216.34", "public"),
        ("2606:2800:220:1:248:1893:25c8:1946", "public"),
        ("::ffff:93.184.216.34", "public"),
        ("192.168.1.1", "private"),
        ("172.31.0.1", "private"),
        ("::1", "private"),
        ("fd12::1", "private"),
        ("fe80::1%eth0", "reserved"),
        ("255.255.255.255", "reserved"),
        ("192.0.2.1", "reserved"),
        ("2001:db8::1", "reserved"),
        ("ff02::1", "reserved"),
        ("nonsense", "reserved"),
    ],
)
def test_addresses_are_told_apart(address: str, where: str) -> None:
    assert reach(address) == where


@pytest.mark.parametrize("url", ["https://example.com/mcp", "http://example.com:8080", "https://93.184.216.34/"])
def test_a_public_url_has_no_problem(url: str) -> None:
    assert url_problem(url) == ""


@pytest.mark.threat("T06")
@pytest.mark.threat("T07")
@pytest.mark.parametrize(
    "url",
    [
        *(f"http://{host}:8080/" for host in HOSTS),
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "vbscript:x",
        "ftp://example.com",
        "https://ok@example.com/",
        "https://example.com/a\r\nb",
        "https://example.com:99999/",
        "https://",
        "example.com",
        "http://[::1",
        "",
    ],
)
def test_a_bad_url_is_told_before_it_is_saved(url: str) -> None:
    assert url_problem(url).endswith(".")


def test_an_admin_allows_by_host_and_port() -> None:
    allowed = allowed_hosts("127.0.0.1:8080, Ollama:11434 [::1]:9000")
    assert allowed == {("127.0.0.1", 8080), ("ollama", 11434), ("::1", 9000)}
    assert url_problem("http://127.0.0.1:8080/", allowed) == ""
    assert url_problem("http://[::1]:9000/", allowed) == ""
    assert url_problem("http://127.0.0.1:8081/", allowed) != ""
    assert url_problem("http://localhost:3000/", allow_private=True) == ""
    assert url_problem("http://169.254.169.254/", allow_private=True) != ""


@pytest.mark.parametrize("text", ["localhost", "localhost:", ":80", "a:0", "a:65536", "a:x", "a:²"])
def test_an_allowance_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a host with a port"):
        allowed_hosts(text)
