"""A browser's end of a socket, as far as ASGI sees it."""
# mypy: disable-error-code="no-untyped-call"

import json
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.conf import settings
from django.test import Client

from config.asgi import application


class BrowserSocket(ApplicationCommunicator):
    """To a run's page, with the session of `client` if there is one."""

    where = "runs"

    def __init__(
        self,
        run_id: object,
        client: Client | None = None,
        origin: bytes | None = b"http://localhost",
        host: bytes = b"localhost",
    ) -> None:
        headers = [(b"host", host), *([(b"origin", origin)] if origin is not None else [])]
        if client:
            name = settings.SESSION_COOKIE_NAME
            headers.append((b"cookie", f"{name}={client.cookies[name].value}".encode()))
        scope = {"type": "websocket", "path": f"/ws/{self.where}/{run_id}/", "query_string": b"", "headers": headers}
        super().__init__(application, scope)

    async def connect(self) -> bool:
        """Whether the server accepts."""
        await self.send_input({"type": "websocket.connect"})
        return bool((await self.receive_output(5))["type"] == "websocket.accept")

    async def say(self, message: Any) -> None:
        await self.say_text(json.dumps(message))

    async def say_text(self, text: str) -> None:
        await self.send_input({"type": "websocket.receive", "text": text})

    async def frame(self) -> str:
        output = await self.receive_output(5)
        assert output["type"] == "websocket.send", output
        return str(output["text"])

    async def until_closed(self) -> tuple[str, int]:
        """All frames until the server closes, as one text, and its code."""
        frames = ""
        while (output := await self.receive_output(10))["type"] == "websocket.send":
            frames += str(output["text"])
        return frames, int(output["code"])

    async def closing_code(self) -> int:
        """The code with which the server closes, which must be the next thing that it says. Fails if it says nothing."""
        try:
            output = await self.receive_output(5)
        except TimeoutError:
            pytest.fail("the socket stays open")
        assert output["type"] == "websocket.close", output
        return int(output["code"])

    async def hears_nothing(self, seconds: float) -> bool:
        return bool(await self.receive_nothing(seconds))

    async def leave(self) -> None:
        await self.send_input({"type": "websocket.disconnect", "code": 1001})
        await self.wait(5)
