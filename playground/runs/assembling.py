"""From a run's row to what it is made of: mode, model, tools, and the secrets to keep out of its record."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings

from catalog.editions import Edition
from catalog.generations import Asked
from catalog.indexing import engine_for, exposure_of
from catalog.models import Catalog
from catalog.outbound import http_transport
from catalog.policy import Context, Policy
from catalog.policy_rows import PolicyUnusableError, policy_of
from catalog.publishing.asking import NoSuchVersionError, edition_for_agent
from catalog.redaction import Redactor
from catalog.search import ENGINES
from catalog.search.choosing import choose
from catalog.search.settings import UnfitSettingsError, read_settings
from playground.agent.budget import Share
from playground.agent.chat_model import ChatModel as ModelAsked
from playground.agent.exchange import Keep, keep_nothing
from playground.agent.large_outputs.offloading import LargeOutputs, OffloadingTools, Thresholds
from playground.agent.limits import Limits
from playground.agent.litellm_model import LiteLLMModel
from playground.agent.person import Asking
from playground.agent.tool_runner import ToolRunner
from playground.models import ChatModel, Run
from playground.modes import MODES
from playground.modes.large_output_tools import OffloadsOutputs
from playground.modes.loaded_store import LoadedStore
from playground.modes.policed import make_mode
from playground.modes.protocol import ALONE, DiscoveryMode, Session
from playground.runs.held_kinds import held_kinds
from playground.runs.history import edited_calls, line_of, messages_of
from playground.runs.holding import WatchingPerson
from playground.runs.kept_outputs import files_of
from playground.runs.loaded_stores import store_of, thread_key
from playground.runs.nested import AgentRuns, calls_left
from playground.runs.secrets import key_of, secrets_of_run
from playground.runs.shared_budgets import share_of
from playground.runs.tool_calls import CatalogTools, simulated_servers
from playground.transcript import Transcript, loaded_names


class CannotRunError(Exception):
    """The run cannot begin as it is set up; the message says, as a sentence, what someone has to change."""


@dataclass(frozen=True, slots=True)
class Assembly:
    """`catalog`, `version` and `engine` are names for the record. `outputs` is there where the mode has large outputs put into files.

    Without a `task` the run goes on from where its `history` ends. `instructions` are those of the agent whose run it
    is, if it is one's. `edited` are calls of the history whose results a person changed. `share` is its part in what several lanes
    may spend together.
    """

    task: str | None
    history: Transcript
    catalog: str
    version: str
    engine: str
    mode: DiscoveryMode
    model: ModelAsked
    tools: CatalogTools
    outputs: LargeOutputs | None
    policy: Policy
    instructions: str
    limits: Limits
    asking: Asking
    edited: tuple[str, ...]
    share: Share | None

    @property
    def runner(self) -> ToolRunner:
        """What runs the calls."""
        return OffloadingTools(self.tools, self.outputs) if self.outputs else self.tools


def redactor_of(run_id: UUID) -> Redactor:
    run = Run.objects.select_related("catalog", "chat_model").get(pk=run_id)
    return Redactor(secrets_of_run(run))


def assemble(run_id: UUID, agents: AgentRuns, keep: Keep = keep_nothing) -> Assembly:
    """`agents` runs the calls of agents, `keep` is given what goes to the model and what comes back.

    May take seconds, where an index must be built. Raises CannotRunError.
    """
    run = Run.objects.select_related("catalog", "chat_model", "thread", "agent").get(pk=run_id)
    if run.catalog is None:
        raise CannotRunError("Its catalog was deleted.")
    edition = _settled(run, run.catalog)
    line = line_of(run)
    model, history = _model_of(run.chat_model, keep), messages_of(line)
    policy = usable_policy(edition, run.context)
    session = Session(thread_key(run.thread_id), policy, _store_of(run, history), model.most_handed)
    mode, engine = mode_of(edition, session, run)
    outputs = _outputs_of(run, run.catalog)
    return Assembly(
        task=run.task or None,
        history=history,
        catalog=run.catalog.title,
        version=str(edition.number or edition.asked),
        engine=engine,
        mode=mode,
        model=model,
        tools=CatalogTools(str(run.pk), simulated_servers(edition), agents, outputs),
        outputs=outputs,
        policy=policy,
        instructions=run.agent.instructions if run.agent else "",
        limits=limits_of(run),
        asking=Asking(held_kinds(run, edition), WatchingPerson(run.pk, settings.PEGBOARD_APPROVAL_MINUTES * 60.0)),
        edited=edited_calls(line),
        share=share_of(run),
    )


def _settled(run: Run, catalog: Catalog) -> Edition:
    """The edition that the run asks for, which is on its row from then on. Raises CannotRunError."""
    try:
        edition = edition_for_agent(catalog, run.edition)
    except NoSuchVersionError:
        raise CannotRunError(f"The catalog {catalog.title} has no version {run.edition}.") from None
    run.version = edition.version
    Run.objects.filter(pk=run.pk).update(version=edition.version)
    return edition


def limits_from(wanted: Mapping[str, Any]) -> Limits:
    """Those that a person set, by name, else as the settings have them; never beyond the most that these allow now."""
    usual, most = {**settings.PEGBOARD_RUN_LIMITS, **wanted}, settings.PEGBOARD_RUN_LIMITS_MOST
    return Limits(**{name: min(usual[name], most[name]) for name in most}, dollars=wanted.get("dollars"))


def limits_of(run: Run) -> Limits:
    """Those of the run's row. A nested run has no more than its agent's turns, and the calls that are left to its family."""
    limits = limits_from(run.limits)
    if run.parent_id is None:
        return limits
    turns = min(limits.turns, run.agent.turns) if run.agent else limits.turns
    return replace(limits, turns=turns, calls=min(limits.calls, calls_left(run)))


def mode_of(catalog: Asked, session: Session = ALONE, run: Run | None = None) -> tuple[DiscoveryMode, str]:
    """The mode of the run, or else the catalog's, and the slug of the engine that it asks. Raises CannotRunError."""
    slug = run.mode_named if run else catalog.mode
    mode = MODES.get(slug)
    if mode is None:
        raise CannotRunError(f"The catalog {catalog.title} names a mode that is not there: {slug}.")
    engine = catalog.engine or mode.default_engine
    if engine not in ENGINES:
        raise CannotRunError(f"The catalog {catalog.title} names an engine that is not there: {engine}.")
    try:
        chosen = choose(engine, catalog.engine_settings if catalog.engine else {})
        options = read_settings(mode.Options, run.options_named if run else catalog.mode_options)
    except UnfitSettingsError as error:
        raise CannotRunError(f"The catalog {catalog.title} has settings that cannot be taken. {error}") from None
    return make_mode(mode, exposure_of(catalog).pool, engine_for(catalog, chosen), options, session), engine


def usable_policy(catalog: Asked, context: Context) -> Policy:
    """The catalog's policy for requests of this context. Raises CannotRunError where its code is not there."""
    try:
        return policy_of(catalog, context)
    except PolicyUnusableError as error:
        raise CannotRunError(f"The policy of {catalog.title} cannot be asked, so nothing is allowed. {error}") from None


def _model_of(chat_model: ChatModel | None, keep: Keep) -> ModelAsked:
    if chat_model is None:
        raise CannotRunError("Its chat model was deleted.")
    if not chat_model.enabled:
        raise CannotRunError(f"The chat model {chat_model.title} is switched off.")
    allowed = bool(chat_model.base_url)  # an admin wrote it, and may mean a private address
    transport = partial(http_transport, allow_private=allowed)
    known = (chat_model.name, chat_model.base_url, key_of(chat_model))
    return LiteLLMModel(*known, open_transport=transport, prices=chat_model.prices, keep=keep)


def _store_of(run: Run, history: Transcript) -> LoadedStore | None:
    """A fork begins with what its source had loaded by then, as a copy of that thread would."""
    store = store_of(run)
    if store and run.position == 1 and run.thread.forked_from_id:
        store.add(thread_key(run.thread_id), loaded_names(history))
    return store


def _outputs_of(run: Run, catalog: Catalog) -> LargeOutputs | None:
    """For a mode that was found and whose options were read."""
    options = read_settings(MODES[run.mode_named].Options, run.options_named)
    if not isinstance(options, OffloadsOutputs):
        return None
    thresholds = Thresholds(options.offload_over, options.refuse_over)
    files = files_of(run.pk, [stretch.run_id for stretch in line_of(run)])
    return LargeOutputs(files, thresholds, Redactor(secrets_of_run(run)).text)
