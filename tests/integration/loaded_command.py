"""The installed command, forked from a process that has loaded it: most of a command is loading.

Its patterns are compiled too, as each test with a home of its own would do. A fork is a process
like any other, with an environment, a directory and pipes of its own. Machines run a command in this
way once it has been loaded from nothing in the same test run.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import pkgutil
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Mapping, Sequence
from typing import NoReturn

#: Packages that are loaded with every module; not the servers', which few commands ask for.
_LOADED = (
    "satchel.application",
    "satchel.clients",
    "satchel.core",
    "satchel.engine",
    "satchel.features",
    "satchel.interfaces.cli",
    "satchel.project",
    "satchel.storage",
    "yaml",
)
#: Of these the interpreter takes notice before it runs a line, or Satchel while it is loaded.
_OF_THE_START = ("PYTHON", "LC_", "LANG", "LD_", "MALLOC_", "TZ")
_BEGAN = {"LANG": "C.UTF-8"}
_THREE = 3  # standard input, output and errors


def can_run(environment: Mapping[str, str]) -> bool:
    """Return whether a process that began as this one's forks do can be given this environment."""
    told = {name: value for name, value in environment.items() if name.startswith(_OF_THE_START)}
    return told == _BEGAN


def run(
    words: Sequence[str | bytes],
    at: str,
    given: bytes,
    environment: Mapping[str, str],
    seconds: float,
) -> tuple[int, bytes, bytes]:
    """Run the command to its end, as `subprocess.run` does; return its code and what it printed."""
    pipes = [os.pipe() for _ in range(_THREE)]
    theirs = [pipes[0][0], pipes[1][1], pipes[2][1]]
    told = json.dumps([[os.fsdecode(word) for word in words], at, dict(environment)]).encode()
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(seconds)
        line.connect(_loaded())
        socket.send_fds(line, [len(told).to_bytes(8, "big")], theirs)
        for one in theirs:
            os.close(one)
        line.sendall(told)
        got: list[bytes] = [b"", b""]
        hands = [
            threading.Thread(target=_feed, args=(pipes[0][1], given)),
            *(threading.Thread(target=_drain, args=(pipes[n + 1][0], got, n)) for n in (0, 1)),
        ]
        for hand in hands:
            hand.start()
        with line.makefile("rb") as answers:
            pid = int(answers.readline())
            try:
                code = int(answers.readline())
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                raise subprocess.TimeoutExpired([*map(str, words)], seconds) from None
    for hand in hands:  # what it left running holds its output open, as for any pipe
        hand.join(seconds)
        assert not hand.is_alive(), words
    return code, got[0], got[1]


def _feed(pipe: int, given: bytes) -> None:
    try:
        with open(pipe, "wb") as file:
            file.write(given)
    except BrokenPipeError:
        pass  # a command need not read what it is given


def _drain(pipe: int, got: list[bytes], number: int) -> None:
    with open(pipe, "rb") as file:
        got[number] = file.read()


@functools.cache
def _loaded() -> str:
    """Start the process that has loaded the command; return the address of its socket."""
    folder = tempfile.TemporaryDirectory(prefix="satchel-loaded-")
    address = os.path.join(folder.name, "socket")
    command = os.path.join(os.path.dirname(sys.executable), "satchel")
    process = subprocess.Popen(
        [sys.executable, "-P", os.path.abspath(__file__), address, command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"PATH": os.defpath, "HOME": os.environ["HOME"], **_BEGAN},
    )

    def end() -> None:
        process.communicate()  # its standard input ends, and so does it
        folder.cleanup()

    atexit.register(end)
    assert process.stdout
    assert process.stdout.readline() == b"ready\n"
    return address


def main(address: str, command: str) -> None:
    """Load Satchel, and fork for whoever asks, until standard input ends."""
    sys.path.insert(0, os.path.dirname(command))
    for name in _LOADED:
        for one in pkgutil.walk_packages(importlib.import_module(name).__path__, name + "."):
            importlib.import_module(one.name)
    for pattern in importlib.import_module("satchel.storage.kept_patterns")._every:
        assert pattern.compiled
    gc.collect()
    gc.freeze()
    asked = socket.socket(socket.AF_UNIX)
    asked.bind(address)
    asked.listen(64)
    print("ready", flush=True)
    with selectors.DefaultSelector() as waiting:
        waiting.register(asked, selectors.EVENT_READ)
        waiting.register(sys.stdin, selectors.EVENT_READ)
        while True:
            for key, _ in waiting.select():
                if key.fileobj is sys.stdin:
                    return
                if key.fileobj is asked:
                    pid, line = _fork(asked, command)
                    _tell(line, pid)
                    waiting.register(os.pidfd_open(pid), selectors.EVENT_READ, (pid, line))
                    continue
                waiting.unregister(key.fd)
                os.close(key.fd)
                pid, line = key.data
                _, status = os.waitpid(pid, 0)
                with line:
                    _tell(line, os.waitstatus_to_exitcode(status))


def _tell(line: socket.socket, number: int) -> None:
    with contextlib.suppress(OSError):  # whoever asked may have given up
        line.sendall(b"%d\n" % number)


def _fork(asked: socket.socket, command: str) -> tuple[int, socket.socket]:
    """Fork for the next one that asks; return the process and the line to whoever asked."""
    line, _ = asked.accept()
    size, files, _, _ = socket.recv_fds(line, 8, _THREE)
    with line.makefile("rb") as told:
        words, at, environment = json.loads(told.read(int.from_bytes(size, "big")))
    pid = os.fork()
    if not pid:
        _become([command, *words], at, environment, files)
    for one in files:
        os.close(one)
    return pid, line


def _become(words: list[str], at: str, environment: dict[str, str], files: list[int]) -> NoReturn:
    """Be the command, as if the interpreter had been started for it."""
    code: object = 1
    try:
        for number, one in enumerate(files):
            os.dup2(one, number)
        os.closerange(_THREE, 1024)
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(at)
        sys.argv = words
        importlib.import_module("satchel.__main__").main()
    except SystemExit as end:
        code = end.code or 0
    except BaseException:  # noqa: BLE001 -- what the interpreter does with it
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
