"""Web search, only if configured. Its results are untrusted data from the web."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlsplit

from satchel.application.research.values import WEB, Finding
from satchel.core.errors import BadInputError
from satchel.core.shapes import list_of
from satchel.core.trust import clean_line
from satchel.engine.inference.http_calls import Endpoint

_TEXT = 600
_SECONDS = 10.0


def search_web(url: str, question: str, limit: int, *, key: str = "") -> list[Finding]:
    """Query a search endpoint and return its results.

    Args:
        url: an address with `{query}` in it that returns {"results": [{"title", "url",
            "content"}]}, like SearXNG with `format=json`.
        question: sent to that server.
        key: sent as a bearer token; empty for none.

    Raises `BadInputError` for an unusable address, `ModelUnavailableError` for a server that fails
    or answers wrongly.
    """
    parts = urlsplit(url)
    if "{query}" not in url:
        raise BadInputError(
            "`research.web_url` has no {query} in it.",
            hint="For SearXNG: https://search.example.org/search?format=json&q={query}",
        )
    endpoint = Endpoint(f"{parts.scheme}://{parts.netloc}", key=key, timeout=_SECONDS)
    path = url[len(f"{parts.scheme}://{parts.netloc}") :]
    answer = endpoint.get(path.replace("{query}", quote(question, safe="")))
    results = answer.get("results", answer.get("items"))
    found = []
    for one in list_of(results):
        if not isinstance(one, dict):
            continue
        address = _text(one, "url", "link")
        if address.startswith(("http://", "https://")):
            title = clean_line(_text(one, "title", "name"))[:200]
            text = clean_line(_text(one, "content", "snippet", "description"))[:_TEXT]
            found.append(Finding(WEB, title or address, text, clean_line(address)))
    return found[:limit]


def _text(one: dict[str, Any], *names: str) -> str:
    return next((str(one[name]) for name in names if isinstance(one.get(name), str)), "")
