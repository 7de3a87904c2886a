"""A project's guards: drafted from memories, tested, approved, measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from satchel.core import times
from satchel.core.errors import BadInputError, ConflictError
from satchel.core.kinds import CORRECTS, kinds_for
from satchel.core.redaction.redactor import redact_value
from satchel.core.trust import refuse_agent
from satchel.core.values import NamedTuple
from satchel.engine.markdown.yaml_entries import read_entries, with_entry, without_entries
from satchel.engine.search.records import StoredMemory
from satchel.features.guards import approvals, drafting
from satchel.features.guards.approvals import Firing
from satchel.features.guards.drafting import Draft
from satchel.features.guards.guard_file import GuardFile
from satchel.features.guards.matching import Verdict, call_of, verdict
from satchel.features.guards.reading import compile_guard, find, read_guards, try_examples
from satchel.features.guards.repeats import Correction, Repeats, repeats
from satchel.features.guards.values import (
    ACTIVE,
    BROKEN,
    FIELD,
    WAITING,
    ExampleResult,
    Guard,
    ParsedGuards,
)
from satchel.project.place import branch_of
from satchel.project.store import ProjectStore
from satchel.storage.files import read_file
from satchel.storage.home_paths import lock_name
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.lines import records_in
from satchel.storage.platforms import account_name


class Memories(Protocol):
    """The part of a project's memories that guards use."""

    def find(self, reference: str) -> StoredMemory:
        """Return a memory by id or key."""

    def ledger_paths(self) -> Sequence[str]:
        """Return the files of the private ledgers, archives included."""


def with_guard(text: str, fields: dict[str, Any]) -> str:
    """Return the text with a guard added; unchanged if the same guard exists.

    Args:
        text: the file's text; "" for none.
        fields: in the file's format, for example those of a `Draft`. Secrets are removed.

    Raises `BadInputError` for an invalid guard, `ConflictError` if another has its id.
    """
    clean, _ = redact_value(fields)
    alone = read_guards(with_entry(read_entries("", FIELD), clean))
    if alone.problems:
        raise BadInputError(
            f"This is not a guard: {'; '.join(next(iter(alone.problems.values())))}.",
            hint="docs/guards.md shows the fields.",
        )
    (new,) = alone.guards
    shelf = read_guards(text)
    for guard in shelf.guards:
        if guard.digest == new.digest:
            return text
        if guard.id == new.id:
            raise ConflictError(
                f"A guard {new.id} already exists.", hint=f"`satchel guards show {new.id}`."
            )
    return with_entry(shelf.listing, clean)


#: Kinds whose lines can be corrections.
_KINDS = kinds_for(CORRECTS)
_TAG = "correction"


class GuardStatus(NamedTuple):
    """A guard and its state here: waiting, active, off or broken; and its problems.

    `by` approved it; `fired` is how often it acted on this machine. `edited`: it was edited, and
    its approved form still acts.
    """

    guard: Guard
    state: str
    wrong: tuple[str, ...]
    by: str
    fired: int
    edited: bool = False


class ProjectGuards:
    """The guards of an open project.

    Args:
        memories: the source of drafts and corrections.
    """

    def __init__(self, project: ProjectStore, memories: Memories) -> None:
        self.project, self._memories = project, memories
        self.file = GuardFile(project.tracked.place("guards"), project.place.root, project.state)

    def read(self) -> ParsedGuards:
        """Return the parsed file. Raises `BadInputError` if it is unreadable."""
        return self.file.read()

    def statuses(self) -> list[GuardStatus]:
        """Return every guard of this work tree with its state."""
        shelf = self.read()
        self.file.current()
        decisions = approvals.read_decisions(self.project.state.ledger("guards"))
        acting = approvals.last_approved(decisions)
        counts: dict[str, int] = {}
        for one in self.firings():
            counts[one.guard] = counts.get(one.guard, 0) + 1
        found = []
        for guard in shelf.guards:
            known = decisions.get(guard.digest)
            state = known.state if known is not None else WAITING
            wrong = shelf.wrong(guard)
            found.append(
                GuardStatus(
                    guard,
                    BROKEN if wrong else state,
                    wrong,
                    by=known.by if known is not None else "",
                    fired=counts.get(guard.id, 0),
                    edited=state == WAITING and guard.id in acting,
                )
            )
        return found

    def find(self, reference: str) -> tuple[Guard, tuple[str, ...]]:
        """Return a guard by id, or part of it, with its problems."""
        shelf = self.read()
        guard = find(shelf, reference)[0]
        return guard, shelf.wrong(guard)

    # Making

    def drafts(self, memory: str) -> list[Draft]:
        """Draft guards from a memory.

        Raises `BadInputError` if it names nothing visible in a tool call.
        """
        record = self._memories.find(memory).record
        drafts = drafting.drafts_from(record.content, source=record.id, today=self._today())
        if not drafts:
            raise BadInputError(
                "No guard can be drafted from this memory: it names no command, branch or path "
                "to avoid.",
                hint='Say it as "never use npm, use pnpm", "don\'t push to main" or "don\'t edit '
                'generated/", or write the guard yourself (docs/guards.md).',
            )
        return drafts

    def add(self, fields: dict[str, Any]) -> Guard:
        """Add a guard to the file; it acts once approved.

        Raises `BadInputError` for an invalid one, `ConflictError` for an id in use.
        """
        self.file.change(lambda text: with_guard(text, fields))
        return find(self.read(), str(fields["id"]))[0]

    def remove(self, reference: str) -> Guard:
        """Remove a guard from the file."""
        gone: list[Guard] = []

        def make(text: str) -> str:
            shelf = self.file.read(text)
            guard, entry = find(shelf, reference)
            gone.append(guard)
            return without_entries(shelf.listing, [entry])

        self.file.change(make)
        return gone[-1]

    # Testing and deciding

    def test(self, guard: Guard) -> list[ExampleResult]:
        """Test a guard on its own examples."""
        return try_examples(guard)

    def approve(self, reference: str, *, digest: str) -> Guard:
        """Let a guard act on this machine, in the form shown.

        Args:
            digest: of the guard that the user has seen.

        Raises `ConflictError` if it has changed since, and `BadInputError` if it is broken, lacks
        examples of both kinds, or fails one.
        """
        refuse_agent(self.project.trust)
        guard, wrong = self.find(reference)
        if guard.digest != digest:
            raise ConflictError(f"{guard.id} has changed since it was shown.", hint="Look again.")
        if wrong:
            raise BadInputError(f"{guard.id}: {'; '.join(wrong)}.", hint="Fix it in the file.")
        kinds = {example.fires for example in guard.examples}
        if kinds != {True, False}:
            raise BadInputError(
                f"{guard.id} needs an example that it blocks and one that it allows.",
                hint="Add them under `examples: {blocks: [...], allows: [...]}`.",
            )
        failed = [one for one in self.test(guard) if not one.right]
        if failed:
            raise BadInputError(
                f"{guard.id} fails {len(failed)} of its own examples.",
                hint=f"`satchel guards test {guard.id}` shows which.",
            )
        return self._decide(approvals.APPROVE, guard, find(self.read(), reference)[1].fields)

    def switch(self, reference: str, *, on: bool) -> Guard:
        """Turn an approved guard off or on. Raises `ConflictError` if it is waiting."""
        refuse_agent(self.project.trust)
        guard, _ = self.find(reference)
        known = approvals.read_decisions(self.project.state.ledger("guards")).get(guard.digest)
        if known is None or known.state == WAITING:
            raise ConflictError(
                f"{guard.id} is not approved here, so it is off.",
                hint=f"`satchel guards approve {guard.id}` turns it on.",
            )
        return self._decide(approvals.SWITCH_ON if on else approvals.SWITCH_OFF, guard)

    def _decide(self, name: str, guard: Guard, fields: dict[str, Any] | None = None) -> Guard:
        state = self.project.state
        line = approvals.decision(name, guard, by=account_name(), fields=fields)
        ledger = Ledger(
            state.ledger("guards"), state.lock(lock_name("guards")), clock=self.project.clock
        )
        ledger.append([line])
        self.file.refresh()
        return guard

    def try_call(self, payload: dict[str, Any], *, everything: bool = False) -> Verdict:
        """Return what guards would do with a client's tool call.

        Args:
            payload: `tool_name`, `tool_input`; `cwd` and `agent_type` if they matter.
            everything: also ask unapproved guards.
        """
        tool, given = payload.get("tool_name"), payload.get("tool_input")
        if not isinstance(tool, str) or not isinstance(given, dict):
            raise BadInputError(
                "A tool call has `tool_name` and `tool_input`.",
                hint='For example {"tool_name": "Bash", "tool_input": {"command": "npm i"}}.',
            )
        root = self.project.place.root
        cwd, agent = payload.get("cwd"), payload.get("agent_type")
        call = call_of(
            tool,
            given,
            root=root,
            cwd=cwd if isinstance(cwd, str) and cwd else root,
            agent=agent if isinstance(agent, str) else "",
            branch=branch_of(root),
        )
        if everything:
            guards = [compile_guard(one.guard) for one in self.statuses() if not one.wrong]
        else:
            guards = self.file.current()
        return verdict(guards, call)

    # What they came to

    def firings(self) -> list[Firing]:
        """Return every firing on this machine, oldest first."""
        return approvals.read_firings(self.project.state.ledger("guard-firings"))

    def repeats(self, said: Iterable[Correction] = ()) -> Repeats:
        """Measure how often corrections repeat, before and since guards.

        Args:
            said: corrections in transcripts; those of sessions with captures are already known.
        """
        decisions = approvals.read_decisions(self.project.state.ledger("guards")).values()
        first = min((one.first for one in decisions if one.state == ACTIVE), default=0)
        kept = self._corrections()
        sessions = {one.session for one in kept}
        heard = [one for one in said if one.session not in sessions]
        return repeats([*kept, *heard], guarded_from=first)

    def _corrections(self) -> Sequence[Correction]:
        """Return every captured correction, with all its occurrences."""
        paths = set(self._memories.ledger_paths())
        found: dict[tuple[str, int, str], Correction] = {}
        for path in sorted(paths):
            for record in records_in(read_file(path)):
                if record.kind not in _KINDS or record.deleted_at:
                    continue
                if _TAG in record.tags or drafting.is_correction(record.content):
                    key = (record.id, record.rev, record.hash)
                    found[key] = Correction(
                        f"{record.id}.{record.rev}", record.ts, record.session, record.content
                    )
        return list(found.values())

    def _today(self) -> Any:
        return times.utc(self.project.clock.now()).date()
