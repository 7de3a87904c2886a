"""Runs commands of Satchel as if on Windows, as far as Linux can: what POSIX brings is gone.

Paths and programs stay those of Linux, and a lock is one of Linux. What is found is that nothing
is imported or called that Windows does not have. Runs the command of its arguments; without one
it imports all modules and then runs those on standard input, with a line of JSON for each.
"""

import asyncio  # noqa: F401 -- before the platform changes: they would look for Windows' own
import contextlib
import fcntl
import importlib
import io
import json
import multiprocessing.pool  # noqa: F401
import os
import pkgutil
import select
import shutil  # noqa: F401
import signal
import subprocess  # noqa: F401
import sys
import tempfile  # noqa: F401
import threading
import time
import types
import webbrowser  # noqa: F401
from typing import Any

_GONE = ["curses", "fcntl", "grp", "pwd", "pty", "resource", "termios", "tty"]
#: What the standard library was loaded with stays: os.WNOHANG, os.statvfs.
_FLAGS = ["O_CLOEXEC", "O_DIRECTORY", "O_NOCTTY", "O_NOFOLLOW", "O_NONBLOCK"]
_CALLS = [
    "fchmod",
    "fchown",
    "fork",
    "geteuid",
    "getuid",
    "killpg",
    "posix_spawn",
    "pread",
    "pwrite",
    "sysconf",
]
_SIGNALS = ["SIGALRM", "SIGHUP", "SIGKILL", "alarm", "pthread_sigmask"]
_OTHERS = [
    "anyio",
    "apsw",
    "fastapi",
    "jinja2",
    "mcp.server",
    "numpy",
    "prometheus_client",
    "psycopg_pool",
    "psycopg",
    "re2",
    "shtab",
    "tree_sitter",
    "uvicorn",
    "yaml",
]


def _locking(fd: int, kind: int, _: int) -> None:
    fcntl.flock(fd, fcntl.LOCK_UN if kind == 0 else fcntl.LOCK_EX | fcntl.LOCK_NB)


def become_windows() -> None:
    for name in _OTHERS:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    fake: Any = types.ModuleType("msvcrt")
    fake.LK_UNLCK, fake.LK_NBLCK, fake.locking = 0, 2, _locking
    sys.modules["msvcrt"] = fake
    for name in _GONE:
        sys.modules[name] = None  # type: ignore[assignment]
    for module, names in (
        (os, _FLAGS + _CALLS),
        (signal, _SIGNALS),
        (select, ["poll", "PIPE_BUF"]),
    ):
        for name in names:
            vars(module).pop(name, None)
    os.O_BINARY = 0  # type: ignore[attr-defined]
    sys.platform = "win32"


def import_everything() -> int:
    import satchel

    found = [one.name for one in pkgutil.walk_packages(satchel.__path__, "satchel.")]
    for name in found:
        importlib.import_module(name)
    return len(found)


def run(words: list[str]) -> dict[str, object]:
    from satchel.__main__ import run as run_words

    out, err = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code: object = run_words(words)
        except SystemExit as ended:
            code = ended.code
    out.flush()
    return {"code": code, "out": out.buffer.getvalue().decode(), "err": err.getvalue()}


def main() -> None:
    become_windows()
    if sys.argv[1:]:
        from satchel.__main__ import run as run_words

        sys.exit(run_words(sys.argv[1:]))
    print(json.dumps({"modules": import_everything()}))
    for line in sys.stdin:
        sys.stdout.flush()
        print(json.dumps(run(json.loads(line))), flush=True)
    deadline = time.monotonic() + 5
    while threading.active_count() > 1 and time.monotonic() < deadline:
        time.sleep(0.01)


if __name__ == "__main__":
    main()
