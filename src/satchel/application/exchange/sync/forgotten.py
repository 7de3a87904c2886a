"""What either home forgot, and a sync would bring back: the text itself, and whatever quotes it.

The machine that forgot has no text left to search for; one that still has the lines has it. So it
takes both sides' ledgers: before anything is merged, this home is scrubbed, and so is what comes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from itertools import chain

from satchel.application.exchange.sync.outside import Outside, scrub_outside
from satchel.application.forgetting.choosing import keeps_its_words
from satchel.application.forgetting.indexes import drop_database
from satchel.application.forgetting.matching import TraceMatcher
from satchel.application.forgetting.places import Rules, files_below, scrubbed
from satchel.application.forgetting.receipts import (
    ForgottenIndex,
    forgotten_in,
    note_forgotten_elsewhere,
    tombstones_in,
)
from satchel.application.forgetting.resurrected_lines import rules_for_returned
from satchel.application.forgetting.returned_turns import ForgottenTurns, forgotten_turns
from satchel.application.forgetting.said_again import said_before
from satchel.application.forgetting.scrub import contains_trace
from satchel.application.forgetting.state_files import locks_in_state, place_in_state
from satchel.application.forgetting.values import DERIVED, KEPT, LEDGER
from satchel.core.clock import Clock
from satchel.features.sessions.compression import lines_in
from satchel.project.inventory import LEDGER as LEDGER_SORT
from satchel.project.inventory import PACKED, HomeFile, home_files, local_path, state_at
from satchel.storage.database.raw_bytes import raw_bytes
from satchel.storage.files import flush_directory, read_file, replace_file
from satchel.storage.home_paths import lock_name
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.lines import records_in, split_lines
from satchel.storage.ledger.record import Record
from satchel.storage.locks import FileLock
from satchel.storage.paths import PrivateState, UserHome

#: The private state of what belongs to the person.
_PERSON = HomeFile("user/", "", "").state


class Forgotten:
    """What either side forgot, as far as one of them still has its text.

    Args:
        home: this home.
        theirs: the remote's files, with their bytes, of the kinds that can say what was forgotten.
    """

    def __init__(self, home: UserHome, theirs: Iterable[tuple[HomeFile, bytes]]) -> None:
        self._home = home
        here = [
            (one, read_file(local_path(home.path, one.path)))
            for one in home_files(home)
            if one.sort in (LEDGER_SORT, PACKED)
        ]
        there = [(one, data) for one, data in theirs if one.sort in (LEDGER_SORT, PACKED)]
        archives = [(one, data) for one, data in (*here, *there) if one.sort == PACKED]
        read, brought = _by_state(here), _by_state(there)
        ledgers = [*read.values(), *brought.values()]
        self.turns: ForgottenTurns = forgotten_turns([data for _, data in archives])
        lines = [raw for one in ledgers for raw in one]
        known = forgotten_in(lines)
        ids, hashes = tombstones_in(lines)
        known = ForgottenIndex(known.ids | ids, known.hashes | hashes, {})
        lost = {one.state: tuple(self._lost(data)) for one, data in archives}
        self._rules: Rules | None = None
        #: What the run that forgets here did in work trees, and what it left there.
        self.outside = Outside()
        again = _said_before(read, brought)
        rules = rules_for_returned(
            known._replace(ids=known.ids | again), ledgers, chain(*lost.values())
        )
        if rules is None:
            return
        goes = rules.goes
        self._everywhere = rules._replace(now=int(Clock().now()))
        told = {name for name, texts in lost.items() if texts}
        for name, lines in (*read.items(), *brought.items()):
            if name not in told and any(goes(one) for one in records_in(b"\n".join(lines))):
                told.add(name)
        self._states = told

        def made_since(one: Record) -> bool:
            # The merge knows what was forgotten by its hashes, but not what was made of it since.
            return one.id not in known.ids and one.hash not in known.hashes and goes(one)

        self._rules = Rules(
            rules.traces, made_since, lambda one: keeps_its_words(one) or goes(one), ids=rules.ids
        )

    def _lost(self, data: bytes) -> Iterable[str]:
        return self.turns.lost(lines_in(data, whole=True)) if self.turns else ()

    @property
    def traces(self) -> TraceMatcher:
        """Return what to search for; false if nothing that was forgotten is still said."""
        return self._rules.traces if self._rules else TraceMatcher(())

    def incoming(self, file: HomeFile, data: bytes) -> bytes:
        """Return a file of the remote without what was forgotten; empty if it goes whole."""
        path = local_path(self._home.path, file.path)
        if self.turns.retold_in(path, data):
            return b""
        data = self.turns.kept_packed(data) if file.sort == PACKED else data
        if not (self._rules and self.traces and file.state):
            return data
        place = place_in_state(state_at(self._home, file.state), path)
        return data if place.action in ("", KEPT) else scrubbed(place, data, self._rules)

    def scrub(self) -> int:
        """Take what was forgotten out of this machine; return how many files of the home changed.

        What quotes it outside goes first: if the run is killed, the next one finds the text again.
        """
        if not (self.turns or self.traces):
            return 0
        if self.traces:
            keys = {os.path.basename(name) for name in self._states}
            every = _PERSON in self._states
            self.outside = scrub_outside(self._home, self._everywhere, None if every else keys)
        states = {one.state for one in home_files(self._home) if one.state}
        return sum(self._scrub_state(name) for name in sorted(states))

    def _scrub_state(self, name: str) -> int:
        state, done, indexes = state_at(self._home, name), 0, []
        for path in files_below(state.path):
            place = place_in_state(state, path)
            if place.action in ("", KEPT) or not os.path.isfile(path) or os.path.islink(path):
                continue
            if place.action == DERIVED:
                indexes.append(path)
                continue
            with ExitStack() as stack:
                for lock in locks_in_state(state, path):
                    stack.enter_context(FileLock(lock, timeout=30.0))
                done += self._scrub_file(state, path)
        for path in indexes:
            # Made of what was changed: the next reader makes them again.
            of_changed = done and os.path.dirname(path) == state.path
            if of_changed or (self.traces and contains_trace(raw_bytes(path), self.traces)):
                drop_database(path)
        return done

    def note(self, state: PrivateState, lines: Sequence[bytes]) -> None:
        """Record here what goes because of another home: the work tree may hold it as well."""
        ledger = Ledger(state.ledger(LEDGER), state.lock(lock_name(LEDGER)), clock=Clock())
        note_forgotten_elsewhere(ledger, lines, *self.outside)

    def _scrub_file(self, state: PrivateState, path: str) -> int:
        below = os.path.relpath(path, self._home.path).replace(os.sep, "/")
        data = read_file(path)
        sort = PACKED if path.endswith(".gz") else ""
        made = self.incoming(HomeFile(below, "", sort), data)
        if made == data:
            return 0
        if os.path.dirname(path) == os.path.dirname(state.ledger(LEDGER)):
            held = set(split_lines(data))
            self.note(state, [raw for raw in split_lines(made) if raw not in held])
        if made:
            replace_file(path, made, mode=0o600)
        else:
            os.unlink(path)
            flush_directory(os.path.dirname(path))
        return 1


def _by_state(files: Iterable[tuple[HomeFile, bytes]]) -> dict[str, list[bytes]]:
    """Return the lines of ledgers by private state."""
    found: dict[str, list[bytes]] = {}
    for one, data in files:
        if one.sort == LEDGER_SORT:
            found.setdefault(one.state, []).extend(split_lines(data))
    return found


def _said_before(ours: dict[str, list[bytes]], theirs: dict[str, list[bytes]]) -> frozenset[str]:
    """Return the ids of memories that either home noted on its own before one forgot the same.

    What another project says stays there, as it does when somebody forgets on one machine. Where
    nothing comes, everything was compared before.
    """
    ids: set[str] = set()
    of_person = {*ours.get(_PERSON, ()), *theirs.get(_PERSON, ())}
    is_new = len(of_person) > len(set(ours.get(_PERSON, ())))
    for state in {*ours, *theirs}:
        held = set(ours.get(state, ()))
        every = held.union(theirs.get(state, ()))
        if is_new or len(every) > len(held):
            ids |= said_before([*every.union(of_person)])
    return frozenset(ids)
