"""`python -m benchmarks NAME [options]`: run one benchmark; without a name, list them."""

from __future__ import annotations

import ast
import os
import runpy
import sys

from satchel.core.errors import SatchelError
from satchel.interfaces.cli.front import complain, refused

HERE = os.path.dirname(os.path.abspath(__file__))
#: Measured by `speed.py`, which takes the same options for each.
SPEED = ("hot", "search", "read", "serve")


def main() -> int:
    """Run the benchmark that the command line names; return its exit code."""
    # Some benchmarks start the servers that the tests start.
    sys.path.append(os.path.join(os.path.dirname(HERE), "tests"))
    programs = available()
    name = sys.argv.pop(1) if len(sys.argv) > 1 else ""
    if name not in programs:
        print("usage: satchel bench NAME [options], or python -m benchmarks NAME [options]\n")
        width = max(map(len, programs))
        print("\n".join(f"{one:<{width}}  {does}" for one, does in sorted(programs.items())))
        return 0 if name in ("", "-h", "--help") else 2
    if name in SPEED:
        sys.argv.insert(1, name)
        name = "speed"
    try:
        runpy.run_module(f"benchmarks.{name}", run_name="__main__", alter_sys=True)
    except SatchelError as error:
        complain(error, as_json="--json" in sys.argv)
        return error.exit_code
    except OSError as error:
        return refused(error, as_json="--json" in sys.argv)
    return 0


def available() -> dict[str, str]:
    """Return name -> first line of the docstring of every module that is a program."""
    found = dict.fromkeys(SPEED, "see `python -m benchmarks hot --help`")
    for file in os.listdir(HERE):
        name, extension = os.path.splitext(file)
        if extension != ".py" or name in ("__main__", "speed"):
            continue
        with open(os.path.join(HERE, file), encoding="utf-8") as opened:
            text = opened.read()
        if '__name__ == "__main__"' in text:
            found[name] = (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]
    return found


if __name__ == "__main__":
    sys.exit(main())
