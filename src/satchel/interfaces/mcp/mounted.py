"""The server over streamable HTTP for projects that others share, without sessions.

Every request says which project it is about and who asks, so that any worker of any machine can
answer it. The gate of the HTTP server has checked the token before.
"""

from __future__ import annotations

import asyncio
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import Any

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from satchel.core.values import NamedTuple
from satchel.interfaces.mcp.calls import Project
from satchel.interfaces.mcp.serving import McpServer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from satchel.interfaces.mcp.schemas import Tool
    from satchel.workspace import Workspace


class Asking(NamedTuple):
    """Who asks of which project: how to open it, the user's name, and whether they may write."""

    opened: Callable[[], AbstractContextManager[Workspace]]
    user: str
    writes: bool


_asking: ContextVar[Asking] = ContextVar("satchel.mcp.asking")


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
    manager: StreamableHTTPSessionManager
    task: asyncio.Task[None]
    ready: asyncio.Event


class MountedMcp:
    """Answers requests over every project of a server.

    Args:
        profile: of the tools.
    """

    def __init__(self, profile: str = "default") -> None:
        self._server = McpServer(_AskedProject(), profile).server()
        self._running: _Running | None = None

    async def answer(self, asking: Asking, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        manager = await self._started()
        token = _asking.set(asking)
        try:
            await manager.handle_request(scope, receive, send)
        finally:
            _asking.reset(token)

    async def _started(self) -> StreamableHTTPSessionManager:
        """Return the SDK's manager; it lives as long as the event loop that answers."""
        loop = asyncio.get_running_loop()
        running = self._running
        if running is None or running.loop is not loop or running.task.done():
            ready = asyncio.Event()
            manager = StreamableHTTPSessionManager(self._server, json_response=True, stateless=True)

            async def run() -> None:
                async with manager.run():
                    ready.set()
                    await asyncio.Event().wait()

            running = self._running = _Running(loop, manager, loop.create_task(run()), ready)
        await running.ready.wait()
        return running.manager
