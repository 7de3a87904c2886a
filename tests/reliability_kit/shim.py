"""Compiles the shim and runs commands under it."""

import contextlib
import hashlib
import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from reliability_kit.trace_file import snapshot

CALLS = (
    *("write", "pwrite", "anywrite", "fsync", "fdatasync", "anysync", "open", "openw", "rename"),
    *("mmap", "ftruncate", "unlink", "mkdir", "rmdir", "link", "close", "lock", "any"),
)
ERRORS = (
    "EIO",
    "ENOSPC",
    "EDQUOT",
    "EMFILE",
    "EROFS",
    "EINTR",
    "EACCES",
    "ENOMEM",
    "ENOLCK",
    "ENOSYS",
    "EOPNOTSUPP",
    "short",
)
MOMENTS = ("before", "after", "torn")
_SOURCES = ("shim.c", "shim_state.h")


class Completed(NamedTuple):
    """How a command under the shim ended."""

    returncode: int  # negative: the signal that ended it
    stdout: bytes
    stderr: bytes
    fired: bool  # the fault or the kill happened
    timed_out: bool
    seconds: float


class NeverFiredError(AssertionError):
    """The command makes no such call at all, so a loop over it would prove nothing."""


def build_shim(cache_dir: str | None = None) -> str:
    """Compile the shim once for each content of its source; return the library's path."""
    folder = os.path.dirname(os.path.abspath(__file__))
    digest = hashlib.sha256()
    for name in _SOURCES:
        with open(os.path.join(folder, name), "rb") as handle:
            digest.update(handle.read())
    cache = cache_dir or os.path.join(tempfile.gettempdir(), f"reliability-kit-{os.getuid()}")
    os.makedirs(cache, mode=0o700, exist_ok=True)
    if os.stat(cache).st_uid != os.getuid():
        raise PermissionError(f"{cache} belongs to another user")
    library = os.path.join(cache, f"shim-{digest.hexdigest()[:16]}.so")
    if not os.path.exists(library):
        # Test workers may build at once: each its own file, the last rename wins.
        building = f"{library}.{os.getpid()}"
        command = ["cc", "-shared", "-fPIC", "-O2", "-fvisibility=hidden", "-o", building]
        command += [os.path.join(folder, "shim.c"), "-ldl"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"the shim does not compile:\n{done.stderr}")
        os.rename(building, library)
    return library


def _check_specs(fault: str | None, kill: str | None, clock: str | None) -> None:
    """A misspelt setting must not look like a program that survived."""
    calls = "|".join(CALLS)
    errors = "|".join(ERRORS)
    if fault and not re.fullmatch(rf"({calls}):[1-9]\d*:({errors})(:sticky)?", fault):
        raise ValueError(f"fault {fault!r} is not call:k:errno[:sticky]")
    if fault and fault.endswith("EINTR:sticky"):
        raise ValueError("EINTR for ever would hang every program that retries, as it should")
    if kill and not re.fullmatch(rf"({calls}):[1-9]\d*(:({'|'.join(MOMENTS)}))?", kill):
        raise ValueError(f"kill {kill!r} is not call:k[:before|after|torn]")
    if clock and not re.fullmatch(r"([+-]?\d+|freeze)(:\d+)?", clock):
        raise ValueError(f"clock {clock!r} is not seconds[:n] or freeze[:n]")


def shim_environment(
    *,
    prefix: str,
    env: Mapping[str, str] | None = None,
    fault: str | None = None,
    kill: str | None = None,
    clock: str | None = None,
    trace: str | None = None,
    counter: str | None = None,
    fired: str | None = None,
    mark_fds: Sequence[int] = (),
    cache_dir: str | None = None,
) -> dict[str, str]:
    """The environment that puts a command, and all it starts, under the shim.

    For drivers that start several commands at once. ``counter`` holds the lock and the counts of
    calls; processes that share a trace must share it. A new trace begins with a snapshot of
    ``prefix``, which must exist.
    """
    _check_specs(fault, kill, clock)
    if not os.path.isdir(prefix):
        raise ValueError(f"prefix {prefix!r} is not a folder")
    if trace and not os.path.exists(trace):
        snapshot(trace, prefix)
    settings = {
        "SK_PREFIX": os.path.realpath(prefix),
        "SK_FAULT": fault,
        "SK_KILL": kill,
        "SK_CLOCK": clock,
        "SK_TRACE": trace and os.path.abspath(trace),
        "SK_COUNTER": counter or (os.path.abspath(trace) + ".counter" if trace else None),
        "SK_FIRED": fired,
        "SK_MARK": ",".join(str(fd) for fd in mark_fds) or None,
        "LD_PRELOAD": build_shim(cache_dir),
    }
    start = dict(os.environ if env is None else env)
    return start | {name: value for name, value in settings.items() if value is not None}


def run_with_shim(
    argv: Sequence[str],
    *,
    prefix: str,
    env: Mapping[str, str] | None = None,
    fault: str | None = None,
    trace: str | None = None,
    kill: str | None = None,
    clock: str | None = None,
    counter: str | None = None,
    mark_fds: Sequence[int] = (),
    stdin: bytes = b"",
    timeout: float = 60.0,
    cwd: str | None = None,
    cache_dir: str | None = None,
) -> Completed:
    """Run a command to its end under the shim.

    Args:
        argv: The command; what it starts is under the shim too, and shares the counts.
        prefix: Only calls on paths under this folder are counted, failed and traced.
        env: The environment instead of this process's own.
        fault: ``call:k:errno[:sticky]``, e.g. ``fsync:2:EIO``, ``write:1:short``; sticky fails
            every matching call from the k-th on, as a full disk does.
        trace: The file that receives the trace; an existing one is continued.
        kill: ``call:k[:before|after|torn]``; torn kills after half the bytes of a write.
        clock: Seconds to shift the wall clock by, or ``freeze``; ``:n`` leaves the first n
            readings of each process alone.
        counter: Where the counts are kept, when several runs shall share them.
        mark_fds: Whatever is written to these descriptors (0-9) counts as an acknowledgement, as
            does a write to any path that ends in ``.ack``.
        stdin: What the command reads.
        timeout: Seconds until the command and its children are killed.
        cwd: Where the command runs.
        cache_dir: Where the compiled shim is kept.
    """
    with tempfile.TemporaryDirectory(prefix="reliability-kit-") as scratch:
        fired = os.path.join(scratch, "fired")
        if counter is None and trace is None:
            counter = os.path.join(scratch, "counter")
        environment = shim_environment(
            prefix=prefix,
            env=env,
            fault=fault,
            kill=kill,
            clock=clock,
            trace=trace,
            counter=counter,
            fired=fired,
            mark_fds=mark_fds,
            cache_dir=cache_dir,
        )
        began = time.monotonic()
        timed_out = False
        with subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            cwd=cwd,
            start_new_session=True,  # so that a time-out reaches the children as well
        ) as process:
            try:
                out, err = process.communicate(stdin, timeout=timeout)
            except subprocess.TimeoutExpired:
                timed_out = True
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                out, err = process.communicate()
        seconds = time.monotonic() - began
        return Completed(process.returncode, out, err, os.path.exists(fired), timed_out, seconds)


def _loop(
    run: Callable[[str], Completed],
    spec_of: Callable[[int], str],
    limit: int,
    *,
    may_be_absent: bool,
    step: int = 1,
) -> Iterator[tuple[int, Completed]]:
    for k in range(1, limit + 1, step):
        done = run(spec_of(k))
        if not done.fired:
            if k == 1 and not may_be_absent:
                raise NeverFiredError(f"{spec_of(1)} never fired: {done.stderr[-500:]!r}")
            return
        yield k, done
    raise NeverFiredError(f"{spec_of(limit)} still fires: raise the limit or fix the workload")


def loop_every_fault(
    run: Callable[[str], Completed],
    call: str,
    errno: str,
    *,
    sticky: bool = False,
    limit: int = 10_000,
    may_be_absent: bool = False,
    step: int = 1,
) -> Iterator[tuple[int, Completed]]:
    """Fail the first call, then the second, ... until the fault no longer fires.

    ``run`` receives the text for ``fault=`` and must start from the same state each time. With
    a ``step`` only one of so many calls is failed.
    """
    return _loop(
        run,
        lambda k: f"{call}:{k}:{errno}{':sticky' if sticky else ''}",
        limit,
        may_be_absent=may_be_absent,
        step=step,
    )


def loop_every_kill(
    run: Callable[[str], Completed],
    call: str = "any",
    moment: str = "before",
    *,
    limit: int = 10_000,
    may_be_absent: bool = False,
) -> Iterator[tuple[int, Completed]]:
    """Kill at the first call, then at the second, ... until the command ends by itself."""
    return _loop(run, lambda k: f"{call}:{k}:{moment}", limit, may_be_absent=may_be_absent)
