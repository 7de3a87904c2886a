"""Documentation says what is there: folders, commands, settings, promises."""

from __future__ import annotations

import os
import re

import pytest

import reference_pages
from command_lines import WITHOUT_PARSER
from doc_blocks import ROOT, pages, read
from reference_pages import parts_of, renewed
from satchel.core import errors
from satchel.interfaces.cli.commands import COMMANDS
from satchel.interfaces.mcp.profiles import PROFILES
from satchel.storage.inbox.events import HOOK_EVENTS as EVENTS
from satchel.storage.settings.table import SETTINGS
from satchel.storage.tracked_files import PRESETS

PACKAGE = os.path.join(ROOT, "src", "satchel")


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


def test_the_drawn_floors_are_the_folders_and_those_of_the_contract() -> None:
    import tomllib

    contracts = tomllib.loads(read("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    layers = next(c["layers"] for c in contracts if c["id"] == "floors")
    wanted = [layer.replace(" ", "") for layer in layers]
    drawing = section(read("ARCHITECTURE.md"), "The floors").split("```")[1]
    first = [re.match(r"  ([a-z_]+(?: \| [a-z_]+)*)  ", line) for line in drawing.splitlines()]
    drawn = [match[1].replace(" ", "") for match in first if match]
    assert drawn == ["__main__", *wanted]
    there = {
        name.removesuffix(".py")
        for name in os.listdir(PACKAGE)
        if name.endswith(".py") or os.path.isfile(os.path.join(PACKAGE, name, "__init__.py"))
    }
    assert {one for row in drawn for one in row.split("|")} == there - {"__init__"}


def test_architecture_names_nothing_that_is_gone() -> None:
    places = re.findall(r"`([a-z_]+/[a-z_/]*(?:\.py)?)`", read("ARCHITECTURE.md"))
    assert len(places) > 30
    for name in places:
        there = [os.path.join(base, name) for base in (PACKAGE, ROOT)]
        assert any(map(os.path.exists, there)), f"{name} is not there any more"


def test_architecture_fits_two_screens() -> None:
    assert len(read("ARCHITECTURE.md").splitlines()) <= 110


def test_the_reference_is_as_the_code_is() -> None:
    """`make reference` would write nothing."""
    stale = [path for path, text in reference_pages.pages().items() if renewed(text) != text]
    assert stale == []


def test_a_reference_that_drifts_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeded bugs: a setting less, another option, tool, route, hook, kind, error."""
    pages = {os.path.basename(path): text for path, text in reference_pages.pages().items()}
    monkeypatch.setattr(reference_pages, "SETTINGS", SETTINGS[1:])
    assert renewed(pages["settings.md"]) != pages["settings.md"]
    assert renewed(pages["files.md"]) == pages["files.md"]
    for page, old in (
        ("commands.md", "`--explain`"),
        ("mcp.md", "### recall"),
        ("rest.md", "`/api/projects`"),
        ("hooks.md", "`BeforeAgent`"),
        ("files.md", "`NEXT`"),
        ("reference.md", "`BusyError`"),
    ):
        assert old in pages[page]
        wrong = pages[page].replace(old, "`other`")
        assert renewed(wrong) == pages[page], page


def test_every_command_and_profile_has_its_part() -> None:
    parts = {name for text in reference_pages.pages().values() for name in parts_of(text)}
    told = {f"command {name}" for name in COMMANDS if name not in WITHOUT_PARSER}
    told |= {f"tools {name}" for name in PROFILES if name != "full"}
    assert told <= parts
    assert {name.split()[0] for name in parts} == set(reference_pages.PARTS)
    for name in COMMANDS:
        assert section(read("docs", "reference", "commands.md"), f"satchel {name}").strip()


def test_every_event_and_preset_is_in_the_reference() -> None:
    for event in EVENTS:
        assert f"| `{event}` |" in section(read("docs", "reference", "hooks.md"), "Hooks")
        assert event in read("docs", "claude-code.md")
    layouts = section(read("docs", "reference", "files.md"), "Layouts")
    for preset, things in PRESETS.items():
        assert f"`{preset}`" in layouts
        assert f"`{things['knowledge']}`" in layouts


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
