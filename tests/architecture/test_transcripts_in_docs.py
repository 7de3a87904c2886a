"""Transcripts in the documentation are run, and must print what they show."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

import satchel
from doc_blocks import Step, blocks_of, pages, steps_of

_MASKS = (
    (re.compile(r"^ *[0-9A-HJKMNP-TV-Z]{8}(?= )", re.MULTILINE), "ID"),
    (re.compile(r"\b[0-9A-HJKMNP-TV-Z]{14}(?:[0-9A-HJKMNP-TV-Z]{12})?\b"), "ID"),
    (re.compile(r"\b[0-9a-f]{12,}\b"), "HEX"),
    (re.compile(r"(?<![^\s\"'(])/[^\s\"']+"), "PATH"),
    (re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?: UTC)?)?"), "TIME"),
    (re.compile(r"\b\d+(?:\.\d+)+\b"), "NUMBER"),
)


def steps_in(page: str, text: str | None = None) -> list[Step]:
    return [step for block in blocks_of(page, text) for step in steps_of(block)]


def masked(text: str) -> str:
    for pattern, name in _MASKS:
        text = pattern.sub(name, text)
    return text


def transcripts() -> list[str]:
    return [page for page in pages() if steps_in(page)]


def scratch(directory: str) -> tuple[str, dict[str, str]]:
    """A repository named as in the transcripts, a home of its own, and `satchel` on the PATH."""
    repository = os.path.join(directory, "shop")
    programs = os.path.join(directory, "bin")
    os.makedirs(repository)
    os.makedirs(programs)
    os.makedirs(os.path.join(directory, "house"))
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
        "PATH": os.pathsep.join(
            [programs, os.path.dirname(sys.executable), inherited.get("PATH", "")]
        ),
        "HOME": os.path.join(directory, "house"),
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


def differences(steps: list[Step], directory: str) -> list[str]:
    """Run what a page shows, in order; say what fails or is not printed."""
    repository, environment = scratch(directory)
    found = []
    for step in steps:
        if step.file:
            path = os.path.join(repository, step.file)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(step.command)
            continue
        done = subprocess.run(
            ["sh", "-e", "-c", step.command],
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
    assert differences(steps_in(page), str(tmp_path)) == []


def test_a_transcript_that_lies_is_noticed(tmp_path: object) -> None:
    """Seeded bugs: what is never printed, commands that fail, a file that cannot be read."""
    page = (
        "```console\n$ satchel --version\nsatchel ninety\n$ satchel nonsense\n```\n"
        "```sh\nsatchel --version\nsatchel recall x --lmit 3\nsatchel --version\n```\n"
        "```python\nimport satchel.nothing\n```\n"
        "<!-- run: satchel init --no-hooks --yes -->\n"
        "<!-- file: .satchel/checks.yaml -->\n```yaml\nchecks: nonsense\n```\n"
        "<!-- run: satchel check --list -->\n"
    )
    found = differences(steps_in("page.md", page), str(tmp_path))
    assert [fault.splitlines()[0][:20].rstrip() for fault in found] == [
        "$ satchel --version",
        "$ satchel nonsense",
        "$ satchel --version",
        "$ python - <<'PYTHON",
        "$ satchel check --li",
    ]
