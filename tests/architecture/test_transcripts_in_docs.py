"""Transcripts in the documentation are run, and must print what they show."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import NamedTuple

import pytest

import satchel

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def read(*parts: str) -> str:
    with open(os.path.join(ROOT, *parts), encoding="utf-8") as file:
        return file.read()


def pages() -> list[str]:
    top = [name for name in sorted(os.listdir(ROOT)) if name.endswith(".md")]
    folder = os.path.join(ROOT, "docs")
    deep = [
        os.path.relpath(os.path.join(where, name), ROOT)
        for where, _, names in os.walk(folder)
        for name in names
        if name.endswith(".md")
    ]
    return top + sorted(deep)


class Step(NamedTuple):
    """One command of a transcript and what the page says that it prints."""

    command: str
    shown: list[str]


_BLOCK = re.compile(r"<!-- run: (?P<hidden>.*?) -->|```console\n(?P<block>.*?)```", re.DOTALL)
_MASKS = (
    (re.compile(r"\b[0-9A-HJKMNP-TV-Z]{14}(?:[0-9A-HJKMNP-TV-Z]{12})?\b"), "ID"),
    (re.compile(r"\b[0-9a-f]{12,}\b"), "HEX"),
    (re.compile(r"(?<![^\s\"'(])/[^\s\"']+"), "PATH"),
    (re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?: UTC)?)?"), "TIME"),
    (re.compile(r"\b\d+(?:\.\d+)+\b"), "NUMBER"),
)


def steps_of(page: str) -> Iterator[Step]:
    for block in _BLOCK.finditer(read(page)):
        if block["hidden"]:
            yield Step(block["hidden"], [])
            continue
        lines = block["block"].splitlines()
        if not any(line.startswith("$ ") and "satchel" in line for line in lines[:1]) and not any(
            line.startswith("$ ") and re.search(r"\| satchel\b", line) for line in lines
        ):
            continue
        command, shown = "", list[str]()
        for line in lines:
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


def masked(text: str) -> str:
    for pattern, name in _MASKS:
        text = pattern.sub(name, text)
    return text


def transcripts() -> list[str]:
    found = [page for page in pages() if "decisions" not in page]
    return [page for page in found if any(step.shown for step in steps_of(page))]


def scratch(directory: str) -> tuple[str, dict[str, str]]:
    """A repository named as in the transcripts, a home of its own, and `satchel` on the PATH."""
    repository = os.path.join(directory, "shop")
    programs = os.path.join(directory, "bin")
    os.makedirs(repository)
    os.makedirs(programs)
    wrapper = os.path.join(programs, "satchel")
    with open(wrapper, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nexec '{sys.executable}' -m satchel \"$@\"\n")
    os.chmod(wrapper, 0o700)
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SATCHEL_", "GIT_", "CLAUDE"))
    }
    environment = {
        **inherited,
        "PATH": programs + os.pathsep + inherited.get("PATH", ""),
        # Relative where the tests were started, and the transcripts run elsewhere.
        "PYTHONPATH": os.path.dirname(os.path.dirname(os.path.abspath(satchel.__file__))),
        "SATCHEL_EMBED_BACKGROUND": "0",
        "SATCHEL_HOME": os.path.join(directory, "home"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": "Ann",
        "GIT_AUTHOR_EMAIL": "ann@example.org",
        "GIT_COMMITTER_NAME": "Ann",
        "GIT_COMMITTER_EMAIL": "ann@example.org",
    }
    for words in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run(["git", *words], cwd=repository, env=environment, check=True)
    return repository, environment


def differences(page: str, directory: str) -> list[str]:
    """Run the transcripts of a page in order; say what fails or is not printed."""
    repository, environment = scratch(directory)
    found = []
    for step in steps_of(page):
        done = subprocess.run(
            ["sh", "-c", step.command],
            cwd=repository,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode:
            found.append(f"$ {step.command}\nexits {done.returncode}: {done.stdout}")
        real = masked(done.stdout)
        found += [
            f"$ {step.command}\nnever prints: {line}\nbut: {done.stdout}"
            for line in step.shown
            if line.strip() and "…" not in line and masked(line) not in real
        ]
    return found


def test_the_readme_has_a_transcript() -> None:
    assert "README.md" in transcripts()


@pytest.mark.parametrize("page", transcripts())
def test_transcripts_run_and_print_what_they_show(page: str, tmp_path: object) -> None:
    assert differences(page, str(tmp_path)) == []


def test_a_transcript_that_lies_is_noticed(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug: a page that shows what is never printed, and a command that fails."""
    page = os.path.join(str(tmp_path), "page.md")
    with open(page, "w", encoding="utf-8") as file:
        file.write("```console\n$ satchel --version\nsatchel ninety\n$ satchel nonsense\n```\n")
    monkeypatch.setattr(sys.modules[__name__], "ROOT", str(tmp_path))
    assert len(differences("page.md", os.path.join(str(tmp_path), "scratch"))) == 2
