"""What drafting needs to know about a project. Values."""

from __future__ import annotations

from satchel.core.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from satchel.engine.statements.contradictions import Clash
    from satchel.features.proposals.values import Edit


class SimilarNote(NamedTuple):
    """A note similar to the lesson, with its similarity from 0 to 1.

    `copies` are its other places, (below, path).
    """

    id: str
    title: str
    below: str
    path: str
    near: float
    copies: tuple[tuple[str, str], ...] = ()


class Targets(NamedTuple):
    """Where things go in one project; paths are relative to their base.

    Attributes:
        agents: agents' files by name, (below, path).
        clashing: finds rules that a new one repeats or contradicts.
        outdated: returns the edit that removes what a later statement contradicts, made at a time
            in Unix seconds; None if the line is newer, or not this project's to change.
        similar: finds notes about the same subject.
        now: Unix seconds.
        has_person: whether a user's own store exists, for what holds in every project.
        remembers: whether a line of knowledge becomes a memory, not a line of the file `memory`.
        remembered: returns the memory that already says something, "" for none.
        kept: returns the edit that puts aside the agent's memory of something; None for none.
    """

    instructions: str
    memory: str
    instincts: str
    solutions: str
    skills: str
    agents: dict[str, tuple[str, str]]
    clashing: Callable[[str], Sequence[Clash]]
    similar: Callable[[str], Sequence[SimilarNote]]
    now: float
    session: str = ""
    project: str = ""
    remembers: bool = False
    has_person: bool = False
    remembered: Callable[[str], str] = lambda _: ""
    kept: Callable[[str], Edit | None] = lambda _: None
    outdated: Callable[[Clash, float], Edit | None] = lambda _clash, _at: None
