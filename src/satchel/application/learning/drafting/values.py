"""What drafting needs to know about a project. Values."""

from __future__ import annotations

from satchel.core.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from satchel.engine.contradictions import Clash
    from satchel.features.proposals.values import Edit


class SimilarNote(NamedTuple):
    """A note similar to the lesson, with its similarity from 0 to 1.

    `copies` are the other places where it stands, (below, path).
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
        agents: files of agents by their name, (below, path).
        clashing: finds rules that a new one repeats or contradicts.
        outdated: gives the edit that takes out what a later word contradicts, said at a time in
            Unix seconds; None where it is newer, or not this project's to change.
        similar: finds notes that are about the same.
        now: Unix seconds.
        has_person: there is somebody whose own store keeps what holds in every project.
        remembers: a line of knowledge becomes a memory, not a line of the file `memory`.
        remembered: names the memory that says a thing already, "" for none.
        kept: gives the edit that puts aside what the agent remembered of a thing; None for nothing.
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
