"""What the server offers, as values: tools, their calls and their answers."""

from __future__ import annotations

from satchel.core.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from satchel.workspace import Workspace


class Hints(NamedTuple):
    """What a client may know about a tool before calling it."""

    reads: bool = True
    destroys: bool = False
    repeats: bool = True
    open_world: bool = False


READS = Hints()
ADDS = Hints(reads=False, repeats=False)
CHANGES = Hints(reads=False, destroys=True)


class Call(NamedTuple):
    """A call: the open project, validated arguments with defaults, and the caller.

    `tell` reports progress: steps done, steps in all (0: unknown), in words. It raises once nobody
    waits for the answer any more, so that long work stops.
    """

    workspace: Workspace
    given: dict[str, Any]
    client: str
    tell: Callable[[int, int, str], None]


class Tool(NamedTuple):
    """A tool.

    Attributes:
        takes: argument -> JSON Schema, in the order in which a reader needs them.
        needs: arguments without which there is no call.
        run: answers in one text, once: clients that are given JSON beside it show a model the JSON
            alone, without the fence.
        from_start: whether a client that looks tools up when it needs them should show this one
            to the model at once: what is never seen is never called.
    """

    name: str
    title: str
    about: str
    takes: dict[str, dict[str, Any]]
    needs: tuple[str, ...]
    run: Callable[[Call], str]
    hints: Hints = READS
    from_start: bool = False

    @property
    def input_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the arguments."""
        schema: dict[str, Any] = {"type": "object", "properties": self.takes}
        if self.needs:
            schema["required"] = list(self.needs)
        return {**schema, "additionalProperties": False}
