"""The choice of how a server's tools are called."""

from django import forms

from catalog.models import Server

_KIND_OF_RULE: dict[str, str] = {Server.NameRule.MCP: Server.Kind.MCP, Server.NameRule.SDK: Server.Kind.SDK}
"""Name rules that stand for one kind of server only."""


def name_rule_field(kind: str) -> forms.ChoiceField:
    """A choice of the name rules that a server of this kind may have."""
    choices = [choice for choice in Server.NameRule.choices if _KIND_OF_RULE.get(choice[0], kind) == kind]
    return forms.ChoiceField(choices=choices, label="Tools are called")
