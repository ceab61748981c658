"""The rows: servers, their tools and versions, catalogs, imports, sign-in links and access tokens."""

from catalog.models.access_token import AccessToken
from catalog.models.catalog import Catalog, CatalogServer, PreDiscovered
from catalog.models.importation import Import
from catalog.models.server import Server
from catalog.models.sign_in_link import SignInLink
from catalog.models.tool import Tool, ToolVersion

__all__ = [
    "AccessToken",
    "Catalog",
    "CatalogServer",
    "Import",
    "PreDiscovered",
    "Server",
    "SignInLink",
    "Tool",
    "ToolVersion",
]
