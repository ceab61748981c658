"""Texts that speak to the model rather than of the tool: orders, secrecy, and reaching for what is not the tool's.

The patterns are read by RE2 over the plain form of a text, so that no text can make them slow.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import re2

from catalog.suspicion.finding import Kind

MEMORY = 64 * 1024 * 1024
"""Bytes that one pattern's automaton may take: as many alternatives as these would not fit into the usual 8 MB."""


@dataclass(frozen=True)
class Pattern:
    """What a match is, and why it is told."""

    kind: Kind
    reason: str
    text: str

    @cached_property
    def program(self) -> Any:
        return _compiled(self.text)


def _compiled(text: str) -> Any:
    options = re2.Options()
    options.max_mem = MEMORY
    options.log_errors = False
    return re2.compile(text, options)


def _in_a_row(*groups: str, gap: int = 30) -> str:
    """One word of each group, in this order and in one sentence, with at most `gap` characters between two."""
    return rf"[^.。\n]{{0,{gap}}}".join(rf"\b(?:{group})\b" for group in groups)


def _any_of(*patterns: str) -> str:
    return "|".join(f"(?:{pattern})" for pattern in patterns)


_OTHER_TOOLS = _in_a_row("any|other|another|every|all|each", "tools?", gap=12)

ORDERS = (
    Pattern(
        "order to the model",
        "it tells the model to set other instructions aside",
        _any_of(
            _in_a_row(
                "ignore|ignores|disregard|forget|override|overrides|bypass|supersede|supersedes",
                "previous|prior|above|earlier|other|your|system|all|any|existing|original|preceding",
                "instructions?|prompts?|rules?|guidelines?|guardrails?|tools?|messages?|polic(?:y|ies)|restrictions?|directives?",
            ),
            r"(?:忽略|无视|無視|忘记|忘掉|不理会)[^。\n]{0,14}(?:指令|指示|说明|提示|规则|限制)",
            r"(?:指示|命令|ルール)を無視",
            _in_a_row(
                "ignora|ignorez?|ignorer|ignoriere|ignorieren|olvida|oubliez?|vergiss",
                "instrucciones|instructions|anweisungen|consignes|reglas|regeln|istruzioni|instruções|règles",
                gap=40,
            ),
            r"(?:игнорируй|забудь)(?:те)?[^.\n]{0,40}(?:инструкци|правил|указани)",
        ),
    ),
    Pattern(
        "order to the model",
        "it tells the model to keep something from the user",
        _any_of(
            _in_a_row(
                "do not|don'?t|never|must not|without|avoid|not to",
                "(?:tell|mention|inform|notify|reveal|disclos|alert|warn|explain)(?:e|ing)?",
                "users?|humans?|person|anyone|anybody|operator",
                gap=40,
            ),
            _in_a_row("do not|don'?t|never|without", "ask|asking", "users?|humans?|permission|confirmation", gap=14),
            _in_a_row("hide|conceal|keep", "(?:secret )?from (?:the )?(?:user|human|operator)", gap=40),
            r"(?:不要|别|切勿|请勿|不得|无需)[^。\n]{0,8}(?:告诉|告知|通知|提及|透露|询问)[^。\n]{0,6}(?:用户|使用者|任何人)",
            r"ユーザー(?:に|には)[^。\n]{0,10}(?:言わない|知らせない|伝えない)",
            _in_a_row(
                "no|ne|nicht",
                "digas?|dites?|informes?|sage|sagen|menciones?|mentionnez",
                "usuario|utilisateur|nutzer|benutzer",
            ),
            r"не (?:говори|сообщай|рассказывай)(?:те)?[^.\n]{0,24}пользовател",
        ),
    ),
    Pattern(
        "order to the model",
        "it holds a mark that stands for a message of the system",
        _any_of(
            r"<\s*/?\s*(?:important|system|secret|hidden|admin|assistant|critical|override|instructions?|im_start|sys)\s*/?>",
            r"\[/?(?:system|inst|important|admin)\]",
            r"<\|[a-z_]+\|>",
            r"#{2,}\s*(?:system|instruction|new instructions?)\b",
        ),
    ),
    Pattern(
        "order to the model",
        "it speaks to the model as its operator would",
        _any_of(
            r"\byou are now\b|\bfrom now on\b|\bnew (?:system )?instructions?\s*:|\b(?:your|the) system prompt\b",
            r"\bdeveloper mode\b|\bjailbreak|\bsystem (?:notice|override|message|note)\s*:",
            r"\b(?:note|message|instructions?|attention|notice) (?:to|for) (?:the )?(?:ai|llm|model|assistant|agent)s?\b",
        ),
    ),
    Pattern(
        "order to the model",
        "it tells the model what to do when it uses other tools",
        _any_of(
            _in_a_row("before|after|whenever|when|every time|each time|instead of|prior to", _OTHER_TOOLS)
            + r"[^.。\n]{0,60}\b(?:must|always|first|call|read|send|include|use|append)\b",
            _in_a_row(
                "must|always|have to|required to",
                "before|prior to|instead of|after",
                "any|other|another|every|all|each",
                "tools?|actions?|requests?|response|reply|answer",
                gap=40,
            ),
        ),
    ),
    Pattern(
        "order to the model",
        "it names whom the model is to send things to instead",
        _in_a_row(
            "change|replace|redirect|rewrite|swap|set",
            "recipients?|payee|iban|account number|phone number|destination address|wallet address|to field|bcc",
            "to|with|by",
        )
        + r"\s+\S*[\d@]",
    ),
    Pattern(
        "reach for secrets",
        "it names a file that holds secrets",
        _any_of(
            r"(?:~|\$home|/home/\S{1,32}|/root|%userprofile%)[/\\]\."
            r"(?:ssh|aws|cursor|config|gnupg|kube|netrc|docker|npmrc|env|bash_history)",
            r"\bid_(?:rsa|ed25519|ecdsa)\b|/etc/(?:passwd|shadow)\b|/proc/(?:self|\d+)/environ|169\.254\.169\.254",
            r"\bmcp\.json\b|claude_desktop_config|\bauthorized_keys\b|\bwallet\.dat\b|\.git-credentials",
        ),
    ),
    Pattern(
        "reach for secrets",
        "it asks for what is not the tool’s: the conversation, or secrets",
        _in_a_row(
            "(?:send|post|forward|upload|exfiltrate|transmit|copy|bcc|leak|includ|append|attach|pass|put|paste|encod|embed"
            "|collect)(?:e|s|es|ing)?",
            "(?:entire|full|whole|complete) (?:conversation|chat|history)|(?:previous|prior|earlier) (?:conversation|messages?)"
            "|(?:conversation|chat) (?:history|log|transcript)|system prompt|private keys?|session cookies?"
            "|all (?:the )?(?:secrets|credentials|passwords|api keys|tokens)",
            gap=48,
        ),
    ),
    Pattern(
        "reach for secrets",
        "it names an address to which the model is to send something",
        _in_a_row("(?:send|post|forward|upload|exfiltrate|transmit|report|bcc|submit)(?:s|ing)?", "to", gap=60)
        + r"[^.。\n]{0,12}(?:https?://|[a-z0-9.+-]+@[a-z0-9-]+\.[a-z]{2,})",
    ),
)

ANY_ORDER = _compiled(_any_of(*(pattern.text for pattern in ORDERS)))
"""Whether any of them matches: most texts hold none."""
