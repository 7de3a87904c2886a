"""What every adapter of an agent client keeps: each line of the registry is taken through it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from satchel.clients import registry
from satchel.clients.contract.instructions import Directory, File, Folder, instructions_of
from satchel.clients.contract.transcripts import transcripts_of
from satchel.clients.contract.wiring import wiring_of
from satchel.clients.hook_contract import (
    canonical_event,
    client_of,
    from_client,
    hooks_of,
    to_client,
)
from satchel.clients.mcp_snippets import file_of, snippet
from satchel.clients.registry import ALIASES, CLIENTS, WHOLE, Client, client_home, named
from satchel.clients.settings_files.hook_entries import FOUND, handlers_in, is_ours
from satchel.clients.settings_files.jsonc import Document
from satchel.clients.setup.wired import PROJECT, hook_items, places_of
from satchel.clients.setup.wiring import (
    PARTS,
    WiringRequest,
    plan_unwiring,
    plan_wiring,
    wiring_status,
)
from satchel.clients.transcripts.reading import TranscriptReader, transcript_files
from satchel.features.instructions import places
from satchel.features.instructions.discovery import DiscoveryRequest, discover
from satchel.features.instructions.places import Homes
from satchel.features.instructions.scanning import DIALECTS
from satchel.storage.inbox.events import GUARDED_EVENT, HOOK_EVENTS
from unit import transcripts_made as made

EVERY = pytest.mark.parametrize("client", CLIENTS, ids=lambda one: one.name)
WITH_OWN = pytest.mark.parametrize(
    "client", [one for one in CLIENTS if not one.part_of], ids=lambda one: one.name
)
FOLDER = Path(registry.__file__).parent
#: What our hooks answer, by event.
CONTEXT = {"additionalContext": "the parser is recursive"}
DENIAL = {"permissionDecision": "deny", "permissionDecisionReason": "use pnpm"}
ANSWERS = [
    ("SessionStart", {"hookSpecificOutput": {"hookEventName": "SessionStart", **CONTEXT}}),
    ("UserPromptSubmit", {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", **CONTEXT}}),
    ("SubagentStop", {"decision": "block", "reason": "not finished"}),
    ("PreToolUse", {"hookSpecificOutput": {"hookEventName": "PreToolUse", **DENIAL}}),
    (
        "PreToolUse",
        {
            "systemMessage": "guard: w",
            "hookSpecificOutput": {"hookEventName": "PreToolUse", **CONTEXT},
        },
    ),
]


# Names


@EVERY
def test_a_client_is_one_line_and_one_folder(client: Client) -> None:
    folder = FOLDER / client.name.replace("-", "_")
    parts = {path.stem for path in folder.glob("*.py")}
    assert "wiring" in parts
    if client.part_of:
        assert client.part_of in WHOLE
        assert not parts & {"hooks", "transcripts", "instructions"}
    else:
        assert {"transcripts", "instructions"} < parts
        assert ("hooks" in parts) == (client.name != registry.CLAUDE_CODE)


@EVERY
def test_every_name_means_one_client(client: Client) -> None:
    for word in (client.name, client.alias, *client.also):
        meant = [one for one in CLIENTS if word in (one.name, one.alias, *one.also)]
        assert meant == [client]
        assert named(word) == client.name
        assert word == word.lower().strip()


def test_no_folder_of_a_client_is_left_out() -> None:
    folders = {path.parent.name for path in FOLDER.glob("*/wiring.py")} - {"contract", "setup"}
    assert folders == {client.name.replace("-", "_") for client in CLIENTS}


# Hooks


@pytest.mark.parametrize(
    ("command", "ours"),
    [
        ("satchel hook SessionStart", True),
        ("'/opt/my tools/satchel' hook SessionStart || true", True),
        ("uv run satchel hook SessionStart", True),
        ("SATCHEL_HOME=~/other satchel hook SessionStart", True),
        (f"{FOUND} hook SessionStart", True),
        ("echo mine; satchel hook SessionStart", False),
        ("./setup.sh && satchel hook SessionStart", False),
        ("cat|tee log|satchel hook SessionStart", False),
        (f"echo mine; {FOUND} hook SessionStart", False),
    ],
)
def test_an_entry_that_does_more_is_its_person_s(command: str, *, ours: bool) -> None:
    assert is_ours({"type": "command", "command": command}) is ours


@EVERY
def test_what_is_installed_for_an_event_is_understood_as_that_event(client: Client) -> None:
    wiring = wiring_of(client.name)
    installed = [*wiring.events, *([wiring.guard] if wiring.guard else [])]
    assert len({event.name for event in installed}) == len(installed)
    for event in installed:
        assert event.means in HOOK_EVENTS
        assert canonical_event(event.name) == event.means
    for (name, item), event in zip(
        hook_items(wiring, "satchel", guard=True), installed, strict=True
    ):
        assert name == event.name
        (handler,) = item.get("hooks", [item])
        assert is_ours(handler)
        words = handler["command"].split()
        assert words[1:3] == ["hook", event.means]
        assert client_of(words, {}) == (client.part_of or client.name)


@WITH_OWN
def test_no_two_clients_mean_different_events_by_one_name(client: Client) -> None:
    for name, means in hooks_of(client.name).events.items():
        assert means in HOOK_EVENTS
        assert canonical_event(name) == means


@WITH_OWN
def test_who_calls_is_known_without_being_said(client: Client) -> None:
    for mark in client.marks:
        assert client_of([], {mark: "x"}) == client.name
    assert client_of(["--client", client.name], {"conversation_id": "c"}) == client.name


@WITH_OWN
def test_fields_and_tools_of_its_own_become_the_contract_s(client: Client) -> None:
    hooks = hooks_of(client.name)
    for ours, others in hooks.fields.items():
        for other in others:
            assert from_client(client.name, {other: "x"})[ours] == "x"
            assert from_client(client.name, {other: "x", ours: "y"})[ours] == "y"
    for tool, ours in hooks.tools.items():
        assert from_client(client.name, {"tool_name": tool})["tool_name"] == ours


@WITH_OWN
@pytest.mark.parametrize(("event", "said"), ANSWERS)
def test_an_answer_is_an_object_that_says_the_same_or_nothing(
    client: Client, event: str, said: dict[str, object]
) -> None:
    text = json.dumps(said)
    for payload in ({}, {"hook_event_name": event}):
        told = to_client(client.name, event, payload, text)
        assert '"allow"' not in told
        if told:
            assert isinstance(json.loads(told), dict)
        if DENIAL["permissionDecisionReason"] in text:
            assert DENIAL["permissionDecisionReason"] in told
        if event == "SessionStart":
            assert CONTEXT["additionalContext"] in told
    assert to_client(client.name, event, {}, "") == ""


@WITH_OWN
def test_its_hooks_import_nothing_else_of_any_client(client: Client) -> None:
    program = (
        "import sys; from satchel.clients.hook_contract import hooks_of; "
        f"hooks_of({client.name!r}); print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        env={"PYTHONPATH": str(FOLDER.parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    found = set(done.stdout.split())
    ours = {name for name in found if name.startswith("satchel.clients.")}
    folder = "satchel.clients." + client.name.replace("-", "_")
    known = {"satchel.clients.registry", "satchel.clients.hook_contract"}
    assert ours - known <= {folder, folder + ".hooks"}
    assert not found & {"typing", "re", "json", "dataclasses", "collections"}


# Settings files


def wired(tmp_path: Path, client: Client, *parts: str) -> WiringRequest:
    """Ask for parts of a client and write what is planned."""
    asked = WiringRequest(
        (client.name,), parts or PARTS, PROJECT, str(tmp_path), "satchel", guard=True
    )
    write(plan_wiring(asked).changes)
    return asked


def write(changes: tuple[object, ...]) -> None:
    for change in changes:
        path, after = Path(change.path), change.after  # type: ignore[attr-defined]
        if after is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(after)


@EVERY
def test_what_is_put_in_stands_and_is_taken_out_again(client: Client, tmp_path: Path) -> None:
    asked = wired(tmp_path, client)
    assert {one.state for one in wiring_status(asked)} == {"wired"}
    assert plan_wiring(asked).changes == ()
    write(plan_unwiring(asked).changes)
    assert {one.state for one in wiring_status(asked)} == {"absent"}
    assert [path for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_size] == []


@EVERY
def test_the_guard_is_installed_where_it_is_asked_for(client: Client, tmp_path: Path) -> None:
    asked = wired(tmp_path, client, "hooks")
    path = places_of(client.name, PROJECT, str(tmp_path)).hooks
    text = Path(path).read_text("utf-8")
    assert f"hook {GUARDED_EVENT}" in text
    assert asked.guard
    if path.endswith(".json") and wiring_of(client.name).hook_plans:
        assert {event for event, _, _ in handlers_in(json.loads(text))} == set(HOOK_EVENTS)


@EVERY
def test_its_snippet_starts_the_server_and_is_what_is_installed(
    client: Client, tmp_path: Path
) -> None:
    wiring = wiring_of(client.name)
    text = snippet(client.alias, profile="default")
    told = json.loads(text) if wiring.mcp_key else tomllib.loads(text)
    server = told[wiring.mcp_key or "mcp_servers"]["satchel"]
    given = server["command"]
    started = given if isinstance(given, list) else [given, *server["args"]]
    assert started == ["satchel", "mcp"]
    assert file_of(client.alias) == wiring.mcp_file
    wired(tmp_path, client, "mcp")
    path = places_of(client.name, PROJECT, str(tmp_path)).mcp
    raw = Path(path).read_bytes()
    if wiring.mcp_key:
        assert Document(raw, path).root.value[wiring.mcp_key]["satchel"] == server
    else:
        assert tomllib.loads(raw.decode())["mcp_servers"]["satchel"]["command"] == "satchel"


# Transcripts


@WITH_OWN
def test_its_transcripts_are_found_and_read(client: Client, tmp_path: Path) -> None:
    path = tmp_path / made.PLACES[client.alias]
    path.parent.mkdir(parents=True)
    path.write_bytes(made.jsonl(made.EVERY[client.alias]))
    (found,) = transcript_files(client.alias, str(tmp_path), made.CWD)
    assert (found.client, found.path) == (client.alias, str(path))
    reader = TranscriptReader(found.path)
    turns = list(reader)
    assert reader.client == client.alias == reader.head.client
    assert made.CWD in (found.cwd, reader.head.cwd)
    assert {turn.role for turn in turns} == {"user", "assistant"}


@WITH_OWN
def test_only_its_own_reader_knows_its_records(client: Client) -> None:
    for record in made.EVERY[client.alias]:
        knowing = [one for one in ALIASES if transcripts_of(one).reader.knows(record)]
        assert knowing in ([], [client.alias])


@WITH_OWN
def test_where_it_never_ran_there_is_nothing(client: Client, tmp_path: Path) -> None:
    assert list(transcript_files(client.alias, str(tmp_path / "none"), made.CWD)) == []


# Instruction files


class Made:
    """A home and a project, both empty, and what is found in them."""

    def __init__(self, directory: Path) -> None:
        self.home, self.root = str(directory / "home"), str(directory / "project")
        os.makedirs(self.root)
        clients = {one: os.path.join(self.home, "of-" + one) for one in ALIASES}
        self.homes = Homes(self.home, self.home + "/.satchel", self.home + "/.beans", clients)

    def read_by(self, above: str, name: str) -> tuple[str, ...]:
        """Write a file; return who reads it. It must be found."""
        path = os.path.join(above, *name.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        Path(path).write_text("be brief\n", "utf-8")
        names = dict.fromkeys(one for client in ALIASES for one in instructions_of(client).reads)
        found = discover(DiscoveryRequest(self.root, self.root, self.homes, tuple(names)))
        (source,) = [one for one in found if one.path == path]
        return source.clients


@WITH_OWN
def test_its_instruction_files_are_found_and_known_as_its_own(
    client: Client, tmp_path: Path
) -> None:
    its_own, tree = instructions_of(client.alias), Made(tmp_path)
    home = tree.homes.clients[client.alias]

    def inside(one: File | Folder) -> str:
        return one.path + "/rule" + one.suffix if isinstance(one, Folder) else one.path

    below_home: list[File | Folder] = [*its_own.home_files, *its_own.home_folders]
    below_root: list[File | Folder] = [
        *its_own.top_files,
        *its_own.top_folders,
        *its_own.project_folders,
    ]
    for one in below_home:
        readers = tree.read_by(home, inside(one))
        assert readers == ((client.alias,) if not isinstance(one, File) or one.is_read else ())
    for one in below_root:
        assert client.alias in tree.read_by(tree.root, inside(one))
    for name in its_own.reads:
        assert client.alias in tree.read_by(tree.root, name)
    assert client.alias in tree.read_by(tree.root, its_own.rules.file)


@WITH_OWN
def test_what_it_says_of_instructions_is_known_here(client: Client) -> None:
    its_own = instructions_of(client.alias)
    assert its_own.dialect in DIALECTS
    assert not its_own.own or its_own.own in its_own.reads
    assert not its_own.override or its_own.override in its_own.reads
    assert not its_own.machine or its_own.own
    rules = [instructions_of(one).rules for one in ALIASES]
    assert {one for one in rules if one.target == its_own.rules.target} == {its_own.rules}


@WITH_OWN
def test_what_it_notes_is_below_its_own_directory(client: Client, tmp_path: Path) -> None:
    tree, notes = Made(tmp_path), instructions_of(client.alias).notes
    home = tree.homes.clients[client.alias]
    found: list[Directory] = notes(home, [tree.root]) if notes else []
    for directory in found:
        assert directory.path.startswith(home + os.sep)
        assert directory.template.clients == (client.alias,)
    assert places.auto_memory(tree.homes, [tree.root])


# The environment


@EVERY
def test_its_variables_are_obeyed(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for one in CLIENTS:
        for variable in filter(None, (one.home_variable, one.project_variable)):
            monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    if not client.home:
        with pytest.raises(KeyError):
            client_home(client.name)
        return
    assert client_home(client.name) == client_home(client.alias) == str(tmp_path / client.home)
    if client.home_variable:
        monkeypatch.setenv(client.home_variable, str(tmp_path / "moved"))
        assert client_home(client.name) == str(tmp_path / "moved")
    if client.project_variable:
        monkeypatch.setenv(client.project_variable, str(tmp_path))
        assert registry.working_directory() == str(tmp_path)
        assert registry.working_directory(os.getcwd()) == os.getcwd()
