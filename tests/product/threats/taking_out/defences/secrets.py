"""What keeps a secret that was written down from coming out (T20 to T22)."""

from tests.product.threats.taking_out.defence import Cut, Defence

THREATS = "tests/product/threats/test_secrets.py::"
REDACTION = "tests/catalog/test_redaction.py::"
EXCHANGES = "tests/playground/runs/test_exchanges.py::"
FIELD = "catalog/models/encryption.py"

SECRETS = (
    Defence(
        "T20",
        "secrets are encrypted",
        (
            Cut(FIELD, "else fernet().encrypt(json.dumps(value).encode()).decode()", "else json.dumps(value)"),
            Cut(FIELD, "json.loads(fernet().decrypt(value.encode()))", "json.loads(value)"),
        ),
        (THREATS + "test_neither_the_database_nor_the_index_holds_a_secret",),
    ),
    Defence(
        "T20",
        "their key is for our eyes only",
        (Cut(FIELD, "key_file.touch(mode=0o600)", "key_file.touch()"),),
        (THREATS + "test_without_its_key_secrets_are_locked_and_all_else_works",),
    ),
    Defence(
        "T21",
        "a form that comes back has no secret in it",
        (
            Cut(
                "catalog/forms/fields.py",
                "return [name for name, found in names if name in (initial or ()) or (found and _NAME.fullmatch(name))]",
                'return (data or "").splitlines()',
            ),
        ),
        (THREATS + "test_a_form_that_is_refused_does_not_repeat_a_secret",),
    ),
    Defence(
        "T21",
        "a page tells the names of variables, not their values",
        (
            Cut(
                "templates/catalog/_server_reach.html",
                "{% for name in server.env %}",
                "{% for name in server.env.values %}",
            ),
        ),
        (THREATS + "test_no_page_gives_a_secret_back",),
    ),
    Defence(
        "T21",
        "of an access token its digest is kept",
        (
            Cut(
                "catalog/models/access_token.py",
                "    return hashlib.sha256(token.encode()).hexdigest()",
                "    return token",
            ),
        ),
        (THREATS + "test_an_access_token_is_told_once",),
    ),
    Defence(
        "T21",
        "of a request to a model no header is kept",
        (
            Cut(
                "playground/agent/wire.py",
                "self._sent, self._began = await request.aread(),",
                "self._sent, self._began = repr(request.headers.raw).encode() + await request.aread(),",
            ),
        ),
        (EXCHANGES + "test_a_run_keeps_what_its_endpoint_was_sent_and_no_header",),
    ),
    Defence(
        "T22",
        "what may be the beginning of a secret stays back",
        (Cut("playground/runs/recording.py", "(self.redactor.held(self._text) if keep_open else 0)", "0"),),
        (THREATS + "test_a_secret_that_a_run_comes_across_is_in_no_record",),
    ),
    Defence(
        "T22",
        "known secrets are found in every form",
        (Cut("catalog/redaction.py", "            text = text.replace(form, MASK)\n", "            pass\n"),),
        (
            REDACTION + "test_a_known_secret_is_found_in_every_form",
            REDACTION + "test_no_secret_survives_and_twice_is_once",
            THREATS + "test_a_run_knows_every_secret_of_its_catalog_and_model",
        ),
    ),
    Defence(
        "T22",
        "a run knows the secrets of its servers",
        (Cut("playground/runs/secrets.py", "        yield from secrets_of_server(server)\n", "        pass\n"),),
        (THREATS + "test_a_run_knows_every_secret_of_its_catalog_and_model",),
    ),
    Defence(
        "T22",
        "what a provider was sent is kept without secrets",
        (Cut("playground/runs/exchanges.py", "sent=storable(redacted(told.sent)),", "sent=storable(told.sent),"),),
        (EXCHANGES + "test_a_key_that_is_repeated_is_not_kept",),
    ),
    Defence(
        "T22",
        "what came in pieces is joined first",
        (
            Cut(
                "playground/runs/exchanges.py",
                "join_frames(read_frames(exchange.received), self._redactor.text)",
                "exchange.received.decode()",
            ),
        ),
        (EXCHANGES + "test_a_key_that_is_repeated_is_not_kept",),
    ),
)
