"""The identity of tools (`server/name`) from the names under which models called them."""

from catalog.models import Server


class ToolKeys:
    """Remembers what it has read: one is made for each piece of work."""

    def __init__(self) -> None:
        self._names: dict[str, dict[str, str]] = {}

    def key_of(self, server: str, name: str) -> str:
        """Of a tool that is not here, its name as recorded stands for its own."""
        return f"{server}/{self._of(server).get(name, name)}" if server else name

    def _of(self, slug: str) -> dict[str, str]:
        if slug not in self._names:
            server = Server.objects.filter(slug=slug).first()
            own = server.tools.values_list("name", flat=True) if server else ()
            self._names[slug] = {server.exposed_name(name): name for name in own} if server else {}
        return self._names[slug]
