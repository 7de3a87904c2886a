"""Rejects query parameters that a route does not declare, like unknown fields of a body."""

from __future__ import annotations

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute


def known_query(request: Request) -> None:
    """Reject unknown query parameters: a misspelt filter would match everything.

    Raises `RequestValidationError`, which names each.
    """
    route = request.scope.get("route")
    if not isinstance(route, APIRoute) or not request.query_params:
        return
    known = _names(route.dependant)
    wrong = [name for name in request.query_params if name not in known]
    if wrong:
        words = f"unknown parameter; known are: {', '.join(sorted(known)) or 'none'}"
        raise RequestValidationError(
            [{"type": "extra_forbidden", "loc": ("query", name), "msg": words} for name in wrong]
        )


def _names(dependant: Dependant) -> set[str]:
    own = {one.alias for one in dependant.query_params}
    return own.union(*(_names(one) for one in dependant.dependencies))


__all__ = ["known_query"]
