"""Django's admin for the catalog's rows. It can do no more than the pages: docs/admin.md says what can be done where."""

from catalog.admin import catalogs, kept, programs, servers, suites, tools, versions

__all__ = ["catalogs", "kept", "programs", "servers", "suites", "tools", "versions"]
