"""Checkpoints of sessions whose end nobody reported: a closed terminal, a killed client.

The next session's start writes the checkpoint that the end would have written, from the file that
the client kept, with the time of its last line.
"""

from __future__ import annotations

from satchel.core.errors import SatchelError
from satchel.core.hashing import digest
from satchel.core.ids import derived_ulid
from satchel.features.memories.ledgers import grouped
from satchel.storage.files import changed_at
from satchel.storage.inbox.events import CHECKPOINT
from satchel.storage.inbox.faults import note_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from satchel.application.services import Services
    from satchel.storage.ledger.record import Record

#: Names such a checkpoint's cause.
LEFT = "left"
#: Seconds without a line, after which a session may have been left, and after which nobody asks.
_QUIET, _FORGOTTEN = 60, 14 * 86_400
#: Presences to look at, and transcripts to read at one start.
_PRESENCES, _MOST_READ = 100, 3


def note_left_session(work: Services, session: str) -> Record | None:
    """Write the checkpoint of the last session that was left without an end, if it lacks one.

    Args:
        work: the open project, with its person.
        session: the one that starts now.
    """
    if work.person is None:
        return None
    try:
        work.refresh()
        for online, written in list(_left(work, session))[:_MOST_READ]:
            made = _checkpoint(work, online, written)
            if made is not None:
                for ledger, group in grouped(work.memories.own.ledgers, [made]):
                    ledger.append_new(group)
                return made
    except (SatchelError, OSError) as error:
        now = work.project.clock.now()
        note_fault(work.project.state.faults, "checkpoint", str(error), now)
    return None


def _left(work: Services, session: str) -> Iterator[tuple[Record, float]]:
    """Yield the beginnings of sessions without an end, and their files' times; newest first."""
    seen = work.memories.own.live(kinds=("activity",), limit=_PRESENCES)
    stood = work.memories.own.live(kinds=("checkpoint",), limit=_PRESENCES)
    now, known = work.project.clock.now(), {session, ""}
    found = []
    for one in seen:
        data = one.data or {}
        if one.session in known or not str(data.get("event")).startswith("agent_o"):
            continue
        known.add(one.session)  # only what was reported last counts
        written = changed_at(str(data.get("transcript") or ""))
        quiet = _QUIET <= now - written < _FORGOTTEN
        if quiet and data["event"] == "agent_online" and not _stands(stood, one, written):
            found.append((one, written))
    yield from sorted(found, key=lambda pair: -pair[1])


def _stands(stood: Sequence[Record], online: Record, written: float) -> bool:
    """Return whether a session has a checkpoint that is as new as its file."""
    return any(one.session == online.session and one.ts >= int(written) for one in stood)


def _checkpoint(work: Services, online: Record, written: float) -> Record | None:
    # Most sessions start after one that ended: what reads transcripts is loaded only here.
    from satchel.application.learning.listening.events import checkpoints_of
    from satchel.clients.transcripts.reading import head_of

    path = str((online.data or {}).get("transcript"))
    event = {"what": CHECKPOINT, "trigger": LEFT, "transcript": path, "session": online.session}
    gone = work.sessions.archive.forgotten(head_of(path))
    drafted = checkpoints_of({**event, "ts": int(written)}, gone)
    if not drafted:
        return None
    return drafted[0]._replace(
        id=derived_ulid(int(written * 1000), digest(f"{online.session} {written}".encode())),
        source=online.source,
        agent=online.agent,
        client=online.client,
        branch=online.branch,
        commit=online.commit,
        worktree=online.worktree,
    )
