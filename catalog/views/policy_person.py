"""Which calls of a catalog wait for a person, kept from its policy page."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from catalog.auditing.recording import Act, audited
from catalog.forms.policy import AskedForm, AskPersonForm
from catalog.locking import in_one_transaction, row_to_save
from catalog.models import Catalog
from catalog.person_kinds import told
from catalog.requests import Request
from catalog.roles import Role, needs
from catalog.views.policy import policy_page


@require_POST
@needs(Role.CURATOR)
@in_one_transaction
def catalog_policy_person(request: Request, slug: str) -> HttpResponse:
    catalog = row_to_save(request, Catalog.objects.all(), slug=slug)
    form = AskPersonForm(request.POST, instance=catalog)
    if not form.is_valid():
        return policy_page(request, catalog, AskedForm(None, catalog), None, form)
    with audited(Act.CATALOG_POLICY, catalog):
        catalog.save(update_fields=["ask_person", "updated_at"])
    messages.success(request, f"Kept. Kinds of calls that wait for a person: {told(catalog.ask_person)}.")
    return redirect("catalog_policy", catalog.slug)
