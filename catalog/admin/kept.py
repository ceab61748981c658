"""Configurations that wait for the person who brought them. What they hold is secret, and shown nowhere here."""

from django.contrib import admin

from catalog.admin.bases import RevocableAdmin
from catalog.models import Configuration


@admin.register(Configuration)
class ConfigurationAdmin(RevocableAdmin):
    list_display = ["source", "by", "created_at"]
    list_select_related = ["by"]
    search_fields = ["source", "by__username"]
    unlisted = ["content"]
