"""Small writers to prove the kit on: each correct, or holding one bug on request."""

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable
from typing import Any

import apsw

from reliability_kit.crash_images import (
    CrashImage,
    Trace,
    acked,
    crash_images,
    load_trace,
    materialise,
    unexplained,
)
from reliability_kit.oracle import Logged, Verdict, check, digest
from reliability_kit.shim import Completed, run_with_shim

PYTHON = [sys.executable, "-I", "-S", "-B"]

# One script, correct unless told to hold a bug. Bodies cross several sectors.
APPENDER = """
import hashlib, json, os, sys
folder, ack, first, count, bug = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
acks = os.open(ack, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
path = os.path.join(folder, "ledger.jsonl")
def synced(fd):
    if bug == "no_fsync": return
    try: os.fsync(fd)
    except OSError:
        if bug != "fsync_retried": raise
        os.fsync(fd)
fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
for n in range(first, first + count):
    body = chr(97 + n % 26) * (300 + 250 * n)
    line = json.dumps({"id": str(n), "body": body}).encode() + b"\\n"
    size = os.fstat(fd).st_size
    if size and os.pread(fd, 1, size - 1) != b"\\n": line = b"\\n" + line
    promise = f"{n} {hashlib.sha256(body.encode()).hexdigest()}\\n".encode()
    if bug == "ack_first": os.write(acks, promise)
    if bug == "two_writes":
        os.write(fd, line[:-1]); os.write(fd, b"\\n")
    elif os.write(fd, line) != len(line) and bug != "short_ignored": sys.exit("short write")
    synced(fd)
    if bug != "ack_first": os.write(acks, promise)
"""

REPLACER = """
import hashlib, os, sys
folder, ack, first, count, bug = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
acks = os.open(ack, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
def dir_sync():
    fd = os.open(folder, os.O_RDONLY); os.fsync(fd); os.close(fd)
for n in range(first, first + count):
    body = chr(97 + n % 26) * (300 + 250 * n)
    temporary = os.path.join(folder, f"note.{n}.tmp")
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    if os.write(fd, body.encode()) != len(body): sys.exit("short write")
    if bug != "no_file_fsync": os.fsync(fd)
    os.close(fd)
    os.rename(temporary, os.path.join(folder, "note"))
    if bug != "no_dir_fsync": dir_sync()
    os.write(acks, f"note {hashlib.sha256(body.encode()).hexdigest()}\\n".encode())
"""

SQLITE = """
import hashlib, os, sys
import apsw
folder, ack, journal, synchronous = sys.argv[1:5]
acks = os.open(ack, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
db = apsw.Connection(os.path.join(folder, "index.db"))
db.pragma("journal_mode", journal)
db.pragma("synchronous", synchronous)
db.pragma("wal_autocheckpoint", 8)
db.execute("CREATE TABLE IF NOT EXISTS t (id TEXT PRIMARY KEY, body TEXT)")
for n in range(25):
    body = chr(97 + n % 26) * (300 + 250 * n)
    db.execute("INSERT INTO t VALUES (?, ?)", (str(n), body))
    os.write(acks, f"{n} {hashlib.sha256(body.encode()).hexdigest()}\\n".encode())
db.close()
"""


class Bench:
    """A folder under test, its acknowledgements beside it, and a script to run on it."""

    def __init__(self, root: str, script: str) -> None:
        self.root = root
        self.folder = os.path.join(root, "store")
        self.ack = os.path.join(root, "promises.ack")
        self.trace = os.path.join(root, "trace")
        self.script = os.path.join(root, "writer.py")
        with open(self.script, "w", encoding="utf-8") as handle:
            handle.write(script)
        self.fresh()

    def fresh(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        os.mkdir(self.folder)
        for path in (self.ack, self.trace, self.trace + ".counter"):
            if os.path.exists(path):
                os.unlink(path)

    def write(self, bug: str = "", *, first: int = 0, count: int = 4, **settings: Any) -> Completed:
        command = [*PYTHON, self.script, self.folder, self.ack, str(first), str(count), bug]
        return run_with_shim(command, prefix=self.folder, timeout=20, **settings)

    def traced(self, bug: str = "", **settings: Any) -> Trace:
        self.fresh()
        self.write(bug, trace=self.trace, **settings)
        return load_trace(self.trace)

    def promises(self) -> list[str]:
        if not os.path.exists(self.ack):
            return []
        with open(self.ack, encoding="utf-8") as handle:
            return handle.read().splitlines()


def as_written(promises: Iterable[str]) -> list[Logged]:
    """Each promise is an id and a hash."""
    pairs = [promise.split(" ") for promise in promises]
    return [Logged("write", id_, sha256, acked=True) for id_, sha256 in pairs]


def lines_of(ledger: bytes) -> list[tuple[str, str]]:
    """The reader of the ledger: what does not parse is no record."""
    found = []
    for line in ledger.split(b"\n"):
        try:
            record = json.loads(line)
            found.append((record["id"], digest(record["body"])))
        except (ValueError, TypeError, KeyError):
            continue
    return found


def judge_ledger(promises: list[str] | tuple[str, ...], ledger: bytes) -> Verdict:
    """The ids 0-9 may be there unacknowledged, if they are whole."""
    bodies = {str(n): digest(chr(97 + n % 26) * (300 + 250 * n)) for n in range(10)}
    intents = [Logged("write", id_, sha, acked=False) for id_, sha in bodies.items()]
    return check([*intents, *as_written(promises)], lines_of(ledger))


def judge_disk(bench: Bench) -> Verdict:
    path = os.path.join(bench.folder, "ledger.jsonl")
    ledger = b""
    if os.path.exists(path):
        with open(path, "rb") as handle:
            ledger = handle.read()
    return judge_ledger(bench.promises(), ledger)


def failing_images(
    trace: Trace,
    good: Callable[[CrashImage], bool],
    seed: int,
    n: int = 300,
    *,
    strict: bool = False,
) -> int:
    return sum(not good(image) for image in crash_images(trace, seed, n, strict_create=strict))


def ledger_is_good(image: CrashImage) -> bool:
    return judge_ledger(acked(image), image.files.get("ledger.jsonl", b"")).ok


def note_is_good(image: CrashImage) -> bool:
    promises = acked(image)
    bodies = [digest(chr(97 + n % 26) * (300 + 250 * n)) for n in range(10)]
    here = digest(image.files["note"]) if "note" in image.files else None
    last = bodies.index(promises[-1].split(" ")[1]) if promises else -1
    return here in bodies[max(last, 0) :] or (here is None and last < 0)


def sqlite_losses(place: str, journal: str, synchronous: str, seed: int) -> tuple[int, int]:
    """(corrupt, lost) among 200 images of 25 acknowledged inserts."""
    bench = Bench(place, SQLITE)
    command = [sys.executable, bench.script, bench.folder, bench.ack, journal, synchronous]
    done = run_with_shim(command, prefix=bench.folder, trace=bench.trace)
    assert done.returncode == 0, done.stderr
    trace = load_trace(bench.trace)
    assert len(bench.promises()) == 25
    assert [path for path in unexplained(trace, bench.folder) if path != "index.db-shm"] == []
    corrupt = lost = 0
    for image in crash_images(trace, seed, 200):
        folder = os.path.join(bench.root, "image")
        shutil.rmtree(folder, ignore_errors=True)
        materialise(image, folder)
        wanted = as_written(acked(image))
        try:
            with apsw.Connection(os.path.join(folder, "index.db")) as db:
                damage = db.pragma("integrity_check")
                present = list(db.execute("SELECT id, body FROM t")) if wanted else []
            db.close()
        except apsw.SQLError:  # no such table: the schema was a commit too
            lost += 1
            continue
        except apsw.Error:
            corrupt += 1
            continue
        verdict = check(wanted, [(str(id_), digest(str(body))) for id_, body in present])
        corrupt += damage != "ok" or bool(verdict.altered or verdict.duplicated)
        lost += bool(verdict.missing)
    return corrupt, lost


def clock_readings(place: str, clock: str) -> tuple[list[float], list[float]]:
    """Six readings of the wall clock, and six of the monotonic one."""
    code = "import time\nfor _ in range(6): print(time.time(), time.monotonic())"
    done = run_with_shim([*PYTHON, "-c", code], prefix=place, clock=clock)
    rows = [line.split() for line in done.stdout.decode().splitlines()]
    return [float(row[0]) for row in rows], [float(row[1]) for row in rows]
