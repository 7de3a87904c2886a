"""How long the map of a made-up repository takes: cold, unchanged, after one edit; find and pack.

PYTHONPATH=src python benchmarks/code_speed.py [--files 10000]
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import satchel
from satchel.features.code.packs.values import PackRequest
from satchel.features.code.service import Code
from satchel.testing import run_git

NOUNS = (
    "user order invoice payment session token cache queue mail report search graph note ledger "
    "config route parser stream batch audit quota plan stock price cart label image video review"
)
PARTS = ("", "_item", "_list", "_store", "_view", "_client", "_worker", "_policy", "_event")
TASK = "retry the payment policy of an invoice"

PYTHON = '''class {big}:
    """About {first}."""

    def {second}(self, value):
        result = {third}(value)
        if result is None:
            raise ValueError("no {first}")
        return self.keep(result)


def {first}(rows, limit):
    total = 0
    for row in rows:
        total += {second}(row, limit)
    return total


'''
TYPESCRIPT = """export class {big} {{
  async {second}(value: number): Promise<void> {{
    const result = await {third}(value);
    if (!result) throw new Error('no {first}');
    this.keep(result);
  }}
}}

export function {first}(rows: string) {{
  return {second}(rows);
}}

"""
GO = """// {first} does it.
func {first}(limit int) error {{
\tif limit == 0 {{
\t\treturn {second}(limit)
\t}}
\treturn {third}(limit)
}}

"""
KINDS = (("py", PYTHON, "import os\n\n"), ("ts", TYPESCRIPT, ""), ("go", GO, "package a\n\n"))


def make(root: str, count: int) -> None:
    """Write a repository of `count` files that use each other's names."""
    chance = random.Random(1)

    def name() -> str:
        noun, part = chance.choice(NOUNS.split()), chance.choice(PARTS)
        return f"{noun}{part}_{chance.randrange(count * 2)}"

    for number in range(count):
        directory = os.path.join(root, "src", f"{chance.choice('abcdef')}{chance.randrange(30)}",
                                 chance.choice(NOUNS.split()))  # fmt: skip
        os.makedirs(directory, exist_ok=True)
        ending, form, head = chance.choices(KINDS, (5, 3, 2))[0]
        text = head
        for _ in range(chance.randrange(3, 9)):
            first, second, third = name(), name(), name()
            big = first.title().replace("_", "")
            text += form.format(first=first, second=second, third=third, big=big)
        with open(os.path.join(directory, f"{name()}_{number}.{ending}"), "w") as file:
            file.write(text)
    run_git(root, "init", "--quiet")
    run_git(root, "add", "--all")
    run_git(root, "commit", "--quiet", "--message", "first")


def timed(what: str, run: Callable[[], object], times: int = 1) -> None:
    """Print the median time of something, in milliseconds."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        run()
        took.append(1000 * (time.perf_counter() - began))
    print(f"{what:<28} {statistics.median(took):9.1f} ms")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="satchel-code-") as directory:
        root, home = os.path.join(directory, "big"), os.path.join(directory, "home")
        os.makedirs(root)
        make(root, options.files)
        time.sleep(2.1)
        with Code.open(root, home=home) as code:
            timed("first map", code.refresh)
            timed("nothing changed", code.refresh, 5)
            some = sorted(file.path for file in code.ranker.files.values())[77]
            with open(os.path.join(root, some), "a") as file:
                file.write("\n# edited\n")
            timed("after one edit", code.refresh)
            timed("find", lambda: code.find(TASK), 5)
            timed("rank", lambda: code.rank(TASK), 5)
            timed("pack", lambda: code.pack(PackRequest(TASK)), 5)
            timed("write docs/CODEBASE_MAP.md", lambda: code.write_map(force=True))
            print(f"{'size of the map':<28} {code.store.database.size() / 1e6:9.1f} MB")
        sources = os.path.dirname(os.path.dirname(os.path.abspath(satchel.__file__)))
        environment = {**os.environ, "SATCHEL_HOME": home, "PYTHONPATH": sources}
        for words in (["code", "find", TASK, "--json"], ["pack", TASK, "--json"]):
            command = [sys.executable, "-m", "satchel", *words]
            timed("cold " + " ".join(words[:2])[:20],
                  lambda c=command: subprocess.run(c, cwd=root, env=environment, check=True,
                                                   stdout=subprocess.DEVNULL), 5)  # type: ignore[misc]  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
