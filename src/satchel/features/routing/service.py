"""Routing in a project: profiles, decisions, unrouted messages."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import BinaryIO

from satchel.core.errors import ConflictError, NotFoundError, SatchelError
from satchel.core.values import Closing
from satchel.features.routing.decisions import Decided, Decisions
from satchel.features.routing.messages import RoutedMessages, UnreadableLine, read_messages
from satchel.features.routing.outcome_stats import OutcomeStats
from satchel.features.routing.reading import (
    LARGEST,
    checked,
    preset_text,
    read_profile,
    read_profiles,
    with_own,
)
from satchel.features.routing.router import Router
from satchel.features.routing.values import Choice, Decision, Message, Profile, Profiles, Tally
from satchel.project.person import PersonStore
from satchel.project.store import ProjectStore
from satchel.storage.files import names_in, read_file, replace_file
from satchel.storage.paths import PROFILE, PROFILES, ROUTED_MESSAGES, ROUTING_OUTCOMES
from satchel.storage.safe_open import is_within, read_inside

#: Where messages can be picked up besides a file.
SESSIONS, TEAM = SOURCES = ("sessions", "team")
_MODE = 0o644


class AgentRouting(Closing):
    """Routes messages of an open project.

    Args:
        person: whose profiles count too; None where nothing of a person is read.
        decided: where decisions are written and found.
        sources: name -> messages that wait elsewhere than in a file.
    """

    def __init__(
        self,
        project: ProjectStore,
        person: PersonStore | None,
        decided: Decided,
        sources: Mapping[str, Callable[[list[UnreadableLine]], Iterator[Message]]],
    ) -> None:
        self.project, self._person, self._decided, self._sources = project, person, decided, sources
        self.decisions = Decisions(decided)
        self._router: Router | None = None

    def close(self) -> None:
        """Save deferred changes."""
        if self._router is not None:
            self._router.close()
            self._router = None

    @property
    def router(self) -> Router:
        """The router, with the profiles at first use."""
        if self._router is None:
            project, profiles = self.project, self.profiles()
            persons = [place for place, _ in self._persons()]
            own = [p.id for p in profiles.profiles if any(is_within(p.path, at) for at in persons)]
            self._router = Router(
                profiles,
                self.decisions,
                OutcomeStats(project.state.derived(ROUTING_OUTCOMES), project.clock.now),
                project.clock,
                own=frozenset(own),
            )
        return self._router

    # Profiles

    @property
    def _place(self) -> str:
        return self.project.tracked.agents[0]

    def profiles(self) -> Profiles:
        """Return the profiles in force: the project's, the user's, or the shipped ones.

        Profiles beside identity files (`agents/<name>/profile.yaml`) take the place of those with
        the same id, or come after them.
        """
        for place, root in [(self._place, self.project.place.root), *self._persons()]:
            path = os.path.join(place, PROFILES)
            if os.path.lexists(path):
                found = read_profiles(read_inside(root, path, most=LARGEST), path)
                break
        else:
            found = read_profiles(preset_text().encode(), "the shipped profiles")
        return checked(with_own(found, list(self._own())))

    def _own(self) -> Iterator[Profile]:
        project, seen = self.project, set[str]()
        places = [(place, project.place.root) for place in project.tracked.agents]
        for place, root in [*places, *self._persons()]:
            for name in names_in(place):
                path = os.path.join(place, name, PROFILE)
                if name.lower() not in seen and os.path.lexists(path):
                    seen.add(name.lower())
                    yield read_profile(read_inside(root, path, most=LARGEST), path, name)

    def _persons(self) -> list[tuple[str, str]]:
        home = self._person.home if self._person is not None else None
        return [(home.agents, home.path)] if home is not None else []

    def write_preset(self) -> str:
        """Write the shipped profiles to edit; return the path. Never overwrites."""
        path = os.path.join(self._place, PROFILES)
        if os.path.lexists(path):
            raise ConflictError(
                f"{path} already exists.", hint="Change it; `satchel route profiles` shows it."
            )
        root = os.path.realpath(self.project.place.root)
        if not is_within(os.path.realpath(os.path.dirname(path)), root):
            raise ConflictError(f"{path} is outside the project.")
        replace_file(path, preset_text().encode(), mode=_MODE)
        return path

    # Deciding

    def choose(self, text: str, *, division: str = "") -> Choice:
        """Return the agent for a message, without recording anything."""
        return self.router.choose(text, division=division)

    def route(self, text: str, *, division: str = "", task: str = "") -> Decision:
        """Choose the agent for a message and record it, durably; see `Router.route`."""
        decision = self.router.route(text, division=division, task=task)
        self._settle()
        return decision

    def outcome(self, reference: str, outcome: str, *, note: str = "") -> Decision:
        """Record an outcome, `success` or `failure`; a repeated call corrects it."""
        decision = self.router.outcome(reference, outcome, note=note)
        self._settle()
        return decision

    def latest(self, limit: int) -> list[Decision]:
        """Return the newest decisions, newest first."""
        return self.decisions.latest(limit)

    def tallies(self) -> list[Tally]:
        """Return each agent's outcomes among the last 5,000."""
        return self.router.tallies()

    # Messages that wait

    def bridge(
        self,
        source: str,
        file: BinaryIO | None = None,
        *,
        unread: list[UnreadableLine] | None = None,
    ) -> Iterator[Decision]:
        """Route a source's unrouted messages; see `Router.bridge`.

        Args:
            source: `sessions`, `team`, or the path of a file of JSON lines; anything with `file`.
            file: an open file to read lines from.
            unread: gets the lines that hold no message.
        """
        project = self.project
        name, messages = self._messages(source, file, [] if unread is None else unread)
        remembered = RoutedMessages(project.state.derived(ROUTED_MESSAGES), project.clock.now)
        try:
            yield from self.router.bridge(name, messages, remembered)
        finally:
            remembered.flush()
            self._settle()

    def _messages(
        self, source: str, file: BinaryIO | None, unread: list[UnreadableLine]
    ) -> tuple[str, Iterator[Message]]:
        if file is not None:
            return source, _readable(read_messages(file), unread)
        if source in self._sources:
            return source, self._sources[source](unread)
        if not os.path.lexists(source):
            raise NotFoundError(
                f"There is no {source}.",
                hint=f"Give a file of JSON lines, `-`, or {' or '.join(SOURCES)}.",
            )
        data = read_file(source)
        return os.path.realpath(source), _readable(read_messages(data.split(b"\n")), unread)

    def _settle(self) -> None:
        """Rotate the ledger if it is long. The decision is recorded; this may wait."""
        try:
            self._decided.rotate()
        except SatchelError:
            return


def _readable(
    found: Iterable[Message | UnreadableLine], unread: list[UnreadableLine]
) -> Iterator[Message]:
    for one in found:
        if isinstance(one, UnreadableLine):
            unread.append(one)
        else:
            yield one
