"""A whole app: it registers two tools with Pegboard, answers calls, and unregisters when it is stopped.

    export PEGBOARD_URL=http://127.0.0.1:8000 PEGBOARD_TOKEN=pegboard_…
    python sdk_app.py 9000

It needs nothing but Python's standard library. docs/sdk-apps.md tells every field.
"""

import hashlib
import hmac
import json
import os
import signal
import sys
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PEGBOARD = os.environ["PEGBOARD_URL"]
TOKEN = os.environ["PEGBOARD_TOKEN"]
PORT = int(sys.argv[1])
MOST_SECONDS = 300
"""How old a call may be; an older one may be a replay."""
MOST_BYTES = 10_000_000
signing_key = ""

CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
REGISTRATION = {
    "title": "Weather desk",
    "description": "Forecasts from the desk’s own stations.",
    "callback_url": f"http://127.0.0.1:{PORT}/calls",
    "tools": [
        {
            "name": "get_forecast",
            "description": "Forecast for a city, for up to ten days.",
            "parameters": CITY,
            "category": "weather",
            "tags": ["forecast"],
            "permission": "read",
        },
        {
            "name": "order_balloon",
            "description": "Order a weather balloon for a city.",
            "parameters": CITY,
            "category": "weather",
            "permission": "execute",
        },
    ],
    "new_signing_key": True,  # this app keeps none from one start to the next
}


def get_forecast(city: str) -> str:
    return f"{city}: 3 °C, light rain"


def order_balloon(city: str) -> str:
    raise RuntimeError(f"no balloon is left for {city}")


TOOLS = {"get_forecast": get_forecast, "order_balloon": order_balloon}


def ask_pegboard(method: str, body: dict | None = None) -> dict:
    request = urllib.request.Request(
        f"{PEGBOARD}/api/apps/weather-desk/",
        method=method,
        data=json.dumps(body).encode() if body else None,
        headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def is_from_pegboard(timestamp: str, signature: str, body: bytes) -> bool:
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > MOST_SECONDS:
        return False
    expected = hmac.new(signing_key.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, signature)


class Calls(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), MOST_BYTES))
        timestamp, signature = (self.headers.get(f"X-Pegboard-{name}", "") for name in ("Timestamp", "Signature"))
        if not is_from_pegboard(timestamp, signature, body):
            self.send_error(401)
            return
        call = json.loads(body)
        try:
            answer = {"content": TOOLS[call["tool"]](**call["arguments"]), "is_error": False}
        except Exception as error:
            answer = {"content": str(error), "is_error": True}
        self.answer(answer)

    def answer(self, answer: dict) -> None:
        content = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


def stop(*_: object) -> None:
    sys.exit()


server = ThreadingHTTPServer(("127.0.0.1", PORT), Calls)
signing_key = ask_pegboard("PUT", REGISTRATION)["signing_key"]
signal.signal(signal.SIGTERM, stop)
print("registered", flush=True)
try:
    server.serve_forever()
finally:
    ask_pegboard("DELETE")
