"""The blocks of the documentation's pages, and what comments in front of them say to the tests.

<!-- run: COMMAND -->       run this where it stands, unseen by readers
<!-- file: PATH -->         the block below is this file of the page's repository
<!-- checked: WHY -->       the block below is not run: its commands are only understood
<!-- shown: WHY -->         the block below is neither: a picture, an output
"""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Iterator
from typing import NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

_ITEM = re.compile(
    r"^[ ]*<!-- run: (?P<hidden>.*?) -->"
    r"|(?:^[ ]*<!-- (?P<note>file|checked|shown): (?P<said>[^\n]*?) -->\n+)?"
    r"^(?P<indent>[ ]*)```(?P<language>[^\n]*)\n(?P<text>.*?)^(?P=indent)```[ ]*$",
    re.DOTALL | re.MULTILINE,
)


class Block(NamedTuple):
    """One fenced block, or a hidden command (language `hidden`)."""

    page: str
    line: int
    language: str
    text: str
    note: str = ""
    said: str = ""

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


def read(*parts: str) -> str:
    with open(os.path.join(ROOT, *parts), encoding="utf-8") as file:
        return file.read()


def pages() -> list[str]:
    """Every page that people read, relative to the top."""
    found = [name for name in sorted(os.listdir(ROOT)) if name.endswith(".md")]
    for top in ("docs", "deploy", "packages"):
        found += sorted(
            os.path.relpath(os.path.join(where, name), ROOT)
            for where, _, names in os.walk(os.path.join(ROOT, top))
            for name in names
            if name.endswith(".md") and "node_modules" not in where
        )
    return found


def blocks_of(page: str, text: str | None = None) -> list[Block]:
    """The blocks of a page in order; of this text, if it is given."""
    text = read(page) if text is None else text
    found = []
    for item in _ITEM.finditer(text):
        line = text.count("\n", 0, item.start()) + 1
        if item["hidden"] is not None:
            found.append(Block(page, line, "hidden", item["hidden"]))
        else:
            inside = textwrap.dedent(item["text"])
            note, said = item["note"] or "", item["said"] or ""
            found.append(Block(page, line, item["language"].strip(), inside, note, said))
    return found


class Step(NamedTuple):
    """One thing that is run, and what the page says that it prints."""

    command: str
    shown: list[str]
    file: str = ""


def steps_of(block: Block) -> Iterator[Step]:
    """What running a block means; nothing for one that is not run."""
    if block.note == "file":
        yield Step(block.text, [], block.said)
    elif block.language == "hidden":
        yield Step(block.text, [])
    elif block.language == "sh":
        kept = block.note or is_for_make(block) or installs(block)
        yield from () if kept else (Step(block.text, []),)
    elif block.language == "python" and not block.note:
        yield Step("python - <<'PYTHON'\n" + block.text + "PYTHON", [])
    elif block.language == "console" and not block.note and not installs(block):
        yield from _steps_of_transcript(block.text)


def _steps_of_transcript(text: str) -> Iterator[Step]:
    command, shown = "", list[str]()
    for line in text.splitlines():
        if line.startswith("$ "):
            if command:
                yield Step(command, shown)
            command, shown = line[2:], []
        elif command.endswith("\\") and not shown:
            command += "\n" + line
        else:
            shown.append(line)
    if command:
        yield Step(command, shown)


def commands_in(text: str) -> list[list[str]]:
    """The simple commands of a shell script, each as its words, without redirections.

    Lines of a transcript that are output are left out. Raises ValueError for a quote that is
    never closed.
    """
    import shlex

    lines = text.replace("\\\n", " ").splitlines()
    if any(line.startswith("$ ") for line in lines):
        lines = [line[2:] for line in lines if line.startswith("$ ")]
    found = []
    for line in lines:
        reader = shlex.shlex(line, posix=True, punctuation_chars=True)
        reader.whitespace_split = True
        reader.commenters = "#"
        command: list[str] = []
        skip = False
        for word in reader:
            if skip:
                skip = False
            elif set(word) <= set("<>&") and word not in {"&", "&&"}:
                skip = True
            elif set(word) <= set("|&;()"):
                found.append(command)
                command = []
            elif command or not re.fullmatch(r"[A-Z_]+=.*", word):
                command.append(word)
        found.append(command)
    return [command for command in found if command]


def is_for_make(block: Block) -> bool:
    """Every command of it is make's: it is about the repository itself."""
    try:
        commands = commands_in(block.text)
    except ValueError:
        return False
    return bool(commands) and all(command[0] == "make" for command in commands)


def installs(block: Block) -> bool:
    """It would change this machine's Python; no page may do that to whoever runs the tests."""
    lines = block.text.splitlines()
    if block.language == "console":
        lines = [line for line in lines if line.startswith("$ ")]
    text = "\n".join(lines)
    installer = r"(?:pip|python3? -m pip|uv|sudo|apt-get|npm) "
    return bool(re.search(r"(?:^(?:\$ )?|[;&|(]\s*)" + installer, text, re.MULTILINE))


def prose_of(text: str) -> str:
    """A page without its blocks and comments."""
    text = re.sub(r"^[ ]*```.*?^[ ]*```[ ]*$", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
