"""Django's admin under the product's rules: admins alone enter, by the product's sign-in, under the content security policy.

Its scripts carry no nonce, so its pages alone allow this origin's.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from csp.constants import SELF
from csp.decorators import csp_update
from django.contrib.admin import AdminSite
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.decorators import method_decorator

from catalog.roles import Role, require, role_of

View = TypeVar("View", bound=Callable[..., Any])


class PegboardAdminSite(AdminSite):
    site_header = site_title = "Pegboard"
    index_title = "Every row"
    enable_nav_sidebar = False

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        return cast(View, csp_update({"script-src": SELF})(super().admin_view(view, cacheable)))

    def has_permission(self, request: HttpRequest) -> bool:
        """Whatever else a person is marked as."""
        return request.user.is_active and role_of(request.user) is Role.ADMIN

    @method_decorator(login_not_required)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """There is one sign-in. Who is signed in and sent here lacks the role."""
        if request.user.is_authenticated:
            require(request.user, Role.ADMIN)
        return redirect_to_login(request.GET.get("next", reverse("admin:index")), reverse("sign_in"))
