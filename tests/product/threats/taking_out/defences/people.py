"""What stands between people and what they may not do (T16 to T18, T74)."""

from tests.product.threats.taking_out.defence import Cut, Defence

SOCKETS = "tests/playground/test_consumers.py::"
LANES = "tests/playground/test_lane_socket.py::"
ACCESS = "tests/product/test_access.py::"
SHARING = "tests/playground/presenting/test_sharing.py::"
TRIES = "tests/catalog/test_sign_in_tries.py::"

PEOPLE = (
    Defence(
        "T16",
        "a socket asks for the person first",
        (
            Cut(
                "playground/socket_rules.py",
                "return cls(user.pk, role_of(user)) if user.is_authenticated else None",
                "return cls(user.pk or 0, role_of(user))",
            ),
        ),
        (SOCKETS + "test_who_is_not_signed_in_is_sent_away", LANES + "test_who_may_not_watch_lanes_is_sent_away"),
    ),
    Defence(
        "T16",
        "a run that is not there is said not to be",
        (Cut("playground/consumers.py", "        if not exists:\n            return CloseCode.NO_RUN\n"),),
        (SOCKETS + "test_a_run_that_is_not_there_has_a_code_of_its_own",),
    ),
    Defence(
        "T17",
        "the person is looked up again",
        (Cut("playground/consumers.py", "            if not watcher.is_still(now):", "            if False:"),),
        (SOCKETS + "test_who_loses_the_right_to_watch_is_sent_away",),
    ),
    Defence(
        "T17",
        "and the role",
        (Cut("playground/socket_rules.py", " and now.role >= self.role"),),
        (SOCKETS + "test_who_loses_the_right_to_watch_is_sent_away",),
    ),
    Defence(
        "T18",
        "one signs in everywhere unless said otherwise",
        (Cut("config/settings.py", '    "django.contrib.auth.middleware.LoginRequiredMiddleware",\n'),),
        (ACCESS + "test_nobody_gets_in_without_signing_in",),
    ),
    Defence(
        "T18",
        "a page for everybody is in the table of those",
        (
            Cut(
                "playground/views/presenting.py",
                "@require_GET\ndef run_present",
                "from django.contrib.auth.decorators import login_not_required\n\n\n"
                "@require_GET\n@login_not_required\ndef run_present",
            ),
        ),
        (
            SHARING + "test_pages_without_a_sign_in_are_the_sign_in_itself_and_the_shared_run",
            ACCESS + "test_nobody_gets_in_without_signing_in",
        ),
    ),
    Defence(
        "T18",
        "every address is in the table",
        (
            Cut(
                "catalog/urls.py",
                'urlpatterns = [\n    path("sign-in/", ',
                'urlpatterns = [\n    path("new/", servers.server_list, name="new"),\n    path("sign-in/", ',
            ),
        ),
        (ACCESS + "test_every_address_is_in_the_tables",),
    ),
    Defence(
        "T18",
        "a view is kept to a role",
        (
            Cut(
                "catalog/views/servers.py",
                "@needs(Role.ADMIN)\n@in_one_transaction\ndef server_approve",
                "@in_one_transaction\ndef server_approve",
            ),
        ),
        (ACCESS + "test_who_may_change",),
    ),
    Defence(
        "T18",
        "a page is kept to a role",
        (
            Cut(
                "playground/views/sharing.py",
                '@require_http_methods(["GET", "POST"])\n@needs(Role.PRESENTER)\n',
                '@require_http_methods(["GET", "POST"])\n',
            ),
        ),
        (ACCESS + "test_who_may_look",),
    ),
    Defence(
        "T74",
        "who failed too often waits",
        (Cut("catalog/sign_in_tries.py", "    if until := _until(bounds):\n        raise MustWaitError(until)\n"),),
        (
            TRIES + "test_who_fails_too_often_is_told_when_to_try_again_and_the_audit_says_so_once",
            TRIES + "test_whether_a_name_is_somebodys_is_not_told_by_who_has_to_wait",
        ),
    ),
    Defence(
        "T74",
        "no account waits by itself",
        (Cut("catalog/sign_in_tries.py", '_digest("account", name, network)', '_digest("account", name)'),),
        (TRIES + "test_a_stranger_keeps_nobody_out",),
    ),
    Defence(
        "T74",
        "a browser in which somebody signed in before is counted apart",
        (
            Cut(
                "catalog/sign_in_tries.py",
                "    if browser := _browser(name, known):\n"
                '        return [(_digest("browser", browser), MOST_OF_BROWSER)]\n',
            ),
        ),
        (TRIES + "test_a_stranger_keeps_nobody_out",),
    ),
    Defence(
        "T74",
        "an address that tries many accounts waits",
        (Cut("catalog/sign_in_tries.py", ', (_digest("address", network), MOST_OF_ADDRESS)]', "]"),),
        (TRIES + "test_an_address_that_tries_many_accounts_waits_with_each",),
    ),
)
