"""Where an address lies: on the public internet, in a private network, or where nobody should be sent at all."""

import ipaddress
import socket
from collections.abc import Collection
from typing import Literal
from urllib.parse import urlsplit

Reach = Literal["public", "private", "reserved"]

_PRIVATE = [
    ipaddress.ip_network(block)
    for block in (
        "127.0.0.0/8",
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "100.64.0.0/10",
        "::1/128",
        "fc00::/7",
    )
]
_RESERVED = [
    ipaddress.ip_network(block)
    for block in (
        "0.0.0.0/8", "169.254.0.0/16", "168.63.129.16/32", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15",
        "fe80::/10", "fec0::/10", "fd00:ec2::/32", "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16",
        "100::/64", "5f00::/16",
    )
]  # fmt: skip
"""Besides what `ipaddress` knows: cloud metadata, and what stands for another address (NAT64, 6to4, Teredo, …)."""


def reach(address: str) -> Reach:
    """Where an IP address lies; one that cannot be read is reserved."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return "reserved"
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped:
        ip = ip.ipv4_mapped
    if ip == ipaddress.ip_address("::1"):
        return "private"
    if ip.is_multicast or any(ip.version == block.version and ip in block for block in _RESERVED):
        return "reserved"
    if any(ip.version == block.version and ip in block for block in _PRIVATE):
        return "private"
    return "public" if ip.is_global else "reserved"


def literal_reach(host: str) -> Reach | None:
    """Where a host that is written as an address lies, in any spelling that resolvers take; None if it is a name."""
    host = normal_host(host)
    try:
        return reach(str(ipaddress.ip_address(host.partition("%")[0])))
    except ValueError:
        pass
    try:
        return reach(socket.inet_ntoa(socket.inet_aton(host)))
    except (OSError, UnicodeError):
        return "private" if host == "localhost" or host.endswith(".localhost") else None


def address_warnings(url: str) -> list[str]:
    """What somebody who approves the address should know, of what can be told without resolving it."""
    host = urlsplit(url).hostname or ""
    if literal_reach(host) != "private":
        return []
    return [f"{host} is a private address: requests go to this machine, or into the network that it stands in."]


def normal_host(host: str) -> str:
    return host.strip("[]").rstrip(".").lower()


def allowed_hosts(text: str) -> frozenset[tuple[str, int]]:
    """Hosts with ports as an operator writes them: `127.0.0.1:8080 ollama:11434 [::1]:9000`. Raises ValueError."""
    pairs = []
    for word in text.replace(",", " ").split():
        host, _, port = word.rpartition(":")
        if not host or not port.isascii() or not port.isdigit() or not 0 < int(port) < 65_536:
            raise ValueError(f"“{word}” is not a host with a port, as in 127.0.0.1:8080")
        pairs.append((normal_host(host), int(port)))
    return frozenset(pairs)


def url_problem(url: str, allow_private: bool | Collection[tuple[str, int]] = False) -> str:
    """What is wrong with a URL before anything is resolved, as a sentence for a form; empty if nothing is."""
    if any(ord(char) <= 32 or 127 <= ord(char) < 160 for char in url):
        return "The address holds a space or a control character."
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    except ValueError:
        return "This is not an address. Expected is something like https://example.com/mcp."
    host = parts.hostname or ""
    if parts.scheme not in ("http", "https") or not host:
        return "The address must begin with https:// or http:// and name a host."
    if "@" in parts.netloc:
        return "The address holds a user or password. Write those as a header instead."
    named = () if isinstance(allow_private, bool) else allow_private
    is_open = (normal_host(host), port) in named or literal_reach(host) in (None, "public")
    if is_open or (allow_private is True and literal_reach(host) == "private"):
        return ""
    return f"{host}:{port} is a private or reserved address. An admin must allow it by host and port."
