"""What the server offers, as values: tools, what they are called with, what they answer."""

from __future__ import annotations

from satchel.core.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from satchel.workspace import Workspace


class Hints(NamedTuple):
    """What a client may know of a tool before it calls it."""

    reads: bool = True
    destroys: bool = False
    repeats: bool = True
    open_world: bool = False


READS = Hints()
ADDS = Hints(reads=False, repeats=False)
CHANGES = Hints(reads=False, destroys=True)


class Call(NamedTuple):
    """One call: the open project, checked arguments with their defaults, and who asks.

    `tell` reports progress: steps done, steps in all (0: unknown), in words. It raises once nobody
    waits for the answer any more, so that long work stops.
    """

    workspace: Workspace
    given: dict[str, Any]
    client: str
    tell: Callable[[int, int, str], None]


class Answer(NamedTuple):
    """What a tool answers: a short text for the model, and the same as a JSON object."""

    text: str
    data: dict[str, Any]


class Tool(NamedTuple):
    """One tool.

    Attributes:
        takes: argument -> JSON Schema, in the order in which a reader needs them.
        needs: arguments without which there is no call.
        gives: field -> JSON Schema of the answer's object; all of them are always there, but for
            those in `sometimes`.
        from_start: whether a client that looks tools up when it needs them should show this one
            to the model at once: what is never seen is never called.
    """

    name: str
    title: str
    about: str
    takes: dict[str, dict[str, Any]]
    needs: tuple[str, ...]
    gives: dict[str, dict[str, Any]]
    run: Callable[[Call], Answer]
    hints: Hints = READS
    sometimes: tuple[str, ...] = ()
    from_start: bool = False

    @property
    def input_schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments."""
        schema: dict[str, Any] = {"type": "object", "properties": self.takes}
        if self.needs:
            schema["required"] = list(self.needs)
        return {**schema, "additionalProperties": False}

    @property
    def output_schema(self) -> dict[str, Any]:
        """JSON Schema of the structured answer."""
        always = [name for name in self.gives if name not in self.sometimes]
        return {"type": "object", "properties": self.gives, "required": always}
