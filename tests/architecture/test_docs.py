"""Documentation says what is there, and its transcripts run.

Run as a program, this file prints the generated tables of docs/reference.md.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from satchel import errors
from satchel.faces.cli.front import COMMANDS
from satchel.inbox.events import HOOK_EVENTS as EVENTS
from satchel.layout import PRESETS
from satchel.memories.kinds import KINDS
from satchel.settings.table import SETTINGS

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGE = os.path.join(ROOT, "src", "satchel")
TASK_ACTIONS = (
    "ready", "show", "list", "epic", "states", "check", "create", "update", "close", "reopen",
    "claim", "comment", "dep", "label", "delete", "import", "export", "learn", "merge", "sync",
)  # fmt: skip
#: Commands whose sub-commands have a help of their own.
ACTIONS = {
    "bench": ("retrieval",),
    "memory": ("list", "show", "history", "delete", "facts", "scoped"),
    "agent": ("show", "list", "new", "ask", "log-decision"),
    "route": ("to", "outcome", "profiles", "stats", "bridge", "init"),
    "table": (
        "list",
        "show",
        "init",
        "add",
        "update",
        "delete",
        "restore",
        "get",
        "history",
        "find",
        "count",
        "import",
        "export",
        "check",
        "migrate",
    ),
    "code": ("find", "symbols", "refs", "map", "status", "rebuild"),
    "instructions": (
        "show",
        "list",
        "stats",
        "refresh",
        "watch",
        "add",
        "edit",
        "trust",
        "compile",
    ),
    "task": TASK_ACTIONS,
    "bd": ("ready", "show", "create", "update", "close", "sync"),
    "intent": ("show", "anchors", "link", "unlink", "links", "check", "new"),
    "learnings": (
        "search",
        "add",
        "reindex",
        "stats",
        "critical-patterns",
        "visualize",
        "list",
        "check",
    ),
    "instincts": ("show", "add", "reinforce", "contradict", "review", "promote", "prune"),
    "guards": (
        "list",
        "show",
        "add",
        "from",
        "test",
        "approve",
        "off",
        "on",
        "remove",
        "try",
        "stats",
        "install",
    ),
    "graph": (
        "ingest",
        "query",
        "show",
        "search",
        "communities",
        "evolve",
        "seed",
        "update",
        "merge",
        "unmerge",
        "restore",
        "undo",
        "stats",
        "rebuild",
        "visualize",
    ),
    "sync": ("init", "status", "now"),
    "team": ("init", "status", "migrate", "push", "pull", "rebuild"),
    "mcp": ("serve", "tools", "config"),
    "collection": ("add", "list", "remove", "update", "status", "query", "fetch"),
}
#: What agent clients call takes no options; an event's name is all.
WITHOUT_HELP = {"hook"}


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


def command_line(words: list[str], *, cwd: str = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "satchel", *words], cwd=cwd, capture_output=True, text=True
    )


def flags_of(words: list[str]) -> set[str]:
    told = command_line([*words, "--help"])
    assert told.returncode == 0, told.stderr
    return set(re.findall(r"--[a-z][a-z-]*", told.stdout.partition("options:")[2])) - {"--help"}


def section(text: str, title: str) -> str:
    """The part of a page below a heading, up to the next of the same depth or less."""
    found = re.search(rf"^(#+) {re.escape(title)}$", text, re.MULTILINE)
    assert found, f"there is no heading {title!r}"
    rest = text[found.end() :]
    following = re.search(rf"^#{{1,{len(found[1])}}} ", rest, re.MULTILINE)
    return rest[: following.start()] if following else rest


def exit_codes() -> dict[str, int]:
    found = {}
    for name, thing in vars(errors).items():
        if isinstance(thing, type) and issubclass(thing, errors.SatchelError):
            found[name] = thing.exit_code
    return found


def settings_rows() -> list[str]:
    return [
        f"| `{s.name}` | `{str(s.default).lower() if isinstance(s.default, bool) else s.default}` "
        f"| {s.help} |"
        for s in SETTINGS
    ]


def kinds_rows() -> list[str]:
    rows = []
    for kind in KINDS.values():
        days = kind.default_days
        life = "-" if days is None else (f"{days:g} d" if days >= 1 else f"{days * 24:g} h")
        ledger = "knowledge" if kind.long_lived else kind.name
        rows.append(
            f"| `{kind.name}` | `{kind.label}` | {life} | `{ledger}` "
            f"| {'yes' if kind.shared_by_default else '-'} | {kind.help} |"
        )
    return rows


def test_architecture_names_every_folder_and_module() -> None:
    text = read("ARCHITECTURE.md")
    for name in os.listdir(PACKAGE):
        path = os.path.join(PACKAGE, name)
        if os.path.isdir(path) and name != "__pycache__":
            assert f"| `{name}/` |" in text, f"ARCHITECTURE.md has no row for {name}/"
        elif name.endswith(".py") and name != "__init__.py":
            assert f"| `{name}` |" in text, f"ARCHITECTURE.md has no row for {name}"


def test_architecture_names_nothing_that_is_gone() -> None:
    for name in re.findall(r"^\| `([a-z_]+(?:/|\.py))` \|", read("ARCHITECTURE.md"), re.MULTILINE):
        assert os.path.exists(os.path.join(PACKAGE, name)), f"{name} is not there any more"


def test_the_drawn_floors_are_those_of_the_contract() -> None:
    import tomllib

    contracts = tomllib.loads(read("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    layers = next(c["layers"] for c in contracts if c["id"] == "floors")
    drawn = section(read("ARCHITECTURE.md"), "The floors")
    drawing = drawn.split("```")[1]
    for layer in layers:
        for name in layer.split("|"):
            assert re.search(rf"(^|[\s|]){name.strip()}([\s|]|$)", drawing), name.strip()


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_and_option_is_in_the_reference(name: str) -> None:
    text = section(read("docs", "reference.md"), f"satchel {name}")
    if name in WITHOUT_HELP:
        return
    for flag in flags_of([name]) | {
        flag for action in ACTIONS.get(name, ()) for flag in flags_of([name, action])
    }:
        assert f"`{flag}" in text or f"{flag}`" in text, f"satchel {name} {flag} is not told"
    for action in ACTIONS.get(name, ()):
        assert f"`{action}" in text


def test_the_reference_names_no_option_that_is_gone() -> None:
    reference = read("docs", "reference.md")
    for name in COMMANDS:
        if name in WITHOUT_HELP:
            continue
        known = flags_of([name]) | {
            flag for action in ACTIONS.get(name, ()) for flag in flags_of([name, action])
        }
        told = set(
            re.findall(r"^\| `(--[a-z-]+)", section(reference, f"satchel {name}"), re.MULTILINE)
        )
        assert told <= known, f"satchel {name}: {told - known}"


def test_every_setting_kind_event_and_preset_is_in_the_reference() -> None:
    text = read("docs", "reference.md")
    for row in [*settings_rows(), *kinds_rows()]:
        assert row in text, f"docs/reference.md lacks or differs in: {row}"
    for event in EVENTS:
        assert f"| `{event}` |" in section(text, "satchel hook")
        assert event in read("docs", "claude-code.md")
    for preset, things in PRESETS.items():
        assert f"`{preset}`" in section(text, "Layouts")
        assert f"`{things['knowledge']}`" in section(text, "Layouts")


def test_every_exit_code_is_in_the_reference() -> None:
    text = section(read("docs", "reference.md"), "Exit codes")
    for name, code in exit_codes().items():
        assert re.search(rf"^\| {code} \|", text, re.MULTILINE), f"{name} exits {code}"
    assert "| 0 |" in text
    assert "| 130 |" in text


@pytest.mark.parametrize("page", pages())
def test_links_lead_somewhere(page: str) -> None:
    text = re.sub(r"```.*?```", "", read(page), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        if not target.startswith(("http:", "https:")):
            path = os.path.join(ROOT, os.path.dirname(page), target)
            assert os.path.exists(path), f"{page} links to {target}"


def test_promises_and_reliability_tests_are_the_same() -> None:
    text = re.sub(r"<!--.*?-->", "", read("docs", "reliability.md"), flags=re.DOTALL)
    told = set(re.findall(r"`(test_t\d\d)`", text))
    folder = os.path.join(ROOT, "tests", "reliability")
    there = {m[0] for name in os.listdir(folder) if (m := re.match(r"test_t\d\d", name))}
    assert told - there == set(), "promised without a test"
    assert there - told == set(), "tested without being told"


if __name__ == "__main__":
    print("\n".join(settings_rows()), "", "\n".join(kinds_rows()), sep="\n")
