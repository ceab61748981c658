"""Answers to programs: JSON that nothing on the way keeps."""

from typing import Any

from django.http import JsonResponse


def refused(status: int, problems: dict[str, str]) -> JsonResponse:
    """What is wrong, by the part of the request that it is about."""
    return answer({"problems": problems}, status)


def answer(body: dict[str, Any], status: int = 200) -> JsonResponse:
    response = JsonResponse(body, status=status, json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Cache-Control"] = "no-store"
    return response
