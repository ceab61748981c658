"""The admin as an app, with the product's own site in place of Django's."""

from django.contrib.admin.apps import AdminConfig


class PegboardAdminConfig(AdminConfig):
    default_site = "catalog.admin_site.PegboardAdminSite"
