"""What every page shows around its content: navigation, theme, the person's role, the CSP nonce."""

from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from catalog.roles import Role, role_of

GROUPS = (
    (
        ("home", "Home", "home", "h"),
        ("servers", "Servers", "server", "v"),
        ("tools", "Tools", "tool", "t"),
        ("catalogs", "Catalogs", "catalog", "c"),
        ("agents", "Agents", "agent", "a"),
    ),
    (
        ("search", "Search", "search", "s"),
        ("playground", "Playground", "chat", "p"),
        ("runs", "Runs", "runs", "r"),
    ),
    (
        ("review", "Review", "review", "w"),
        ("suites", "Suites", "suite", "q"),
        ("evaluations", "Evaluations", "compare", "e"),
    ),
)
"""The pages by group: name of the address, title, icon, and the key that goes there after `g`."""
ALSO = {
    "servers": ("drifts",),
    "tools": ("lint",),
    "catalogs": ("what_if",),
    "playground": ("tour", "gallery", "lanes"),
    "runs": ("confusion_map",),
    "review": ("run_findings",),
}
"""Pages that stand under another one's link, by that one's name: their addresses do not begin with its own."""
AUDIT = ("audit", "Audit", "history", "u")
FOR_ADMINS = (("chat_models", "Chat models", "spark", "m"), ("accounts", "Accounts", "user", "o"))
THEMES = ("light", "dark", "system")


def frame(request: HttpRequest) -> dict[str, Any]:
    """The context processor of the frame."""
    theme = request.COOKIES.get("theme", "system")
    context: dict[str, Any] = {
        "csp_nonce": getattr(request, "csp_nonce", ""),
        "theme": theme if theme in THEMES else "system",
    }
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        role = role_of(user)
        context |= {"role": role.word, "navigation": _navigation(request.path, role), "search_url": reverse("search")}
        context |= {f"may_{name}": role >= least for name, least in _ABILITIES.items()}
    return context


_ABILITIES = {"start_runs": Role.PRESENTER, "curate": Role.CURATOR, "approve": Role.ADMIN}


def _navigation(path: str, role: Role) -> list[list[dict[str, Any]]]:
    groups = [[_link(*page, path) for page in group] for group in GROUPS]
    if role >= Role.CURATOR:
        groups.append([_link(*AUDIT, path)])
    if role is Role.ADMIN:
        admin = {"url": reverse("admin:index"), "title": "Admin", "icon": "admin"}
        groups[-1] += [*(_link(*page, path) for page in FOR_ADMINS), admin]
    return groups


def _link(name: str, title: str, icon: str, key: str, path: str) -> dict[str, Any]:
    url = reverse(name)
    under = (url, *(reverse(one) for one in ALSO.get(name, ())))
    current = path == url if url == "/" else path.startswith(under)
    return {"url": url, "title": title, "icon": icon, "key": key, "current": current}
