"""Tool calls: open the project, run the tool in a thread, turn errors into answers. No SDK here."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar

from satchel.core.errors import SatchelError
from satchel.core.trust import AGENT, clean_line, clean_text
from satchel.core.values import NamedTuple
from satchel.interfaces.mcp.schemas import Call, Tool, checked
from satchel.storage.files import not_usable
from satchel.storage.inbox import faults
from satchel.workspace import Workspace

T = TypeVar("T")


class CallCancelledError(Exception):
    """The client cancelled the call or disconnected; long work stops at its next step."""


class ToolFailure(NamedTuple):
    """An error for the model: what happened, and the next step."""

    text: str


class Project:
    """The project that a server serves, opened for each call because calls run concurrently.

    Args:
        directory: the directory in which the server was started.
    """

    def __init__(self, directory: str) -> None:
        self.directory = directory

    def call(
        self,
        tool: Tool,
        given: dict[str, Any] | None,
        client: str,
        tell: Callable[[int, int, str], None],
    ) -> str | ToolFailure:
        """Run a tool; report any error instead of raising it."""

        def run(workspace: Workspace) -> str:
            said = tool.run(Call(workspace, wanted, client, tell, self.user()))
            notes = [] if said.startswith(("{", "[")) else self.worked_around()
            return clean_text("\n".join([said, *notes]))

        try:
            wanted = checked(tool, given)
        except SatchelError as error:
            return ToolFailure(format_error(error))
        refused = self.refusal(tool, wanted)
        return ToolFailure(refused) if refused else self.with_workspace(run)

    def opened(self) -> AbstractContextManager[Workspace]:
        """Open the project for one call."""
        return Workspace.open(self.directory)

    def worked_around(self) -> list[str]:
        """Return what an answer may lack, and why, once; its process serves nobody else."""
        told = [f"Note: {clean_line(one)}" for one in faults.worked_around]
        faults.worked_around.clear()
        return told

    def user(self) -> str:
        """Return the name of the team's user who asks; "" for the person at this machine."""
        return ""

    def refusal(self, tool: Tool, given: dict[str, Any]) -> str:
        """Return why a call is refused, or ""."""
        del tool, given
        return ""

    def with_workspace(self, ask: Callable[[Workspace], T]) -> T | ToolFailure:
        """Open the project, run a function on it, and close it."""
        try:
            with self.opened() as workspace, _as_agent(workspace):
                return ask(workspace)
        except CallCancelledError:
            raise
        except SatchelError as error:
            return ToolFailure(format_error(error))
        except OSError as error:
            if error.filename is None:
                return ToolFailure(f"A file could not be used: {error.strerror or error}.")
            return ToolFailure(format_error(not_usable(error.filename, error, writing=False)))
        except Exception as error:  # noqa: BLE001 -- one broken call must not end the session
            text = clean_text(f"This failed: {type(error).__name__}: {error}.")
            sys.stderr.write(f"satchel mcp: {text}\n")
            return ToolFailure(f"{text}\nRun `satchel doctor` to look for damage.")


@contextmanager
def _as_agent(workspace: Workspace) -> Iterator[None]:
    """Take what is said for an agent's; a server goes on to use the workspace for others."""
    before, workspace.project.trust = workspace.project.trust, AGENT
    try:
        yield
    finally:
        workspace.project.trust = before


def format_error(error: SatchelError) -> str:
    """Format an error and its next step."""
    text = clean_text(str(error))
    return f"{text}\n{clean_text(error.hint)}" if error.hint else text
