"""Where a form leads once it is done, as the page said that led to it."""

from django.utils.http import url_has_allowed_host_and_scheme

from catalog.requests import Request


def return_address(request: Request) -> str:
    """The address that was sent along, if it is one of ours; else nothing."""
    address = request.POST.get("next") or request.GET.get("next", "")
    return address if url_has_allowed_host_and_scheme(address, allowed_hosts={request.get_host()}) else ""
