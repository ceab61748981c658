"""The ASGI application: pages, sockets, and what happens when the process starts and stops."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
pages = get_asgi_application()

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402  (models load only once Django is set up)
from channels.security.websocket import AllowedHostsOriginValidator  # noqa: E402

from playground.routing import lifespan, websocket_urlpatterns  # noqa: E402
from playground.same_origin import SameOrigin  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": pages,
        "websocket": AllowedHostsOriginValidator(SameOrigin(URLRouter(websocket_urlpatterns))),
        "lifespan": lifespan,
    }
)
