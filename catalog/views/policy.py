"""The policy of a catalog: its rules in order, what they say of a context to try, and changing them."""

import secrets
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from catalog.auditing.recording import Act, audited
from catalog.forms.policy import AskedForm, AskPersonForm, RuleForm
from catalog.indexing import exposure_of
from catalog.invisible import cleaned
from catalog.locking import in_one_transaction, row_to_save
from catalog.models import Catalog, PolicyRule
from catalog.policy_editing import (
    PolicyChangedError,
    State,
    add_rule,
    move_rule,
    put_back,
    state_of,
    switch_rule,
)
from catalog.policy_preview import Preview, preview
from catalog.policy_rows import PolicyUnusableError, policy_to_try, question_named
from catalog.publishing.standing import standing_of
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.views.gating import gated

UNDO = "policy_before"
"""What the session keeps of the policy that was changed last."""
ACTIONS: dict[str, tuple[Callable[[PolicyRule], object], str]] = {
    "up": (lambda rule: move_rule(rule, -1), ""),
    "down": (lambda rule: move_rule(rule, +1), ""),
    "switch": (switch_rule, "switched"),
    "delete": (lambda rule: rule.delete(), "deleted"),
}


@require_GET
@vary_on_headers("HX-Target")
def catalog_policy(request: Request, slug: str) -> HttpResponse:
    """The page. `?rule=` opens a rule by its key, or a `new` one; `?context_to_try=` tries another context and keeps none."""
    catalog = get_object_or_404(Catalog, slug=slug)
    asked = AskedForm(_tried(request, catalog), catalog)
    asked.is_trial = True
    return policy_page(request, catalog, asked, _rule_form(request, catalog))


@require_POST
@needs(Role.CURATOR)
@gated
@in_one_transaction
def catalog_policy_rule(request: Request, slug: str) -> HttpResponse:
    """Add a rule, or save the one of the key `rule`. Where that was deleted meanwhile, the form offers to add it anew."""
    catalog = row_to_save(request, Catalog.objects.all(), slug=slug)
    named = request.POST.get("rule", "")
    form = RuleForm(request.POST, _rule(catalog, named) or PolicyRule(catalog=catalog))
    before, is_new = state_of(catalog), form.instance.pk is None
    if form.is_valid() and is_new and named:
        form.add_error(
            None, "Somebody deleted this rule meanwhile. What you wrote is still here: add it, and it is asked last."
        )
    if not form.is_valid():
        return policy_page(request, catalog, AskedForm(None, catalog), form)
    rule = form.save(commit=False)
    with audited(Act.CATALOG_POLICY, catalog):
        add_rule(rule) if is_new else rule.save()
    _remember(request, catalog, before, f"Rule “{rule}” {'added' if is_new else 'saved'}.")
    return redirect("catalog_policy", catalog.slug)


@require_POST
@needs(Role.CURATOR)
@gated
@in_one_transaction
def catalog_policy_act(request: Request, slug: str) -> HttpResponse:
    """One act on one rule as it stands: `action` is a key of ACTIONS."""
    catalog = row_to_save(request, Catalog.objects.all(), slug=slug)
    rule, action = _rule(catalog, request.POST.get("rule", "")), ACTIONS.get(request.POST.get("action", ""))
    if rule is None or action is None:
        return HttpResponseBadRequest("No such rule, or no such action.")
    act, done = action
    before, told = state_of(catalog), str(rule)
    with audited(Act.CATALOG_POLICY, catalog):
        act(rule)
    if done:
        word = done if done != "switched" else f"switched {'on' if rule.enabled else 'off'}"
        _remember(request, catalog, before, f"Rule “{told}” {word}.")
    return redirect("catalog_policy", catalog.slug)


@require_POST
@needs(Role.CURATOR)
@gated
@in_one_transaction
def catalog_policy_keep(request: Request, slug: str) -> HttpResponse:
    """Keep what is asked where no rule fits, and the context to try."""
    catalog = row_to_save(request, Catalog.objects.all(), slug=slug)
    before = state_of(catalog)
    form = AskedForm(request.POST, catalog)
    if not form.is_valid():
        return policy_page(request, catalog, form, None)
    with audited(Act.CATALOG_POLICY, catalog):
        catalog.save(update_fields=["policy", "context_to_try", "updated_at"])
    _remember(request, catalog, before, "Kept: pages show what the policy says of this context.")
    return redirect("catalog_policy", catalog.slug)


@require_POST
@needs(Role.CURATOR)
def catalog_policy_undo(request: Request, slug: str, token: str) -> HttpResponse:
    """Undo this session's last change, if this is its token and nobody changed the policy since."""
    catalog = get_object_or_404(Catalog, slug=slug)
    kept = request.session.get(UNDO) or {}
    if kept.get("token") != token or kept.get("catalog") != slug:
        messages.error(request, "That change can no longer be undone here.")
        return redirect("catalog_policy", slug)
    del request.session[UNDO]
    try:
        with audited(Act.CATALOG_POLICY, catalog):
            put_back(catalog, kept["before"], kept["after"])
        messages.success(request, "Undone: the policy is as it was.")
    except PolicyChangedError as error:
        messages.error(request, f"Nothing was undone: {error}.")
    return redirect("catalog_policy", slug)


def policy_page(
    request: Request,
    catalog: Catalog,
    asked: AskedForm,
    rule_form: RuleForm | None,
    person: AskPersonForm | None = None,
) -> HttpResponse:
    rows = list(catalog.policy_rules.all())
    made = _preview(catalog, asked, rows)
    context: dict[str, Any] = {
        "catalog": catalog,
        "rows": [(row, made.uses.get(row.pk) if made else None) for row in rows],
        "asked": asked,
        "rule_form": rule_form,
        "person_form": person or AskPersonForm(instance=catalog),
        "opened": request.GET.get("rule", ""),
        "preview": made,
        "problem": _problem(catalog.policy),
    }
    is_partial = request.htmx.target == "policy-tried"
    context |= {} if is_partial else {"standing": standing_of(catalog)}
    status = max(form.status for form in (asked, rule_form, person) if form)
    template = "catalog/_policy_tried.html" if is_partial else "catalog/policy.html"
    return render(request, template, context, status=status)


def _preview(catalog: Catalog, asked: AskedForm, rows: list[PolicyRule]) -> Preview | None:
    """As the form has it; none while it cannot be read."""
    if asked.is_bound and not asked.is_valid() and not asked.is_only_stale:
        return None
    numbers = {row.pk: number for number, row in enumerate(rows, start=1)}
    return preview(exposure_of(catalog).pool, policy_to_try(catalog), numbers)


def _tried(request: Request, catalog: Catalog) -> dict[str, Any] | None:
    """The form's answers, where the address has any."""
    if "context_to_try" not in request.GET:
        return None
    policy = request.GET.get("policy", catalog.policy)
    return {"policy": policy, "context_to_try": request.GET["context_to_try"]}


def _rule_form(request: Request, catalog: Catalog) -> RuleForm | None:
    named = request.GET.get("rule", "")
    rule = PolicyRule(catalog=catalog) if named == "new" else _rule(catalog, named)
    return RuleForm(None, rule) if rule else None


def _rule(catalog: Catalog, key: str) -> PolicyRule | None:
    is_key = key.isascii() and key.isdigit() and len(key) < 19
    return catalog.policy_rules.filter(pk=int(key)).first() if is_key else None


def _problem(name: str) -> str:
    """Why the code that is to be asked cannot be; empty if it can, or if there is none."""
    try:
        _ = name and question_named(name)
    except PolicyUnusableError as error:
        return str(error)
    return ""


def _remember(request: Request, catalog: Catalog, before: State, said: str) -> None:
    token = secrets.token_urlsafe(8)
    after = state_of(Catalog.objects.get(pk=catalog.pk))
    request.session[UNDO] = {"token": token, "catalog": catalog.slug, "before": before, "after": after}
    messages.success(request, cleaned(said), extra_tags=reverse("catalog_policy_undo", args=[catalog.slug, token]))
