"""The contents of transcripts, independent of the client. Values."""

from __future__ import annotations

from satchel.core.values import Any, NamedTuple

TYPE_CHECKING = False


USER, ASSISTANT = "user", "assistant"


class Edit(NamedTuple):
    """What a tool wrote: the file, and its lines' marks (`core/line_marks`).

    `whole`: these lines may not be the call's own: it wrote a whole file that may have been there
    and held some of them, or nothing says that it wrote at all.
    """

    path: str
    marks: tuple[str, ...]
    whole: bool = False


class Turn(NamedTuple):
    """A turn: what one side said, and what the agent did.

    `at` is seconds since 1970, 0 where the client does not say. `id` is the client's own where it
    has one, and the same whenever the file is read again. `tools` are the calls, shortened
    (`Bash: pytest -q`), `errors` what came back from those that failed. `model` is empty where only
    the session's head says it. `rejects` is true of what a person said while they refused a call.
    `edits` are what calls wrote that did not fail, `commits` what git said it made, each the id
    and the first line of its message. `branch` is the one that was checked out when it was said,
    empty where that is the session's head's, or nobody says.
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
