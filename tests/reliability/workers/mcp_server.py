"""An MCP server in which everything makes noise; with a bug planted, if one is named."""

import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable

from satchel.interfaces.cli.server.mcp import mcp
from satchel.interfaces.mcp import calls, streams
from satchel.interfaces.mcp.schemas import Call, Tool

_LONG = 3_600


def noisy(tool: Tool, child: str) -> Tool:
    """Let a tool write to standard output in every way that libraries have."""

    def run(call: Call) -> str:
        print("a stray print")
        os.write(1, b"a native library says hello\n")
        subprocess.run(["sh", "-c", child], check=False)
        warnings.warn("a warning", stacklevel=1)
        return tool.run(call)

    return tool._replace(run=run)


def plant(name: str) -> None:
    """Put one bug into this process; "" plants none."""
    if name:
        DEFECTS[name]()


def _leave_streams_open() -> None:
    """The protocol shares standard output with whoever prints."""
    streams.take_standard_streams = lambda: streams.Wire(0, 1)


def _outlive_the_client() -> None:
    """Nobody looks whether the client lives, and the end of the input ends nothing."""
    read = os.read

    def deaf(descriptor: int, size: int) -> bytes:
        data = read(descriptor, size)
        while not data:
            time.sleep(_LONG)
        return data

    streams.watch_client = lambda wire: None  # noqa: ARG005
    os.read = deaf


DEFECTS: dict[str, Callable[[], None]] = {
    "open-streams": _leave_streams_open,
    "deaf": _outlive_the_client,
}


def main() -> None:
    """`mcp_server.py DEFECT CHILD`: serve here; every call starts this shell command, if any."""
    defect, noise = sys.argv[1:]
    plant(defect)
    if noise:
        checked = calls.Project.call

        def call(self: calls.Project, tool: Tool, *more: object) -> str | calls.ToolFailure:
            return checked(self, noisy(tool, noise), *more)  # type: ignore[arg-type]

        calls.Project.call = call  # type: ignore[assignment]
    code = mcp([])
    os._exit(code)


if __name__ == "__main__":
    main()
