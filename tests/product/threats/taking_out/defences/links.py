"""What stands between a link to one run and all else (T51)."""

from tests.product.threats.taking_out.defence import Cut, Defence

SHARING = "tests/playground/presenting/test_sharing.py::"
ENDED = SHARING + "test_a_link_that_ended_in_any_way_is_answered_as_one_that_never_was"
SHARED_RUN = "playground/models/shared_run.py"
VIEW = "playground/views/sharing.py"

LINKS = (
    Defence("T51", "a link ends", (Cut(SHARED_RUN, "expires_at__gt=timezone.now(), "),), (ENDED,)),
    Defence("T51", "a link can be taken back", (Cut(SHARED_RUN, ", revoked_at=None, ", ", "),), (ENDED,)),
    Defence("T51", "a link ends with its maker's account", (Cut(SHARED_RUN, ", by__is_active=True"),), (ENDED,)),
    Defence(
        "T51",
        "links can be switched off",
        (Cut("playground/presenting/sharing.py", " if settings.PEGBOARD_SHARING else None"),),
        (ENDED,),
    ),
    Defence(
        "T51",
        "a link shows what its maker let it show",
        (
            Cut(
                VIEW,
                "Shown(link.shows_texts, link.shows_notes)",
                "Shown(texts=True, notes=True)",
            ),
        ),
        (SHARING + "test_a_link_shows_what_its_maker_let_it_show",),
    ),
    Defence(
        "T51",
        "nested runs are behind no link",
        (
            Cut(
                VIEW,
                "Shown(link.shows_texts, link.shows_notes)",
                "Shown(link.shows_texts, link.shows_notes, nested=True)",
            ),
        ),
        (SHARING + "test_what_a_nested_run_did_is_on_the_wall_and_behind_no_link",),
    ),
    Defence(
        "T51",
        "a page that follows its run asks by the link each time",
        (
            Cut(
                VIEW,
                "    link = opened(token)\n",
                "    from playground.models.shared_run import _digest\n\n"
                "    found = SharedRun.objects.filter(digest=_digest(token)).first()\n"
                '    link = found if "after" in request.GET else opened(token)\n',
            ),
        ),
        (SHARING + "test_a_page_that_follows_a_run_through_a_link_is_told_only_while_the_link_opens",),
    ),
    Defence(
        "T51",
        "a page behind a link leads nowhere",
        (Cut(VIEW, '"address": "?at="}', '"address": "?at=", "leave": "/runs/", "run": link.run}'),),
        (SHARING + "test_who_has_the_link_sees_the_slides_and_no_way_to_anything_else",),
    ),
    Defence(
        "T51",
        "of a token its digest is kept",
        (
            Cut(
                SHARED_RUN,
                'return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()',
                "return token",
            ),
        ),
        (SHARING + "test_only_a_digest_is_kept_and_visits_are_counted_once_each",),
    ),
    Defence(
        "T51",
        "a token cannot be guessed",
        (Cut(SHARED_RUN, "token_urlsafe(32)", "token_urlsafe(4)"),),
        (SHARING + "test_only_a_digest_is_kept_and_visits_are_counted_once_each",),
    ),
)
