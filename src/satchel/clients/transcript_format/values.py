"""The contents of transcripts, independent of the client. Values."""

from __future__ import annotations

from satchel.core.values import Any, NamedTuple

TYPE_CHECKING = False


USER, ASSISTANT = "user", "assistant"


class Edit(NamedTuple):
    """What a tool wrote: the file, and its lines' marks (`core/line_marks`).

    `whole`: the lines may not be the call's own: it wrote a whole file that may have existed with
    some of them, or it is unknown whether it wrote at all. `gone` are the lines that it removed;
    those that it also added count as neither. Without either, it deleted the file if `whole`, or
    else wrote it whole. `at` is when it was done, 0 if only the turn tells.
    """

    path: str
    marks: tuple[str, ...]
    whole: bool = False
    gone: tuple[str, ...] = ()
    at: float = 0.0


class Turn(NamedTuple):
    """A turn: what one side said, and what the agent did.

    `at` is seconds since 1970, 0 if unknown. `id` is the client's own if it has one, and stays the
    same whenever the file is read again. `tools` are the calls, shortened (`Bash: pytest -q`),
    `errors` the results of those that failed. `model` is empty if only the session's head has it.
    `rejects` is true for what a person said while rejecting a call. `edits` is what successful
    calls wrote, `commits` what git reported as committed, each an id and the first line of its
    message. `branch` was checked out at the time; empty if it is the session head's, or unknown.
    """

    role: str
    text: str
    at: float = 0.0
    id: str = ""
    tools: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    model: str = ""
    rejects: bool = False
    edits: tuple[Edit, ...] = ()
    commits: tuple[str, ...] = ()
    branch: str = ""


class TranscriptHead(NamedTuple):
    """A transcript's session. `parent` is the parent of a subagent's session."""

    client: str
    session: str = ""
    cwd: str = ""
    branch: str = ""
    model: str = ""
    started: float = 0.0
    title: str = ""
    parent: str = ""

    def filled_in(self, **said: Any) -> TranscriptHead:
        """Fill in missing fields; a later title replaces an earlier one."""
        new: dict[str, Any] = {
            name: value
            for name, value in said.items()
            if value and (name == "title" or not getattr(self, name))
        }
        return self._replace(**new) if new else self


def merged(turns: list[Turn], more: list[Turn]) -> list[Turn]:
    """Merge turns; one with an existing id replaces it."""
    found = {turn.id: turn for turn in turns}
    found.update((turn.id, turn) for turn in more)
    return list(found.values())
