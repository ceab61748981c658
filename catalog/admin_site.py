"""Django's admin under the content security policy: its scripts carry no nonce, so its pages alone allow this origin's."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from csp.constants import SELF
from csp.decorators import csp_update
from django.contrib.admin import AdminSite

View = TypeVar("View", bound=Callable[..., Any])


class PegboardAdminSite(AdminSite):
    site_header = site_title = "Pegboard"
    index_title = "Every row"

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        return cast(View, csp_update({"script-src": SELF})(super().admin_view(view, cacheable)))
