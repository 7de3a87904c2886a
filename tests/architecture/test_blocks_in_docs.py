"""Every block of code in the documentation is accounted for, and every command it names exists.

A block is run (test_transcripts_in_docs.py), put where its page says and read by what is run, read
by the parser of its language, or it says in a comment why none of that can be. `sql` is run by
tests/integration/test_sql_in_docs.py.
"""

from __future__ import annotations

import ast
import functools
import glob
import json
import os
import re
import subprocess
import tomllib

import pytest
import yaml

from command_lines import fault_of, fault_of_mention
from doc_blocks import (
    ROOT,
    Block,
    blocks_of,
    commands_in,
    installs,
    pages,
    prose_of,
    read,
    steps_of,
)
from satchel.core.hashing import is_whole
from satchel.storage.settings.table import SETTINGS

#: Why a block's commands are understood but not run.
CHECKED = {
    "server": "serves until it is stopped",
    "postgresql": "needs a server of the reader's",
    "remote": "needs a remote or a transcript of the reader's",
    "installs": "installs into the reader's machine",
    "measures": "takes minutes, and prints what this machine makes of it",
    "asks": "asks a person, and shows the least there is to know",
    "client": "is another program's command",
    "schema": "needs an extension of PostgreSQL that is not there",
    "roles": "names roles of a server after a database that the tests do not have",
}
#: Why a block is only looked at.
SHOWN = {
    "drawing": "a drawing in characters",
    "output": "what something prints, or writes into a file",
    "theirs": "settings of another program",
}
#: Programs of others that a block may name without being run.
ELSEWHERE = {"claude", "curl", "git", "python", "psql", "systemctl", "podman", "crontab", "sudo"}
# Run by tests/integration/test_generated_clients.py.
ELSEWHERE |= {"npm", "npx", "openapi-python-client"}
#: Ends of files, and functions, that look like settings.
NO_SETTINGS = {
    "db",
    "jsonl",
    "json",
    "toml",
    "md",
    "yaml",
    "py",
    "sql",
    "sh",
    "search",
    "clean_text",
}
VARIABLES = {"SATCHEL_HOME", "SATCHEL_DISABLED", "SATCHEL_TORTURE", "SATCHEL_SECTION_NAME"}
#: Read by nobody but the shell.
_BUILT_IN = {"cd", "export", "echo", "cat"}


@functools.cache
def extras() -> set[str]:
    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as file:
        return set(tomllib.load(file)["project"]["optional-dependencies"])


@functools.cache
def fault_of_make(*words: str) -> str:
    """Ask make itself, which does nothing."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(
        ["make", "--dry-run", *words], cwd=ROOT, env=clean, capture_output=True, text=True
    )
    return done.stderr.strip() if done.returncode else ""


def fault_of_command(words: list[str]) -> str:
    """Why a command that is not run cannot be right; empty if nothing speaks against it."""
    program, *rest = words
    if program == "satchel":
        return fault_of(rest)
    if program == "make":
        return fault_of_make(*rest)
    if program == "pip":
        asked = {
            name for found in re.findall(r"\[([\w,]+)\]", rest[-1]) for name in found.split(",")
        }
        return "" if rest[0] == "install" and asked <= extras() else f"pip cannot {rest}"
    files = [rest[n] for n, word in enumerate(words[:-1]) if word == "-r"]
    gone = [name for name in files if not os.path.exists(os.path.join(ROOT, name))]
    if gone:
        return f"there is no {gone[0]}"
    return "" if program in ELSEWHERE | _BUILT_IN else f"nobody checks {program!r}"


def faults_of_commands(text: str) -> list[str]:
    try:
        commands = commands_in(text)
    except ValueError as error:
        return [f"the shell would not read it: {error}"]
    return [fault for words in commands if (fault := fault_of_command(words))]


def faults_of_settings(text: str) -> list[str]:
    """Sections and names of TOML that no setting has."""
    known = {setting.name for setting in SETTINGS} | {"project.id", "project.name"}
    given = tomllib.loads(text)
    names = {
        f"{section}.{name}" if isinstance(inside, dict) else section
        for section, inside in given.items()
        for name in (inside if isinstance(inside, dict) else [""])
    }
    return [f"there is no setting {name}" for name in sorted(names - known)]


def fault_of_data(block: Block) -> list[str]:
    """What its language's own parser, and the table of settings, say against a block."""
    try:
        if block.language == "json":
            json.loads(block.text)
        elif block.language == "yaml":
            yaml.safe_load(block.text)
        elif block.language == "toml":
            tomllib.loads(block.text)
            return [] if block.note == "file" else faults_of_settings(block.text)
    except (ValueError, yaml.YAMLError) as error:
        return [f"it is no {block.language}: {error}"]
    return []


def faults_of(block: Block) -> list[str]:
    """What is wrong with a block, or that nobody accounts for it."""
    runs = bool(list(steps_of(block)))
    if block.note == "checked" and block.said not in CHECKED:
        return [f"{block.said!r} is not a reason of CHECKED"]
    if block.note == "shown":
        wrong = block.language in {"sh", "console", "python"}
        return (
            [f"{block.said!r} is not a reason of SHOWN"] if wrong or block.said not in SHOWN else []
        )
    if block.language == "sh" and not runs:
        quiet = installs(block) and not block.note
        unsaid = ["it installs: say `checked: installs`"] if quiet else []
        return [*unsaid, *faults_of_commands(block.text)]
    if block.language in {"console", "text"} and block.note == "checked":
        return faults_of_commands(block.text)
    if block.language in {"json", "toml", "sql", "hidden"} or runs:
        return fault_of_data(block)
    return fault_of_data(block) or ["nobody runs it, reads it, or says why not"]


@pytest.mark.parametrize("page", pages())
def test_every_block_is_accounted_for(page: str) -> None:
    assert [
        f"{block.place}: {fault}" for block in blocks_of(page) for fault in faults_of(block)
    ] == []


@pytest.mark.parametrize("page", pages())
def test_no_fence_escapes(page: str) -> None:
    """What is counted here is every fence that a Markdown reader would find."""
    fences = re.findall(r"^[ ]*(?:```|~~~)", read(page), re.MULTILINE)
    assert len(fences) == 2 * sum(block.language != "hidden" for block in blocks_of(page))


@pytest.mark.parametrize("page", pages())
def test_every_command_in_prose_exists(page: str) -> None:
    told = re.findall(r"`(satchel\s[^`]+)`", prose_of(read(page)))
    faults = {text: fault_of_mention(" ".join(text.split())) for text in told}
    assert {text: fault for text, fault in faults.items() if fault} == {}


@pytest.mark.parametrize("page", pages())
def test_every_setting_and_variable_in_prose_exists(page: str) -> None:
    known = {setting.name for setting in SETTINGS}
    sections = {name.partition(".")[0] for name in known}
    told = re.findall(r"`([a-z]+\.[a-z_]+)(?:`| = )", prose_of(read(page)))
    meant = {name for name in told if name.partition(".")[0] in sections}
    assert {name for name in meant - known if name.partition(".")[2] not in NO_SETTINGS} == set()
    variables = {"SATCHEL_" + name.replace(".", "_").upper() for name in known} | VARIABLES
    assert set(re.findall(r"SATCHEL_[A-Z_]+", read(page))) <= variables


def test_every_command_that_satchel_names_exists() -> None:
    """In hints, helps, skills and pages of the console: what people and agents are told to type."""
    faults = []
    for where, _, names in os.walk(os.path.join(ROOT, "src")):
        for path in (os.path.join(where, name) for name in names):
            if not path.endswith((".py", ".md", ".html")):
                continue
            with open(path, encoding="utf-8") as file:
                text = file.read()
            told = [text]
            if path.endswith(".py"):
                constants = (
                    one for one in ast.walk(ast.parse(text)) if isinstance(one, ast.Constant)
                )
                told = [one.value for one in constants if isinstance(one.value, str)]
            for command in re.findall(r"`(satchel\s[^`{}]+)`", "\0".join(told)):
                fault = fault_of_mention(" ".join(command.split()))
                faults += [f"{os.path.relpath(path, ROOT)}: `{command}`: {fault}"] if fault else []
    assert faults == []


@pytest.mark.parametrize("page", pages())
def test_every_program_in_prose_exists(page: str) -> None:
    """Files of the repository and targets of make that a page tells to run or to look at."""
    prose = prose_of(read(page))
    paths = re.findall(r"`[^`\n]*?\b((?:tests|src|deploy)/[\w./-]+\w)[^`\n]*`", prose)
    assert [path for path in paths if not glob.glob(os.path.join(ROOT, path) + "*")] == []
    targets = set(re.findall(r"`make ([a-z]+)`", prose))
    assert {name for name in targets if fault_of_make(name)} == set()


def test_the_ledger_line_of_the_reference_is_whole() -> None:
    """Its hash is that of the bytes before it, as the page says."""
    shown = [
        line
        for page in pages()
        for block in blocks_of(page)
        if block.language == "json" and '"bead"' in block.text
        for line in block.text.splitlines()
    ]
    assert shown
    assert [line for line in shown if not is_whole(line.encode())] == []


def test_every_reason_is_used() -> None:
    used = {(block.note, block.said) for page in pages() for block in blocks_of(page)}
    assert {said for note, said in used if note == "checked"} == set(CHECKED)
    assert {said for note, said in used if note == "shown"} == set(SHOWN)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("<!-- checked: server -->\n```sh\nsatchel serve --teem\n```\n", "--teem"),
        ("<!-- checked: server -->\n```sh\nsatchel serv\n```\n", "no command 'serv'"),
        ("<!-- checked: server -->\n```sh\nX=1 satchel recall a | frobnicate\n```\n", "frobnicate"),
        ("<!-- checked: installs -->\n```sh\npip install 'satchel[sever]'\n```\n", "sever"),
        ("<!-- checked: server -->\n```sh\nsatchel recall 'a\n```\n", "would not read it"),
        ("<!-- checked: mood -->\n```sh\nsatchel recall a\n```\n", "'mood' is not a reason"),
        ("<!-- shown: output -->\n```sh\nsatchel recall a\n```\n", "is not a reason"),
        ("```sh\nmake tset\n```\n", "tset"),
        ("```sh\ncd x && python -m pip install y\n```\n", "it installs"),
        ("<!-- checked: installs -->\n```sh\npython -m pip install -r x.lock\n```\n", "x.lock"),
        ('```json\n{"a": 1,}\n```\n', "no json"),
        ("```yaml\na: [1\n```\n", "no yaml"),
        ("```toml\n[hooks]\ngate = true\n```\n", "no setting hooks.gate"),
        ("```toml\nhooks = \n```\n", "no toml"),
        ("```yaml\na: 1\n```\n", "nobody runs it"),
        ("```\na -> b\n```\n", "nobody runs it"),
        ("```text\n$ satchel recall\n```\n", "nobody runs it"),
    ],
)
def test_a_wrong_block_is_noticed(text: str, told: str) -> None:
    """Seeded bugs: misspelt options, commands, settings, targets; broken data; a block of nobody's."""
    (block,) = blocks_of("page.md", text)
    assert told in "\n".join(faults_of(block))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("satchel recal x", "no command"),
        ("satchel recall x --limits 3", "--limits"),
        ("satchel tasks reedy", "no action 'reedy'"),
        ("satchel graph show NAME --al", "--al"),
        ("satchel sessions list|shwo", "'shwo'"),
        ("satchel mcp config CLIENT --prt", "--prt"),
    ],
)
def test_a_wrong_mention_is_noticed(text: str, told: str) -> None:
    """Seeded bugs in prose; and what is right beside each of them is not told."""
    assert told in fault_of_mention(text)
    assert fault_of_mention("satchel route 'some text' --explain") == ""
    assert fault_of_mention("satchel sessions list|show [ID] --limit N") == ""
