"""What a home holds: each file of it is durable, derived, or of this machine alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.application.exchange.privacy import purged_by, shareable_lines, without_purged
from satchel.application.exchange.sync.merging import merge_file, merge_lines, merge_plain
from satchel.application.exchange.sync.service import SYNCED
from satchel.core.clock import FixedClock
from satchel.core.errors import BadInputError
from satchel.project.inventory import LEDGER, home_file_of, local_path
from satchel.storage.ledger.lines import decode, encode
from satchel.storage.ledger.purging import purge
from satchel.storage.ledger.record import Record
from satchel.testing import temporary_workspace

_KINDS = {
    "config.toml": "settings", "MEMORY.md": "instructions", "memory-trust.json": "approvals",
    "learnings/documents/a.md": "notes", "agents/x/SOUL.md": "agents",
    "user/ledgers/knowledge.jsonl": "memories",
    "projects/k/ledgers/knowledge.archive.jsonl": "memories",
    "projects/k/ledgers/activity.jsonl": "memories", "projects/k/ledgers/graph.jsonl": "graph",
    "projects/k/ledgers/guards.jsonl": "approvals",
    "projects/k/ledgers/approvals.jsonl": "approvals",
    "projects/k/ledgers/proposals.jsonl": "proposals",
    "projects/k/ledgers/usefulness.jsonl": "outcomes",
    "projects/k/ledgers/injections.jsonl": "injections",
    "user/ledgers/access.jsonl": "machine", "user/ledgers/audit.jsonl": "machine",
    "projects/k/ledgers/unheardof.jsonl": "ledgers",
    "projects/k/inbox/events.jsonl": "inbox", "projects/k/identity.json": "identity",
    "projects/k/sessions/1/messages.jsonl": "sessions", "projects/k/archive/c.jsonl.gz": "archive",
    "projects/k/something-new": "other",
}  # fmt: skip
_DERIVED = (
    "registry/x", "metrics.yaml", "server-token", "server-database",
    "sync/repository/HEAD", "restoring/1",
    "user/browser-sessions/session-1.json", "user/answers/1.json",
    "user/index.db", "user/index.db-wal", "user/index.db.damaged-wal", "user/locks/a.lock",
    "projects/k/settings.json", "projects/k/guards.json", "projects/k/code/a.db",
    "projects/k/tasks/a.db", "projects/k/imported.json", "projects/k/inbox/lock",
    "projects/k/ledgers/knowledge.jsonl.rewriting", "repositories/r/code/a.db",
)  # fmt: skip


@pytest.mark.parametrize(("path", "kind"), _KINDS.items())
def test_each_durable_file_is_of_a_kind(path: str, kind: str) -> None:
    file = home_file_of(path)
    assert file is not None
    assert file.kind == kind
    assert (file.sort == LEDGER) == ("/ledgers/" in path)


@pytest.mark.parametrize("path", _DERIVED)
def test_what_is_derived_or_of_this_machine_is_held_by_no_copy(path: str) -> None:
    assert home_file_of(path) is None


def test_nothing_that_a_person_must_give_again_is_synced() -> None:
    assert not {"approvals", "machine", "inbox", "quarantine", "injections", "ledgers"} & {*SYNCED}


@pytest.mark.parametrize("path", ["", "/a", "a//b", "../a", "a/../b", "a/.", "a\\b", "a\0b"])
def test_a_path_that_leads_out_is_refused(path: str) -> None:
    with pytest.raises(BadInputError):
        local_path("/home", path)


_RECORDS = st.builds(
    Record,
    kind=st.sampled_from(["learned", "decision", "preference"]),
    content=st.sampled_from(["alpha", "beta", "gamma"]),
    key=st.sampled_from(["a", "b"]),
    id=st.sampled_from(["01ARZ3NDEKTSV4RRFFQ69G5FA" + c for c in "ABC"]),
    ts=st.integers(1, 3),
    rev=st.integers(0, 2),
    visibility=st.sampled_from(["", "", "", "private"]),
)
_LINES = st.lists(_RECORDS.map(lambda one: encode(one)[:-1]), max_size=8)


@given(_LINES, _LINES)
def test_both_sides_end_with_the_same_lines_whoever_is_first(
    ours: list[bytes], theirs: list[bytes]
) -> None:
    theirs = shareable_lines(theirs)
    sent = merge_lines(ours, theirs)
    here = {*ours, *sent.incoming}
    assert here >= {*ours, *theirs}
    back = merge_lines(theirs, sent.outgoing)
    assert {*theirs, *back.incoming} >= {*sent.outgoing}
    assert merge_lines(list(here), sent.outgoing).outgoing == sent.outgoing
    assert merge_lines(list(here), sent.outgoing).incoming == ()
    private = {r.identity for raw in here if (r := decode(raw).record) and r.visibility}
    sent_ids = {r.identity for raw in sent.outgoing if (r := decode(raw).record)}
    assert not private & sent_ids


@given(_LINES, _LINES)
def test_lines_of_a_session_are_united_in_order(ours: list[bytes], theirs: list[bytes]) -> None:
    done = merge_plain(ours, theirs)
    assert {*done.outgoing} == {*ours, *theirs}
    assert not {*done.incoming} & {*ours}


_FILES = st.one_of(st.none(), st.sampled_from([b"a\n", b"b\n", b"c\n"]))


@given(_FILES, _FILES, _FILES)
def test_no_change_of_a_file_is_lost(
    ours: bytes | None, base: bytes | None, theirs: bytes | None
) -> None:
    done = merge_file(ours, base, theirs, lambda *_: None)
    for changed in (ours, theirs):
        if changed is not None and changed != base:
            assert changed in (done.here, done.there, done.aside)


def test_what_a_purge_left_names_the_lines_that_stay_away() -> None:
    clock = FixedClock()
    with temporary_workspace(clock=clock) as workspace:
        record = workspace.learn("The canary sings.")
        before = [line.raw for line in workspace.memories.stores.ledgers.private("learned").read()]
        workspace.memories.delete(record.id)
        clock.advance(86_400 * 40)
        purge(workspace.memories.stores.ledgers.every_private(), now=clock.now())
        after = [line.raw for line in workspace.memories.stores.ledgers.private("learned").read()]
        assert before[0] not in after
        assert without_purged(before, purged_by(after)) == []
        assert without_purged(after, purged_by(after)) == after
        merged = merge_lines(after, before)
        assert merged.incoming == ()
        assert merge_lines(before, after).scrubbed == frozenset(before)
