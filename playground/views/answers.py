"""What an agent of a catalog is answered to a search: the mode's own words, as a run would record them."""

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_headers

from catalog.editions import Edition
from catalog.models import Catalog
from catalog.prompt_size import estimate_messages
from catalog.publishing.asking import NoSuchVersionError, edition_of
from catalog.requests import Request
from catalog.search import ENGINES
from playground.modes.protocol import Answer, DiscoveryMode, Session
from playground.modes.searching import search_call
from playground.runs.assembling import CannotRunError, mode_of, usable_policy
from playground.transcript import ToolCall


@dataclass(frozen=True, slots=True)
class Asked:
    """A call of the search meta-tool and its answer; `tokens` is the estimate of what it adds to the prompt."""

    mode: DiscoveryMode
    engine: str
    call: ToolCall
    answer: Answer

    @property
    def engine_title(self) -> str:
        return ENGINES[self.engine].title

    @property
    def tokens(self) -> int:
        return estimate_messages([{"role": "tool", "content": self.answer.content}])


@require_GET
@vary_on_headers("HX-Request")
def search_answer(request: Request) -> HttpResponse:
    """`?catalog=` and `?q=`; `engine` is what the reader looks at, `raw` asks for the answer and nothing else."""
    catalog = get_object_or_404(Catalog, slug=request.GET.get("catalog", ""))
    context: dict[str, object] = {"catalog": catalog, "query": request.GET.get("q", "")}
    try:
        asked = _asked(edition_of(catalog, request.GET.get("version", "")), request.GET.get("q", ""))
    except (CannotRunError, NoSuchVersionError) as error:
        asked = None
        context["problem"] = str(error)
    if asked and "raw" in request.GET:
        return HttpResponse(asked.answer.content, content_type="text/plain; charset=utf-8")
    looked_at = request.GET.get("engine", "")
    context |= {"asked": asked, "looked_at": ENGINES[looked_at].title if looked_at in ENGINES else ""}
    return render(request, "playground/_answer.html" if request.htmx else "playground/answer.html", context)


def _asked(edition: Edition, query: str) -> Asked:
    """Raises CannotRunError."""
    policy = usable_policy(edition, edition.context_to_try)
    mode, engine = mode_of(edition, Session(policy=policy))
    call = search_call(mode, query)
    if call is None:
        raise CannotRunError(f"In the mode {mode.title} a model does not search with a query.")
    return Asked(mode, engine, call, mode.answer(call, ()))
