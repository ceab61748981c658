"""Chat models: which ones runs may use. Keys are written here and shown nowhere."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from catalog.auditing.recording import Act, audited
from catalog.locking import in_one_transaction, row_to_save
from catalog.requests import Request
from catalog.roles import Role, needs
from playground.forms import ChatModelForm
from playground.models import ChatModel


@require_http_methods(["GET", "POST"])
@needs(Role.ADMIN)
def chat_models(request: Request) -> HttpResponse:
    """The list, with the form that adds one."""
    form = ChatModelForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with audited(Act.CHAT_MODEL_SAVED, form.instance):
            model = form.save()
        messages.success(request, f"{model.title} can now be chosen in the playground.")
        return redirect("chat_models")
    return render(request, "playground/chat_models.html", {"models": ChatModel.objects.all(), "form": form})


@require_http_methods(["GET", "POST"])
@needs(Role.ADMIN)
@in_one_transaction
def chat_model_edit(request: Request, pk: int) -> HttpResponse:
    model = row_to_save(request, ChatModel.objects.all(), pk=pk)
    form = ChatModelForm(request.POST or None, instance=model)
    if request.method == "POST" and form.is_valid():
        with audited(Act.CHAT_MODEL_SAVED, model):
            form.save()
        return redirect("chat_models")
    context = {"form": form, "model": ChatModel.objects.get(pk=pk)}
    return render(request, "playground/chat_model_form.html", context, status=form.status)


@require_POST
@needs(Role.ADMIN)
def chat_model_delete(request: Request, pk: int) -> HttpResponse:
    model = get_object_or_404(ChatModel, pk=pk)
    if kept := model.why_kept:
        messages.error(request, kept)
    else:
        with audited(Act.CHAT_MODEL_DELETED, model):
            model.delete()
        messages.success(request, f"{model.title} was deleted. Runs that used it are kept.")
    return redirect("chat_models")
