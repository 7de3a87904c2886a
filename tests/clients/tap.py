#!/usr/bin/python3 -SE
"""Stands for `satchel` on a scratch machine: runs the real one, and keeps what a client gave a hook.

`stand.py` copies it beside a `python` that has the package, with its first line changed.
"""

import json
import os
import resource
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = os.path.join(os.path.dirname(os.path.dirname(HERE)), "hooks")
REAL = (os.path.join(HERE, "python"), "-c", "from satchel.__main__ import main; exit(main())")


def main() -> int:
    """Run `satchel` with our words."""
    words = sys.argv[1:]
    if words[:1] != ["hook"]:
        os.execv(REAL[0], [*REAL, *words])  # noqa: S606 -- what it stands for
    given = sys.stdin.buffer.read()
    started = time.monotonic()
    done = subprocess.run([*REAL, *words], input=given, capture_output=True, check=False)
    took = time.monotonic() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    sys.stdout.buffer.write(done.stdout)
    sys.stdout.flush()
    sys.stderr.buffer.write(done.stderr)
    kept = {
        "event": words[1],
        "ms": took * 1000,
        "cpu_ms": (used.ru_utime + used.ru_stime) * 1000,
        "given": given.decode(),
        "answer": done.stdout.decode(),
        "code": done.returncode,
        "complaint": done.stderr.decode(),
    }
    with open(os.path.join(KEPT, f"{time.time_ns()}-{os.getpid()}.json"), "x") as file:
        json.dump(kept, file)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
