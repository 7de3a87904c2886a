"""MCP over HTTP for every served project, at `/api/projects/{project}/mcp`.

The gate has checked host, origin, token and that the user may read the project.
"""

from __future__ import annotations

import functools
import importlib.util
from typing import TYPE_CHECKING, Any

from satchel.core.errors import NotFoundError
from satchel.features.access.users import WRITER, Identity
from satchel.interfaces.http.server.project_pool import ProjectPool

if TYPE_CHECKING:
    from satchel.interfaces.mcp.mounted import MountedMcp

PATH = "/api/projects/{project}/mcp"


class McpEndpoint:
    """An ASGI application that answers agents over MCP, without sessions."""

    def __init__(self, served: ProjectPool) -> None:
        self._served = served
        self._mounted: MountedMcp | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request. Raises `NotFoundError` without the project or the SDK."""
        project = self._served.project(scope["path_params"]["project"])
        identity: Identity = scope["satchel.identity"]
        mounted = self._answering()
        from satchel.interfaces.mcp.mounted import Asking

        opened = functools.partial(project.opened, identity)
        writes = identity.may(WRITER, *project.names)
        await mounted.answer(Asking(opened, identity.author, writes), scope, receive, send)

    def _answering(self) -> MountedMcp:
        """Return what answers; the SDK is imported when the first agent asks."""
        if self._mounted is None:
            if importlib.util.find_spec("mcp") is None:
                raise NotFoundError(
                    "This server does not answer over MCP.",
                    hint="Its operator installs the extra: pip install 'satchel[mcp]'.",
                )
            from satchel.interfaces.mcp.mounted import MountedMcp

            self._mounted = MountedMcp()
        return self._mounted
