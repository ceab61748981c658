"""What lets people and programs in: links and tokens. Only digests are kept; they can be revoked here, and made elsewhere."""

from django.contrib import admin

from catalog.admin.bases import RevocableAdmin
from catalog.models import AccessToken, SignInLink


@admin.register(SignInLink)
class SignInLinkAdmin(RevocableAdmin):
    list_display = ["user", "expires_at", "used_at"]
    list_select_related = ["user"]
    search_fields = ["user__username"]
    exclude = ["digest"]


@admin.register(AccessToken)
class AccessTokenAdmin(RevocableAdmin):
    list_display = ["user", "title", "may_register", "created_at", "used_at"]
    list_filter = ["may_register"]
    list_select_related = ["user"]
    search_fields = ["title", "user__username"]
    exclude = ["digest"]
