"""The rows: servers, apps, tools with versions, drifts, findings, catalogs with policies and versions, suites, evaluations, agents."""

from catalog.models.access_token import AccessToken
from catalog.models.agent import Agent
from catalog.models.api_document import ApiDocument, Operation
from catalog.models.app import App
from catalog.models.audit_entry import AuditEntry
from catalog.models.bulk_edit import BulkEdit
from catalog.models.catalog import Catalog, CatalogServer, PreDiscovered
from catalog.models.configuration import Configuration
from catalog.models.contact import Contact, Introduction
from catalog.models.drift import Drift
from catalog.models.embedded_text import EmbeddedText
from catalog.models.evaluation import Evaluation, EvaluationAnswer, SuiteContent
from catalog.models.failed_sign_in import FailedSignIn
from catalog.models.finding import Finding, Look
from catalog.models.importation import Import, StagedTool
from catalog.models.policy_rule import PolicyRule
from catalog.models.saved_view import SavedView
from catalog.models.server import Server
from catalog.models.server_sign_in import ServerSignIn, SignInAttempt
from catalog.models.sign_in_link import SignInLink
from catalog.models.suite import Judgement, Suite, SuiteQuery
from catalog.models.tool import Tool, ToolVersion
from catalog.models.version import CatalogVersion, ImmutableError, ToolDefinition, VersionContent

__all__ = [
    "AccessToken",
    "Agent",
    "ApiDocument",
    "App",
    "AuditEntry",
    "BulkEdit",
    "Catalog",
    "CatalogServer",
    "CatalogVersion",
    "Configuration",
    "Contact",
    "Drift",
    "EmbeddedText",
    "Evaluation",
    "EvaluationAnswer",
    "FailedSignIn",
    "Finding",
    "ImmutableError",
    "Import",
    "Introduction",
    "Judgement",
    "Look",
    "Operation",
    "PolicyRule",
    "PreDiscovered",
    "SavedView",
    "Server",
    "ServerSignIn",
    "SignInAttempt",
    "SignInLink",
    "StagedTool",
    "Suite",
    "SuiteContent",
    "SuiteQuery",
    "Tool",
    "ToolDefinition",
    "ToolVersion",
    "VersionContent",
]
