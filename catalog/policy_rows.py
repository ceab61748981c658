"""From a catalog's rows and the deployment's settings to the policy of one request."""

from importlib import import_module

from django.conf import settings

from catalog.editions import Edition, draft
from catalog.models import Catalog
from catalog.policy import Context, Phase, Policy, Rule
from catalog.policy_question import Question
from catalog.tools import ToolSpec


class PolicyUnusableError(Exception):
    """The code that a catalog's policy names cannot be asked; the message says why, as a sentence."""


def rules_of(asked: Catalog | Edition) -> tuple[Rule, ...]:
    """Those that are switched on, in their order."""
    return (draft(asked) if isinstance(asked, Catalog) else asked).rules


def policy_of(catalog: Catalog | Edition, context: Context) -> Policy:
    """Who may use which tool in a request of this context. Raises PolicyUnusableError."""
    return Policy(rules_of(catalog), question_named(catalog.policy) if catalog.policy else None, context)


def policy_shown(catalog: Catalog | Edition, context: Context) -> Policy:
    """The policy for a page, which cannot fail: code that cannot be asked denies, and says so."""
    try:
        return policy_of(catalog, context)
    except PolicyUnusableError as error:
        return Policy(rules_of(catalog), _refusing(error), context)


def policy_to_try(catalog: Catalog | Edition) -> Policy:
    """What pages show where no other context is given: that of the catalog's context to try."""
    return policy_shown(catalog, catalog.context_to_try)


def question_named(name: str) -> Question:
    """The code that the setting PEGBOARD_POLICIES has under a name. Raises PolicyUnusableError."""
    path = settings.PEGBOARD_POLICIES.get(name)
    if path is None:
        raise PolicyUnusableError(f"It names {name}, which is not in PEGBOARD_POLICIES.")
    module, _, function = path.partition(":")
    try:
        question: Question = getattr(import_module(module), function)
    except Exception as error:
        raise PolicyUnusableError(f"{path} cannot be imported: {type(error).__name__}: {error}.") from error
    if not callable(question):
        raise PolicyUnusableError(f"{path} cannot be called.")
    return question


def _refusing(error: PolicyUnusableError) -> Question:
    def refuse(tool: ToolSpec, phase: Phase, context: Context) -> bool:
        raise error

    return refuse
