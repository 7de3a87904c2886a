"""T10: what may be wrong around a hook. Each fault is put in place and taken back by itself."""

import contextlib
import fcntl
import json
import os
import socket
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import apsw

from reliability.stand import Stand


class Scene(NamedTuple):
    """How one hook is called under a fault; every part may differ from the usual."""

    stdin: bytes | None = None  # None: the event's usual payload
    env: dict[str, str | None] | None = None  # None as value: unset
    cwd: str = ""
    before: tuple[str, ...] = ()
    stdout: str = ""  # "closed", "full"
    more: dict[str, Any] | None = None  # more fields of the payload
    word: str | None = None  # instead of the event's name
    noted: bool = False  # there is a place to note it: doctor must show it


Fault = Callable[[Stand], contextlib.AbstractContextManager[Scene]]
FAULTS: dict[str, Fault] = {}


def fault(function: Callable[[Stand], Iterator[Scene]]) -> Fault:
    made = contextlib.contextmanager(function)
    FAULTS[function.__name__] = made
    return made


@contextlib.contextmanager
def instead(path: str, data: bytes | None) -> Iterator[None]:
    """Put other bytes (None: nothing) at a path for a while."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    kept = path + ".kept"
    there = os.path.lexists(path)
    if there:
        os.rename(path, kept)
    if data is not None:
        with open(path, "wb") as file:
            file.write(data)
    try:
        yield
    finally:
        if os.path.isdir(path):
            os.rmdir(path)
        elif os.path.lexists(path):
            os.unlink(path)
        if there:
            os.rename(kept, path)


@contextlib.contextmanager
def held(path: str) -> Iterator[None]:
    """Hold a lock as another process would."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def mode(path: str, bits: int) -> Iterator[None]:
    os.makedirs(path, exist_ok=True)
    before = os.stat(path).st_mode & 0o777
    os.chmod(path, bits)
    try:
        yield
    finally:
        os.chmod(path, before)


_ORDINARY = (sys.executable, "-m", "reliability.workers.ordinary")


def _indexed(stand: Stand) -> None:
    with stand.workspace() as workspace:
        workspace.refresh()


def _stale(stand: Stand) -> None:
    """A line that the index does not know, so that it must be written."""
    _indexed(stand)
    with stand.workspace() as workspace:
        workspace.learn("a line that no index knows yet, about the harbour")


@fault
def index_locked(stand: Stand) -> Iterator[Scene]:
    _stale(stand)
    db = apsw.Connection(stand.state.index)
    db.execute("BEGIN EXCLUSIVE")
    yield Scene()
    db.close()


@fault
def index_garbage(stand: Stand) -> Iterator[Scene]:
    _indexed(stand)
    for ending in ("-wal", "-shm"):
        if os.path.exists(stand.state.index + ending):
            os.unlink(stand.state.index + ending)
    with open(stand.state.index, "wb") as file:
        file.write(b"no database at all" * 500)
    yield Scene()


@fault
def index_missing(stand: Stand) -> Iterator[Scene]:
    _indexed(stand)
    os.unlink(stand.state.index)
    yield Scene()


@fault
def index_newer(stand: Stand) -> Iterator[Scene]:
    _indexed(stand)
    db = apsw.Connection(stand.state.index)
    db.execute("UPDATE meta SET value = '999' WHERE name = 'schema'")
    db.close()
    yield Scene()


@fault
def index_is_a_directory(stand: Stand) -> Iterator[Scene]:
    _indexed(stand)
    with instead(stand.state.index, None):
        os.mkdir(stand.state.index)
        yield Scene()


def _simple(name: str, make: Callable[[Stand], Scene]) -> None:
    def one(stand: Stand) -> Iterator[Scene]:
        yield make(stand)

    one.__name__ = name
    fault(one)


_LOCKS: dict[str, Callable[[Stand], str]] = {
    "inbox_locked": lambda s: os.path.join(s.state.inbox, "lock"),
    "drain_locked": lambda s: os.path.join(s.state.inbox, "drain.lock"),
    "ledger_locked": lambda s: s.state.lock("knowledge"),
    "injections_locked": lambda s: s.state.lock("injections"),
    "index_lock_held": lambda s: s.state.lock("index.db"),
    "registry_locked": lambda s: os.path.join(s.home, "registry", "lock"),
}
_FILES: dict[str, tuple[Callable[[Stand], str], bytes, bool]] = {
    "settings_garbage": (lambda s: os.path.join(s.home, "config.toml"), b"[[[\xff", True),
    "settings_unknown": (lambda s: os.path.join(s.home, "config.toml"), b"[a]\nb = 1\n", True),
    "snapshot_garbage": (lambda s: s.state.settings_snapshot, b'{"stamp": 5', False),
    "project_file_garbage": (
        lambda s: os.path.join(s.repo, ".satchel", "project.toml"), b"\xff\xfe\0\0", False),
    "project_file_empty": (
        lambda s: os.path.join(s.repo, ".satchel", "project.toml"), b"", False),
    "ledger_garbage": (lambda s: s.state.ledger("knowledge"), b"\0\xff{{{\n" * 2000, False),
    "ledger_of_deep_json": (lambda s: s.state.ledger("knowledge"), b"[" * 1_000_000, False),
    "injections_garbage": (lambda s: s.state.ledger("injections"), b'{"s1":\n' * 500, False),
    "inbox_garbage": (
        lambda s: os.path.join(s.state.inbox, "events.jsonl"), b"\xff{s1\n" * 500, False),
    "state_file_as_inbox": (lambda s: s.state.inbox, b"", True),
}  # fmt: skip


def _hold(name: str, path: Callable[[Stand], str]) -> None:
    def one(stand: Stand) -> Iterator[Scene]:
        if name != "inbox_locked":
            _stale(stand)
        with held(path(stand)):
            yield Scene()

    one.__name__ = name
    fault(one)


def _replace(name: str, path: Callable[[Stand], str], data: bytes, noted: bool) -> None:  # noqa: FBT001
    def one(stand: Stand) -> Iterator[Scene]:
        with instead(path(stand), data):
            yield Scene(noted=noted)

    one.__name__ = name
    fault(one)


for _name, _path in _LOCKS.items():
    _hold(_name, _path)
for _name, (_path, _data, _noted) in _FILES.items():
    _replace(_name, _path, _data, _noted)


@fault
def registry_garbage(stand: Stand) -> Iterator[Scene]:
    registry = os.path.join(stand.home, "registry")
    with contextlib.ExitStack() as stack:
        for name in os.listdir(registry):
            if name != "lock":
                stack.enter_context(instead(os.path.join(registry, name), b"{{"))
        yield Scene()
        for name in os.listdir(registry):
            if name.endswith(".damaged"):
                os.unlink(os.path.join(registry, name))


@fault
def ledger_is_a_directory(stand: Stand) -> Iterator[Scene]:
    path = stand.state.ledger("knowledge")
    with instead(path, None):
        os.mkdir(path)
        yield Scene()


@fault
def read_only_home(stand: Stand) -> Iterator[Scene]:
    with mode(stand.home, 0o500), mode(stand.state.path, 0o500), mode(stand.state.inbox, 0o500):
        yield Scene(before=_ORDINARY)


@fault
def state_without_permission(stand: Stand) -> Iterator[Scene]:
    with mode(stand.state.path, 0o000):
        yield Scene(before=_ORDINARY)


@fault
def home_without_permission(stand: Stand) -> Iterator[Scene]:
    with mode(stand.home, 0o000):
        yield Scene(before=_ORDINARY)


@fault
def project_file_unreadable(stand: Stand) -> Iterator[Scene]:
    path = os.path.join(stand.repo, ".satchel", "project.toml")
    os.chmod(path, 0)
    yield Scene(before=_ORDINARY)
    os.chmod(path, 0o644)


@fault
def cwd_deleted(stand: Stand) -> Iterator[Scene]:
    place = stand.path("gone")
    os.makedirs(place, exist_ok=True)
    inner = ("/bin/sh", "-c", 'rmdir "$PWD"; exec "$@"', "sh")
    yield Scene(cwd=place, before=inner)


@fault
def fifo_as_transcript(stand: Stand) -> Iterator[Scene]:
    path = stand.path("fifo")
    os.mkfifo(path)
    yield Scene(more={"transcript_path": path})
    os.unlink(path)


@fault
def socket_as_transcript(stand: Stand) -> Iterator[Scene]:
    path = stand.path("sock")
    with socket.socket(socket.AF_UNIX) as one:
        here = os.getcwd()
        os.chdir(stand.root)
        one.bind("sock")
        os.chdir(here)
        yield Scene(more={"transcript_path": path})
    os.unlink(path)


@fault
def huge_transcript(stand: Stand) -> Iterator[Scene]:
    path = stand.path("huge.jsonl")
    with open(path, "wb") as file:
        file.truncate(10 << 30)
    yield Scene(more={"transcript_path": path})
    os.unlink(path)


def _raw(data: bytes) -> Callable[[Stand], Scene]:
    return lambda _: Scene(stdin=data, noted=True)


_BIG = json.dumps({"session_id": "s1", "tool_name": "Bash", "prompt": "x" * (50 << 20),
                   "tool_input": {"command": "satchel learn " + "y" * 100}}).encode()  # fmt: skip
_SIMPLE: dict[str, Callable[[Stand], Scene]] = {
    "usual": lambda _: Scene(),
    "bad_json": _raw(b'{"session_id": '),
    "empty_stdin": _raw(b""),
    "binary_stdin": _raw(bytes(range(256)) * 100),
    "json_that_is_no_object": lambda _: Scene(stdin=b"[1, 2, 3]"),
    "fifty_megabytes": lambda _: Scene(stdin=_BIG),
    "deep_nesting": _raw(b'{"a":' * 200_000),
    "lone_surrogates": lambda _: Scene(more={
        "session_id": "\ud800", "prompt": "the lint before pushing \udfff the branch",
        "agent_type": "\ud83d", "tool_input": {"command": 'satchel learn "\ud800 half"'}}),
    "nuls": lambda _: Scene(more={
        "session_id": "\0", "cwd": "/\0", "transcript_path": "\0", "agent_type": "\0",
        "prompt": "the lint\0before pushing the branch"}),
    "wrong_types": lambda _: Scene(more={
        "session_id": {"a": 1}, "cwd": 5, "transcript_path": [], "prompt": {}, "tool_name": 7,
        "tool_input": "text", "agent_type": None, "stop_hook_active": "x"}),
    "huge_numbers": lambda _: Scene(stdin=b'{"session_id": ' + b"9" * 5000 + b"}"),
    "unknown_event": lambda _: Scene(word="NoSuchEvent"),
    "no_event": lambda _: Scene(word=""),
    "closed_stdout": lambda _: Scene(stdout="closed"),
    "full_stdout": lambda _: Scene(stdout="full"),
    "closed_stdin": lambda _: Scene(before=("/bin/sh", "-c", 'exec "$@" <&-', "sh")),
    "closed_stderr": lambda _: Scene(before=("/bin/sh", "-c", 'exec "$@" 2>&-', "sh")),
    "cwd_is_no_project": lambda _: Scene(cwd="/", more={"cwd": "/"}),
    "cwd_of_event_is_gone": lambda _: Scene(more={"cwd": "/no/such/place"}),
    "home_missing": lambda stand: Scene(env={"SATCHEL_HOME": stand.path("nowhere")}),
    "home_is_a_device": lambda _: Scene(env={"SATCHEL_HOME": "/dev/null"}),
    "no_home_variable": lambda _: Scene(env={"HOME": None, "SATCHEL_HOME": None}),
    "path_empty": lambda _: Scene(env={"PATH": ""}),
    "path_unset": lambda _: Scene(env={"PATH": None}),
    "git_missing": lambda stand: Scene(env={"PATH": "/no/such/bin",
                                            "SATCHEL_HOME": stand.path("other")}),
    "plain_c_locale": lambda _: Scene(env={"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0"}),
    "ascii_output": lambda _: Scene(env={"PYTHONIOENCODING": "ascii"}),
    "warnings_are_errors": lambda _: Scene(env={"PYTHONWARNINGS": "error"}),
    "developer_mode": lambda _: Scene(env={"PYTHONDEVMODE": "1"}),
    "huge_environment": lambda _: Scene(env={f"X{n}": "y" * 100_000 for n in range(10)}),
    "bad_setting_in_environment": lambda _: Scene(
        env={"SATCHEL_BRIEF_MAX_TOKENS": "many"}, noted=True),
    "clock_in_1970": lambda _: Scene(env={"SK_CLOCK": "-1790000000"}),
    "clock_ten_years_on": lambda _: Scene(env={"SK_CLOCK": "315360000"}),
    "directory_as_transcript": lambda stand: Scene(more={"transcript_path": stand.repo}),
    "device_as_transcript": lambda _: Scene(more={"transcript_path": "/dev/zero"}),
    "disk_full": lambda _: Scene(env={"SK_FAULT": "anywrite:1:ENOSPC:sticky"}),
    "no_file_opens_for_writing": lambda _: Scene(env={"SK_FAULT": "openw:1:EROFS:sticky"}),
    "no_file_opens": lambda _: Scene(env={"SK_FAULT": "open:1:EMFILE:sticky"}),
    "fsync_fails": lambda _: Scene(env={"SK_FAULT": "anysync:1:EIO:sticky"}),
}  # fmt: skip
for _name, _make in _SIMPLE.items():
    _simple(_name, _make)
