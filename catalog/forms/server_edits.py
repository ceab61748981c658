"""Which form edits a server: pages and the admin ask here."""

from catalog.forms.any_server import ServerForm
from catalog.forms.openapi import OpenApiEditForm
from catalog.forms.servers import AddressServerForm, AppServerForm, CommandServerForm
from catalog.models import Server


def edit_form(server: Server) -> type[ServerForm] | type[AppServerForm]:
    if server.kind == Server.Kind.OPENAPI:
        return OpenApiEditForm
    match server.transport:
        case Server.Transport.STDIO:
            return CommandServerForm
        case Server.Transport.HTTP:
            return AddressServerForm
        case Server.Transport.CALLBACK:
            return AppServerForm
        case _:
            return ServerForm
