"""The settings a client needs to find the MCP server."""

from __future__ import annotations

import json
from typing import Any

from satchel.clients.contract.wiring import server_entry, wiring_of
from satchel.clients.registry import CLIENTS
from satchel.core.errors import BadInputError

#: An unknown client, over HTTP.
HTTP = "http"
NAMES = (*(one.alias for one in CLIENTS), HTTP)
NAME = "satchel"
URL = "http://127.0.0.1:8765/mcp"


def file_of(client: str) -> str:
    """Return the file that a client's snippet belongs in."""
    if client == HTTP:
        return "any client, for `satchel mcp serve --http`"
    return wiring_of(_known(client)).mcp_file


def snippet(client: str, *, profile: str) -> str:
    """Return the snippet for a client's file, JSON or TOML."""
    words = ["mcp"] if profile == "default" else ["mcp", "serve", "--profile", profile]
    if client == HTTP:
        # The token stays in its file: snippets get pasted and committed.
        headers = {"Authorization": "Bearer ${SATCHEL_MCP_TOKEN}"}
        return _json("mcpServers", {"type": "http", "url": URL, "headers": headers})
    wiring = wiring_of(_known(client))
    if not wiring.mcp_key:
        return f'[mcp_servers.{NAME}]\ncommand = "{NAME}"\nargs = {json.dumps(words)}\n'
    return _json(wiring.mcp_key, server_entry(wiring, NAME, words))


def _json(key: str, server: dict[str, Any]) -> str:
    return json.dumps({key: {NAME: server}}, indent=2) + "\n"


def _known(client: str) -> str:
    if client not in NAMES:
        raise BadInputError(
            f"There is no client {client[:40]!r}.", hint=f"One of {', '.join(NAMES)}."
        )
    return client
