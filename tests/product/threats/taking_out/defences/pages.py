"""What stands between what strangers write and a browser (T11 to T15, T19, T52, T67)."""

from tests.product.threats.taking_out.defence import Cut, Defence

THREATS = "tests/product/threats/test_pages.py::"
BROWSER = "tests/product/threats/test_hostile_text_in_browser.py::test_hostile_text_stays_text_on_every_page"
ONE_FILE = "tests/playground/presenting/test_one_file.py::"
SETTINGS = "config/settings.py"
ALL_OF_IT = "tests/product/threats/test_approvals.py::test_nothing_that_would_be_sent_is_hidden_from_who_approves_it"
HELD = "templates/playground/_held_arguments.html"

PAGES = (
    Defence(
        "T11",
        "what strangers write is escaped",
        (
            Cut(
                "catalog/templatetags/catalog_text.py",
                'def _shown(span: Span) -> SafeString:\n    if not span.codepoint:\n        return format_html("{}", span.text)',
                "def _shown(span: Span) -> SafeString:\n    if not span.codepoint:\n        return SafeString(span.text)",
            ),
        ),
        (BROWSER,),
    ),
    Defence(
        "T12",
        "pieces of text are escaped before they go over the socket",
        (Cut("templates/playground/_more_text.html", "{{ text|visible }}", "{{ text|safe }}"),),
        (BROWSER,),
    ),
    Defence(
        "T13",
        "what a model says makes no links",
        (Cut("templates/playground/steps/said.html", "{{ step.text|visible }}", "{{ step.text|urlize }}"),),
        (BROWSER,),
    ),
    Defence(
        "T14",
        "scripts are let in by a nonce alone",
        (Cut(SETTINGS, '"script-src": [NONCE],', '"script-src": [NONCE, "\'unsafe-inline\'"],'),),
        (THREATS + "test_every_page_has_a_strict_policy_with_a_nonce_of_its_own",),
    ),
    Defence(
        "T14",
        "every page and every error has the policy",
        (Cut(SETTINGS, '    "csp.middleware.CSPMiddleware",\n'),),
        (
            THREATS + "test_every_page_has_a_strict_policy_with_a_nonce_of_its_own",
            THREATS + "test_a_page_that_fails_has_the_policy_too",
        ),
    ),
    Defence(
        "T14",
        "htmx evaluates nothing",
        (Cut("templates/base.html", '"allowEval":false,'),),
        (THREATS + "test_htmx_may_neither_evaluate_nor_run_scripts_nor_ask_others",),
    ),
    Defence(
        "T15",
        "a socket is for pages of this very origin",
        (Cut("config/asgi.py", "SameOrigin(URLRouter(websocket_urlpatterns))", "URLRouter(websocket_urlpatterns)"),),
        (THREATS + "test_a_page_of_any_other_origin_gets_no_socket",),
    ),
    Defence(
        "T15",
        "a socket is for hosts of ours",
        (
            Cut(
                "config/asgi.py",
                "AllowedHostsOriginValidator(SameOrigin(URLRouter(websocket_urlpatterns)))",
                "SameOrigin(URLRouter(websocket_urlpatterns))",
            ),
        ),
        (THREATS + "test_a_name_that_leads_here_is_no_origin_of_ours",),
    ),
    Defence(
        "T15",
        "a socket is for neither of strangers' pages nor hosts",
        (
            Cut(
                "config/asgi.py",
                "AllowedHostsOriginValidator(SameOrigin(URLRouter(websocket_urlpatterns)))",
                "URLRouter(websocket_urlpatterns)",
            ),
        ),
        ("tests/playground/test_consumers.py::test_a_page_of_another_origin_gets_no_socket",),
    ),
    Defence(
        "T15",
        "* as a host stops the start",
        (Cut("catalog/checks.py", 'if settings.DEBUG or "*" not in settings.ALLOWED_HOSTS:', "if True:"),),
        (THREATS + "test_a_server_for_every_host_does_not_start",),
    ),
    Defence(
        "T19",
        "every change takes the token of a form",
        (Cut(SETTINGS, '    "django.middleware.csrf.CsrfViewMiddleware",\n'),),
        (
            THREATS + "test_nothing_changes_without_the_token_of_a_form",
            "tests/product/test_access.py::test_no_change_without_the_token_of_a_form",
        ),
    ),
    Defence(
        "T19",
        "one view alone is exempt",
        (
            Cut(
                "catalog/views/search_json.py",
                "from django.http import",
                "from django.views.decorators.csrf import csrf_exempt\nfrom django.http import",
            ),
        ),
        (THREATS + "test_no_view_is_exempt_but_the_one_that_takes_no_cookie",),
    ),
    Defence(
        "T52",
        "the slides of a file are escaped",
        (Cut("templates/playground/present/_slide.html", "{{ slide.note|visible }}", "{{ slide.note|safe }}"),),
        (ONE_FILE + "test_nothing_that_a_stranger_wrote_becomes_markup_in_it",),
    ),
    Defence(
        "T52",
        "a file's policy lets nothing in",
        (Cut("templates/playground/present/file.html", "default-src 'none'; "),),
        (ONE_FILE + "test_its_policy_lets_in_its_own_style_and_script_and_nothing_else",),
    ),
    Defence(
        "T67",
        "characters that nobody can see are shown to who approves",
        (Cut(HELD, "{{ held.arguments|indented|visible }}", "{{ held.arguments|indented }}"),),
        (ALL_OF_IT,),
    ),
    Defence(
        "T67",
        "and in the field to edit",
        (Cut("templates/playground/_held_acts.html", "{{ held.arguments|editable }}", "{{ held.arguments }}"),),
        (ALL_OF_IT,),
    ),
    Defence(
        "T67",
        "all that would be sent is shown",
        (
            Cut(
                HELD,
                "{{ held.arguments|indented|visible }}",
                "{{ held.arguments|indented|truncatechars:2000|visible }}",
            ),
        ),
        (ALL_OF_IT,),
    ),
)
