"""The addresses of the catalog's pages."""

from django.contrib.auth.decorators import login_not_required
from django.templatetags.static import static
from django.urls import path
from django.views.generic import RedirectView, TemplateView

from catalog.views import (
    absence,
    access_tokens,
    apps,
    catalogs,
    drift,
    engines,
    imports,
    policy,
    search_json,
    searching,
    servers,
    signing_in,
    tools,
)

SERVER = "servers/<slug:slug>/"
CATALOG = "catalogs/<slug:slug>/"

urlpatterns = [
    path("sign-in/", signing_in.SignIn.as_view(), name="sign_in"),
    path("sign-in/<str:token>/", signing_in.sign_in_by_link, name="sign_in_link"),
    path("sign-out/", signing_in.SignOut.as_view(), name="sign_out"),
    path("servers/", servers.server_list, name="servers"),
    path("servers/add/app/", apps.app_add, name="app_add"),
    path("servers/add/<slug:kind>/", servers.server_add, name="server_add"),
    path(SERVER, servers.server_page, name="server"),
    path(SERVER + "edit/", servers.server_edit, name="server_edit"),
    path(SERVER + "switch/", servers.server_switch, name="server_switch"),
    path(SERVER + "approve/", servers.server_approve, name="server_approve"),
    path(SERVER + "delete/", servers.server_delete, name="server_delete"),
    path(SERVER + "session/close/", servers.server_session_close, name="server_session_close"),
    path(SERVER + "read/", imports.import_read, name="import_read"),
    path(SERVER + "upload/", imports.import_upload, name="import_upload"),
    path(SERVER + "imports/<int:pk>/", imports.import_page, name="import"),
    path(SERVER + "imports/<int:pk>/apply/", imports.import_apply, name="import_apply"),
    path(SERVER + "imports/<int:pk>/discard/", imports.import_discard, name="import_discard"),
    path("drift/", drift.drift_list, name="drifts"),
    path("drift/accept-rewordings/", drift.drift_rewordings, name="drift_rewordings"),
    path("drift/<int:pk>/", drift.drift_page, name="drift"),
    path("drift/<int:pk>/decide/", drift.drift_decide, name="drift_decide"),
    path("tools/", tools.tool_list, name="tools"),
    path("tools/<slug:server>/<path:name>/edit/", tools.tool_edit, name="tool_edit"),
    path("tools/<slug:server>/<path:name>/looked-at/", tools.tool_looked_at, name="tool_looked_at"),
    path("tools/<slug:server>/<path:name>/revert/", tools.tool_revert, name="tool_revert"),
    path("tools/<slug:server>/<path:name>/", tools.tool_page, name="tool"),
    path("catalogs/", catalogs.catalog_list, name="catalogs"),
    path("catalogs/add/", catalogs.catalog_add, name="catalog_add"),
    path(CATALOG, catalogs.catalog_page, name="catalog"),
    path(CATALOG + "edit/", catalogs.catalog_edit, name="catalog_edit"),
    path(CATALOG + "delete/", catalogs.catalog_delete, name="catalog_delete"),
    path(CATALOG + "servers/", catalogs.catalog_servers, name="catalog_servers"),
    path(CATALOG + "tool/", catalogs.catalog_tool, name="catalog_tool"),
    path(CATALOG + "engine/", engines.catalog_engine, name="catalog_engine"),
    path(CATALOG + "engine/undo/", engines.catalog_engine_undo, name="catalog_engine_undo"),
    path(CATALOG + "policy/", policy.catalog_policy, name="catalog_policy"),
    path(CATALOG + "policy/rule/", policy.catalog_policy_rule, name="catalog_policy_rule"),
    path(CATALOG + "policy/act/", policy.catalog_policy_act, name="catalog_policy_act"),
    path(CATALOG + "policy/keep/", policy.catalog_policy_keep, name="catalog_policy_keep"),
    path(CATALOG + "policy/undo/<str:token>/", policy.catalog_policy_undo, name="catalog_policy_undo"),
    path(CATALOG + "search.json", search_json.search_json, name="search_json"),
    path(CATALOG + "bring-in/", absence.bring_in, name="bring_in"),
    path("search/tools/", absence.tool_names, name="tool_names"),
    path("search/undo/<str:token>/", absence.bring_in_undo, name="bring_in_undo"),
    path("search/", searching.search, name="search"),
    path("access-tokens/", access_tokens.access_tokens, name="access_tokens"),
    path("access-tokens/<int:pk>/revoke/", access_tokens.access_token_revoke, name="access_token_revoke"),
    path("api/apps/<slug:name>/", apps.app, name="app"),
    path("favicon.ico", login_not_required(RedirectView.as_view(url=static("img/favicon.svg"))), name="favicon"),
    path("styleguide/", TemplateView.as_view(template_name="styleguide.html"), name="styleguide"),
]
