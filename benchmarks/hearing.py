"""How much of what people say to last becomes a suggestion, through the installed product.

    python benchmarks/hearing.py [--show]

Every sentence of `hearing_corpus/sentences.tsv` is a session of its own, written as Claude Code
writes one: typed at the prompt, or given while rejecting a call. Then `satchel reflect` and
`satchel review`. A quarter of the corpus, by a hash of the text, is held out: nothing was learnt from it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

CORPUS = Path(__file__).parent / "hearing_corpus" / "sentences.tsv"
REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a"
    " file edit, the new_string was NOT written to the file). To tell you how to proceed, the user"
    " said:\n"
)


class Said(NamedTuple):
    """A line of the corpus: lasting or passing, where it was said, its label, the words."""

    kind: str
    where: str
    label: str
    text: str

    @property
    def held_out(self) -> bool:
        """Whether nothing was learnt from it: one of four."""
        return hashlib.sha256(self.text.encode()).digest()[0] % 4 == 0

    @property
    def part(self) -> str:
        """Which part of the corpus it belongs to."""
        return "held out" if self.held_out else "learnt from"


def corpus(path: Path = CORPUS) -> list[Said]:
    """Read the corpus."""
    lines = path.read_text("utf-8").splitlines()
    said = [Said(*line.split("\t")) for line in lines if line and not line.startswith("#")]
    return [one._replace(text=one.text.replace("\\n", "\n")) for one in said]


def session_of(said: Said, number: int, cwd: str) -> list[dict[str, Any]]:
    """Return the records of a session in which a sentence is said in the midst of work."""
    ident = f"00000000-0000-4000-8000-{number:012}"
    records: list[dict[str, Any]] = []

    def add(kind: str, content: Any, **more: Any) -> None:
        message = {"role": kind, "content": content, **more}
        record = {"type": kind, "sessionId": ident, "cwd": cwd, "uuid": f"{number}-{len(records)}"}
        at = f"2026-01-02T10:00:{len(records):02}.000Z"
        records.append({**record, "timestamp": at, "message": message})

    add("user", "please have a look at the upload form")
    call = {"type": "tool_use", "id": "t1", "name": "Edit", "input": {"file_path": f"{cwd}/app.py"}}
    add("assistant", [{"type": "text", "text": "I will change the form."}, call], id="m1")
    result = {"type": "tool_result", "tool_use_id": "t1"}
    if said.where == "rejected":
        add("user", [{**result, "is_error": True, "content": REFUSED + said.text}])
    else:
        add("user", [{**result, "content": "ok"}])
        add("assistant", [{"type": "text", "text": "I have changed the form."}], id="m2")
        add("user", said.text)
    add("assistant", [{"type": "text", "text": "Understood."}], id="m3")
    return records


class Machine:
    """A home and a project of nobody's, with the product run as its own process."""

    def __init__(self, folder: str) -> None:
        self.home, self.root = os.path.join(folder, "home"), os.path.join(folder, "app")
        for path in (self.home, self.root):
            os.makedirs(path)
        subprocess.run(["git", "init", "-q", self.root], check=True)
        self.satchel("init", "--yes")

    def satchel(self, *words: str) -> str:
        """Run a command, and return what it printed."""
        source = Path(__file__).parents[1] / "src"
        env = {"HOME": self.home, "PATH": os.environ["PATH"], "PYTHONPATH": str(source)}
        done = subprocess.run(
            [sys.executable, "-m", "satchel", *words],
            cwd=self.root, env=env, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(f"satchel {' '.join(words)}: {done.stderr}")
        return done.stdout

    def lived(self, said: Iterable[Said]) -> None:
        """Let sessions lie where their client keeps them."""
        key = "".join(c if c.isalnum() else "-" for c in os.path.realpath(self.root))
        folder = os.path.join(self.home, ".claude", "projects", key)
        os.makedirs(folder)
        for number, one in enumerate(said):
            records = session_of(one, number, self.root)
            path = os.path.join(folder, f"{records[0]['sessionId']}.jsonl")
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(json.dumps(record) + "\n" for record in records)


def heard_in(said: list[Said]) -> dict[int, list[str]]:
    """Return what was suggested from each sentence."""
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(folder)
        machine.lived(said)
        machine.satchel("reflect", "--json")
        found: dict[int, list[str]] = {}
        for one in json.loads(machine.satchel("review", "--json")):
            if one["session"]:
                found.setdefault(int(one["session"][-12:]), []).append(one["title"])
    return found


def main() -> int:
    """Say what was heard, by part of the corpus."""
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", nargs="?", type=Path, default=CORPUS)
    parser.add_argument(
        "--show", action="store_true", help="show what was missed of what was learnt from"
    )
    wanted = parser.parse_args()
    said = corpus(wanted.corpus)
    heard = heard_in(said)
    groups: dict[tuple[str, str], list[bool]] = {}
    for number, one in enumerate(said):
        what = f"{one.kind}, {one.where}"
        groups.setdefault((what, one.part), []).append(number in heard)
        if wanted.show and not one.held_out and (one.kind == "lasting") != (number in heard):
            print(f"{what}: {one.text} {heard.get(number, '')}")
    for (what, part), found in sorted(groups.items()):
        print(
            f"{what:20} {part:13} {sum(found):3} of {len(found):3} heard  {sum(found) / len(found):.3f}"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
