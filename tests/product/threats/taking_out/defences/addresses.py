"""What stands between an address that somebody wrote and a connection (T06 to T10)."""

from tests.product.threats.taking_out.defence import Cut, Defence

THREATS = "tests/product/threats/test_addresses.py::"
OUTBOUND = "tests/catalog/test_outbound.py::"
DISCOVERY = "tests/catalog/oauth/test_discovery.py::"
WRITTEN = "catalog/sources/addresses.py"
GATE = "catalog/sources/gate.py"
REFERENCES = "catalog/sources/openapi/references.py"

BEFORE_IT_IS_RESOLVED = Cut(
    GATE, "if not self._is_named(host, port) and literal_reach(host) not in (None, *self._open):", "if False:"
)
AFTERWARDS = Cut(
    GATE,
    "if not self._is_named(host, port) and any(reach(address) not in self._open for address in found):",
    "if False:",
)

ADDRESSES = (
    Defence(
        "T06",
        "only http and https",
        (Cut(WRITTEN, 'if parts.scheme not in ("http", "https") or not host:', "if not host:"),),
        (
            OUTBOUND + "test_a_bad_url_is_told_before_it_is_saved",
            DISCOVERY + "test_an_evil_address_leads_nowhere_wherever_it_stands",
        ),
    ),
    Defence(
        "T06",
        "no name in an address",
        (Cut(WRITTEN, 'if "@" in parts.netloc:', "if False:"),),
        (
            OUTBOUND + "test_a_bad_url_is_told_before_it_is_saved",
            DISCOVERY + "test_an_evil_address_leads_nowhere_wherever_it_stands",
        ),
    ),
    Defence(
        "T06",
        "every address of a document on signing in is judged",
        (Cut("catalog/oauth/discovery.py", "    _check_addresses(hops, host, body)\n"),),
        (
            DISCOVERY + "test_an_evil_address_leads_nowhere_wherever_it_stands",
            "tests/catalog/oauth/test_signing_in.py::test_an_evil_address_is_on_no_page_as_a_link",
        ),
    ),
    Defence(
        "T07",
        "addresses are judged as they are written and again as they are resolved",
        (BEFORE_IT_IS_RESOLVED, AFTERWARDS),
        (OUTBOUND + "test_no_spelling_of_an_inner_address_is_reached",),
    ),
    Defence(
        "T07",
        "what stands for another address is reserved",
        (Cut(WRITTEN, '"64:ff9b::/96", '),),
        (
            THREATS + "test_an_address_that_no_word_opens_is_taken_nowhere",
            OUTBOUND + "test_a_bad_url_is_told_before_it_is_saved",
        ),
    ),
    Defence(
        "T07",
        "every address of a row is judged",
        (Cut("catalog/models/addresses.py", "default_validators = [check_address]", "default_validators = []"),),
        (THREATS + "test_no_form_keeps_such_an_address_and_none_says_what_listens",),
    ),
    Defence(
        "T07",
        "the address of an app is judged",
        (
            Cut(
                "catalog/sources/sdk.py",
                "    if why := url_problem(body.callback_url, allow_private=True):",
                '    if why := "":',
            ),
        ),
        (THREATS + "test_an_address_that_no_word_opens_is_taken_nowhere",),
    ),
    Defence(
        "T07",
        "the base addresses of a document are judged",
        (Cut("catalog/sources/openapi/base_addresses.py", " and not url_problem(address, allow_private=True)"),),
        (THREATS + "test_an_address_that_no_word_opens_is_taken_nowhere",),
    ),
    Defence(
        "T07",
        "a private address needs an admin's word",
        (Cut("catalog/connections.py", "    if not server.is_approved:", "    if False:"),),
        (THREATS + "test_a_private_address_is_kept_and_not_reached_before_an_admins_word",),
    ),
    Defence(
        "T08",
        "all addresses of a name are judged",
        (Cut(GATE, "for address in found):", "for address in found[:1]):"),),
        (OUTBOUND + "test_a_name_is_judged_by_all_that_it_resolves_to",),
    ),
    Defence(
        "T08",
        "the judged address is the one that is connected to",
        (Cut(GATE, "connect_tcp(addresses[-1], port", "connect_tcp(host, port"),),
        (OUTBOUND + "test_a_name_is_resolved_once_so_that_it_cannot_change_its_mind",),
    ),
    Defence(
        "T08",
        "LiteLLM is handed its connection",
        (Cut("catalog/litellm_library.py", "http_client=http, "),),
        (THREATS + "test_a_model_is_asked_through_the_gate",),
    ),
    Defence(
        "T09",
        "no redirect is followed in asking servers, APIs and apps",
        (
            Cut(
                "catalog/outbound.py",
                "follow_redirects=False,\n        trust_env=False,\n    )\n\n\ndef mcp_http_client",
                "follow_redirects=True,\n        trust_env=False,\n    )\n\n\ndef mcp_http_client",
            ),
            Cut(
                "catalog/outbound.py",
                "follow_redirects=False,\n        trust_env=False,\n    )\n\n\ndef http_transport",
                "follow_redirects=True,\n        trust_env=False,\n    )\n\n\ndef http_transport",
            ),
        ),
        (OUTBOUND + "test_a_redirect_is_not_followed", THREATS + "test_no_redirect_leads_out_of_an_origin"),
    ),
    Defence(
        "T09",
        "an API's redirect is followed within its origin",
        (
            Cut(
                "catalog/sources/openapi/calling.py", "target != url and origin(target) == origin(url)", "target != url"
            ),
        ),
        (THREATS + "test_no_redirect_leads_out_of_an_origin",),
    ),
    Defence(
        "T09",
        "no redirect is followed in asking models",
        (
            Cut(
                "catalog/litellm_library.py",
                "httpx.AsyncClient(transport=wire, trust_env=False)",
                "httpx.AsyncClient(transport=wire, trust_env=False, follow_redirects=True)",
            ),
        ),
        (THREATS + "test_a_model_that_leads_elsewhere_is_not_followed",),
    ),
    Defence(
        "T09",
        "whoever follows a redirect passes the gate again",
        (BEFORE_IT_IS_RESOLVED, AFTERWARDS),
        (OUTBOUND + "test_a_followed_redirect_passes_the_gate_too",),
    ),
    Defence(
        "T10",
        "an OpenAPI document refers to itself only",
        (
            Cut(REFERENCES, 'if not reference.startswith("#"):', "if False:"),
            Cut(REFERENCES, 'if reference != "#" and not reference.startswith("#/"):', "if False:"),
        ),
        (
            "tests/catalog/sources/openapi/test_openapi_hostile.py::test_references_that_lead_nowhere_or_in_circles_are_told",
        ),
    ),
    Defence(
        "T10",
        "five documents on the way to where one signs in",
        (Cut("catalog/oauth/hops.py", "        if self._documents > MOST_DOCUMENTS:", "        if False:"),),
        (DISCOVERY + "test_five_documents_are_asked_for_and_no_more",),
    ),
    Defence(
        "T10",
        "ten seconds for that way",
        (
            Cut(
                "catalog/oauth/hops.py",
                "        with anyio.fail_after(MOST_SECONDS):",
                "        with anyio.fail_after(60):",
            ),
        ),
        (DISCOVERY + "test_all_of_it_ends_in_time",),
    ),
    Defence(
        "T10",
        "each hop is judged as it is written, and by the gate",
        (
            Cut("catalog/oauth/hops.py", 'if parts.scheme == "http" and not (', "if False and not ("),
            Cut(
                "catalog/oauth/hops.py",
                "        if problem := url_problem(address, allow_private=self._named_with_own()):\n            return problem\n",
            ),
            Cut("catalog/oauth/hops.py", "mcp_http_client(bounds.named) as others", "mcp_http_client(True) as others"),
        ),
        (DISCOVERY + "test_a_document_that_points_inwards_is_not_followed_at_any_hop",),
    ),
)
