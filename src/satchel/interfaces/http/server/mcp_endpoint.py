"""MCP over HTTP for every served project, at `/api/projects/{project}/mcp`, without sessions.

Every request says which project it is about and who asks, so that any worker of any machine can
answer it. The gate has checked host, origin, token and that the user may read the project.
"""

from __future__ import annotations

import asyncio
import functools
import importlib.util
from collections.abc import Callable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import Any

from satchel.core.errors import NotFoundError
from satchel.core.values import NamedTuple
from satchel.features.access.users import WRITER, Identity
from satchel.interfaces.http.server.project_pool import ProjectPool
from satchel.interfaces.mcp.calls import Project
from satchel.interfaces.mcp.schemas import Tool
from satchel.workspace import Workspace

PATH = "/api/projects/{project}/mcp"


class _Asking(NamedTuple):
    """Who asks of which project: how to open it, the user's name, and whether they may write."""

    opened: Callable[[], AbstractContextManager[Workspace]]
    user: str
    writes: bool


_asking: ContextVar[_Asking] = ContextVar("satchel.mcp.asking")


class _AskedProject(Project):
    """The project of the request that is being answered."""

    def __init__(self) -> None:
        super().__init__("")

    def opened(self) -> AbstractContextManager[Workspace]:
        return _asking.get().opened()

    def user(self) -> str:
        return _asking.get().user

    def worked_around(self) -> list[str]:
        return []  # the process serves others, and other projects

    def refusal(self, tool: Tool, given: dict[str, Any]) -> str:
        if _asking.get().writes or tool.only_reads(given):
            return ""
        return f"`{tool.name}` changes something, and this token may only read here."


class _Running(NamedTuple):
    """The SDK's manager, the loop and task it lives in, and whether it has begun."""

    loop: asyncio.AbstractEventLoop
    manager: Any
    task: asyncio.Task[None]
    ready: asyncio.Event


class McpEndpoint:
    """An ASGI application that answers agents over MCP."""

    def __init__(self, served: ProjectPool) -> None:
        self._served = served
        self._running: _Running | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request. Raises `NotFoundError` without the project or the SDK."""
        project = self._served.project(scope["path_params"]["project"])
        identity: Identity = scope["satchel.identity"]
        manager = await self._started()
        opened = functools.partial(project.opened, identity)
        writes = identity.may(WRITER, *project.names)
        token = _asking.set(_Asking(opened, identity.author, writes))
        try:
            await manager.handle_request(scope, receive, send)
        finally:
            _asking.reset(token)

    async def _started(self) -> Any:
        """Return the SDK's manager; it lives as long as the event loop that answers.

        The SDK is imported when the first agent asks.
        """
        loop = asyncio.get_running_loop()
        running = self._running
        if running is None or running.loop is not loop or running.task.done():
            ready, manager = asyncio.Event(), _manager()

            async def run() -> None:
                async with manager.run():
                    ready.set()
                    await asyncio.Event().wait()

            running = self._running = _Running(loop, manager, loop.create_task(run()), ready)
        await running.ready.wait()
        return running.manager


def _manager() -> Any:
    if importlib.util.find_spec("mcp") is None:
        raise NotFoundError(
            "This server does not answer over MCP.",
            hint="Its operator installs the extra: pip install 'satchel[mcp]'.",
        )
    from satchel.interfaces.mcp.serving import McpServer

    return McpServer(_AskedProject(), "default").over_http()
