"""What lets people and programs in: links and tokens. Only digests are kept; they can be revoked here, and made elsewhere."""

from django.contrib import admin
from django.contrib.auth.models import Group, User

from catalog.admin.bases import ReadOnlyAdmin, RevocableAdmin
from catalog.auditing.recording import Act, audited
from catalog.models import AccessToken, AuditEntry, FailedSignIn, SignInLink


@admin.register(SignInLink)
class SignInLinkAdmin(RevocableAdmin):
    list_display = ["user", "expires_at", "used_at"]
    list_select_related = ["user"]
    search_fields = ["user__username"]
    exclude = ["digest"]


@admin.register(FailedSignIn)
class FailedSignInAdmin(RevocableAdmin):
    """Taking one away lets somebody try again."""

    list_display = ["__str__", "at"]
    exclude = ["key"]


@admin.register(AccessToken)
class AccessTokenAdmin(RevocableAdmin):
    is_told = True
    list_display = ["user", "title", "may_register", "created_at", "used_at"]
    list_filter = ["may_register"]
    list_select_related = ["user"]
    search_fields = ["title", "user__username"]
    exclude = ["digest"]

    def drop(self, row: AccessToken, by: User) -> None:
        with audited(Act.TOKEN_REVOKED, row, by):
            row.delete()


admin.site.unregister([User, Group])


@admin.register(User)
class PersonAdmin(ReadOnlyAdmin):
    """Roles are given and taken on the page of accounts, where somebody stays admin."""

    list_display = ["username", "is_active", "is_superuser", "last_login"]
    list_filter = ["is_active", "groups"]
    search_fields = ["username"]
    exclude = ["password"]


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    list_display = ["at", "who", "act", "kind", "name", "way"]
    list_filter = ["act", "way"]
    search_fields = ["who", "name", "key"]
    date_hierarchy = "at"
    unlisted = ["before", "after"]
