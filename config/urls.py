"""Every address of the product."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("playground.urls")),
    path("", include("catalog.urls")),
]

handler400 = "catalog.views.errors.bad_request"
handler403 = "catalog.views.errors.forbidden"
handler404 = "catalog.views.errors.not_found"
handler500 = "catalog.views.errors.server_error"
