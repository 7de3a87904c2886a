"""Claude Code: its files, and hook entries in `.claude/settings.json`."""

import json
import os
import shutil
from collections.abc import Sequence
from typing import Any

from satchel.clients.contract.wiring import HookPlans, Places, Wiring
from satchel.clients.registry import client_home
from satchel.clients.settings_files.hook_entries import (
    EVENTS,
    FOUND,
    NOT_FOUND,
    command_of,
    found_command,
    handlers_in,
    is_ours,
    shell_program,
    shell_words,
    without,
)
from satchel.clients.settings_files.kept_by_client import member_in
from satchel.clients.settings_files.plan import FileChange, Plan, read_or_none
from satchel.clients.settings_files.settings_text import parse_settings, with_hooks_set
from satchel.core.errors import ConflictError, SatchelError
from satchel.storage.inbox.events import GUARDED_EVENT, HOOK_EVENTS

#: Beads memory's hook scripts, which Satchel can replace.
BEADS_SCRIPTS = (
    "memory-capture.sh",
    "validate-completion.sh",
    "log-dispatch-prompt.sh",
    "session-start.sh",
)
_MATCHERS = {
    "SessionStart": "startup|resume|clear|compact|fork",
    "PostToolUse": "Bash|Agent|Task",
    "PostToolUseFailure": "Bash",
    GUARDED_EVENT: "Bash|Edit|Write|MultiEdit|NotebookEdit|Read|WebFetch|WebSearch|mcp__.*",
}
_TIMEOUTS = {"UserPromptSubmit": 5, "SessionEnd": 5, GUARDED_EVENT: 5}
_USUAL_TIMEOUT = 10
_GATE_TIMEOUT = 30


def settings_path(root: str) -> str:
    """Return the path of the shared settings."""
    return os.path.join(root, ".claude", "settings.json")


def plan_claude_code(
    root: str, command: str, *, events: Sequence[str] = EVENTS, gate: bool = False
) -> Plan:
    """Plan our hook entries, leaving all other settings unchanged.

    With `gate`, the end of a subagent is also checked, and may be refused.

    Raises:
        ConflictError: the settings cannot be changed safely.
    """
    path = settings_path(root)
    before = read_or_none(path)
    settings = parse_settings(before or b"", path)
    merged = merged_settings(settings, path, shell_program(command, root), events=events, gate=gate)
    return settings_plan(path, before, settings, merged, "hooks for Claude Code")


def plan_guard_hook(root: str, command: str) -> Plan:
    """Plan our hook before tools, leaving our other entries unchanged.

    Raises:
        ConflictError: the settings cannot be changed safely.
    """
    path = settings_path(root)
    before = read_or_none(path)
    settings = parse_settings(before or b"", path)
    program = shell_program(command, root)
    ours = [(e, command_of(h)) for e, _, h in handlers_in(settings) if is_ours(h, program)]
    events = dict.fromkeys([*(event for event, _ in ours if event in EVENTS), GUARDED_EVENT])
    gate = any(line.endswith("--gate") for _, line in ours)
    merged = merged_settings(settings, path, program, events=list(events), gate=gate)
    return settings_plan(path, before, settings, merged, "guards before tools of Claude Code")


def is_guarding(settings: dict[str, Any], program: str = "") -> bool:
    """Return whether the entries include our hook before tools, which guards need."""
    return any(
        event == GUARDED_EVENT and is_ours(handler, program)
        for event, _, handler in handlers_in(settings)
    )


def _settings_files(root: str) -> list[str]:
    """Return the files whose hooks run in a project: its own, and the user's."""
    own = [os.path.join(root, ".claude", name) for name in ("settings.json", "settings.local.json")]
    return [*own, os.path.join(client_home("claude"), "settings.json")]


def has_guard_hook(root: str) -> bool:
    """Return whether the hook before tools is installed; false if unreadable."""
    for path in _settings_files(root):
        try:
            if is_guarding(parse_settings(read_or_none(path) or b"", path)):
                return True
        except SatchelError:
            continue
    return False


def settings_plan(
    path: str, before: bytes | None, settings: dict[str, Any], wanted: dict[str, Any], why: str
) -> Plan:
    """Plan the change from `settings` to `wanted`, which differ only in hooks."""
    notes = []
    if settings.get("disableAllHooks") is True:
        notes.append(f"{path} has disableAllHooks: true, so no hook will run")
    if os.path.islink(path) or os.path.islink(os.path.dirname(path)):
        notes.append(f"{path} leads to {os.path.realpath(path)}, which is what changes")
    same = _text(settings.get("hooks")) == _text(wanted.get("hooks"))
    if same and before is not None:
        return Plan((), tuple(notes))
    after = with_hooks_set(before or b"", path, wanted.get("hooks"))
    if after == before:
        return Plan((), tuple(notes))
    return Plan((FileChange(path, before, after, why),), tuple(notes))


def merged_settings(
    settings: dict[str, Any], path: str, program: str, *, events: Sequence[str], gate: bool
) -> dict[str, Any]:
    """Return the settings with our entries, one per event, replacing older ones."""
    unknown = [event for event in events if event not in HOOK_EVENTS]
    if unknown:
        raise ConflictError(f"Satchel has no hook for {', '.join(unknown)}")
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict):
        raise ConflictError(f'{path}: "hooks" is not an object', hint="see it with --print")
    for event in events:
        if not isinstance(hooks.get(event, []), list):
            raise ConflictError(f"{path}: hooks.{event} is not a list", hint="see it with --print")
    if is_guarding(settings, program) and GUARDED_EVENT not in events:
        events = (*events, GUARDED_EVENT)
    wanted = {event: _group(program, event, gate=gate) for event in events}
    places = {event: _place(hooks.get(event, []), program) for event in events}
    theirs = without(settings, lambda one: is_ours(one, program))
    result = {**settings, "hooks": {}}
    left = theirs.get("hooks", {})
    for event in [*hooks, *(event for event in events if event not in hooks)]:
        groups = left.get(event, [])
        if event in wanted:
            groups = list(groups)
            groups.insert(min(places[event], len(groups)), wanted[event])
        if groups or (event not in wanted and not hooks[event]):
            result["hooks"][event] = groups
    return result


def remove_entries(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings without Satchel's hook entries."""
    return without(settings, is_ours)


def render_print(root: str, command: str) -> str:
    """Return the entries as JSON, for manual installation in `root`."""
    program = shell_program(command, root)
    entries = {event: [_group(program, event, gate=False)] for event in EVENTS}
    return json.dumps({"hooks": entries}, indent=2, ensure_ascii=False) + "\n"


def check_claude_code(root: str) -> list[str]:
    """Return what keeps the hooks from working, if anything."""
    findings: list[str] = []
    found: list[tuple[str, Any]] = []
    for path in _settings_files(root):
        try:
            raw = read_or_none(path)
            settings = parse_settings(raw or b"", path)
        except SatchelError as error:
            findings.append(str(error))
            continue
        if settings.get("disableAllHooks") is True:
            findings.append(f"{path}: disableAllHooks is true, so no hook runs")
        found += [(event, one) for event, _, one in handlers_in(settings)]
    ours = [(event, one) for event, one in found if is_ours(one)]
    missing = [event for event in EVENTS if event not in {event for event, _ in ours}]
    if len(missing) == len(EVENTS):
        findings.append("no hook of Satchel is installed for Claude Code")
    else:
        findings += [f"the {event} hook is missing" for event in missing]
    findings += _twice(ours)
    for command in dict.fromkeys(command_of(one) for _, one in ours):
        findings += program_findings(root, command)
    findings += _beads_memory_findings([command_of(one) for _, one in found])
    return list(dict.fromkeys(findings))


def runs_script(command: str, name: str) -> bool:
    """Return whether a hook's command runs the script `name` of beads memory."""
    return any(word.rsplit("/", 1)[-1] == name for word in shell_words(command))


#: Events that nobody waits for: their hooks' answers arrive with the next turn.
_IN_BACKGROUND = ("PostToolUse",)


def _group(program: str, event: str, *, gate: bool) -> dict[str, Any]:
    gated = gate and event == "SubagentStop"
    handler: dict[str, Any] = {
        "type": "command",
        "command": f"{program} hook {event}{' --gate' if gated else ''}",
        "timeout": _GATE_TIMEOUT if gated else _TIMEOUTS.get(event, _USUAL_TIMEOUT),
    }
    if event in _IN_BACKGROUND:
        handler["async"] = True
    matcher = {"matcher": _MATCHERS[event]} if event in _MATCHERS else {}
    return {**matcher, "hooks": [handler]}


def _place(groups: list[Any], program: str) -> int:
    """Return our group's position, not counting our own entries; the end if absent."""
    for at, group in enumerate(groups):
        entries = group.get("hooks") if isinstance(group, dict) else None
        if isinstance(entries, list) and any(is_ours(one, program) for one in entries):
            return at if len(entries) == sum(is_ours(one, program) for one in entries) else at + 1
    return len(groups)


def _text(value: Any) -> str:
    return json.dumps(value)  # unlike ==, compares order, and 1 with true


def _twice(ours: list[tuple[str, Any]]) -> list[str]:
    commands: dict[str, set[str]] = {}
    for event, one in ours:
        commands.setdefault(event, set()).add(command_of(one))
    return [
        f"the {event} hook is installed {len(different)} times, with different commands"
        for event, different in commands.items()
        if len(different) > 1
    ]


def program_findings(root: str, command: str) -> list[str]:
    """Return what keeps a hook's program from running."""
    if command.startswith(FOUND):
        return [] if found_command() else [f"{NOT_FOUND}: its hooks do nothing"]
    words = shell_words(command.replace("${CLAUDE_PROJECT_DIR}", "$CLAUDE_PROJECT_DIR"))
    program = words[0] if words else ""
    if not command.startswith("'"):
        program = program.replace("$CLAUDE_PROJECT_DIR", root)
        if "$" in program or "=" in program:
            return []  # only the shell will know
    if not os.path.isabs(program):
        if shutil.which(program) is None:
            return [f"{program} is not found; hooks run without your shell's start-up files"]
        return []
    if not os.path.exists(program):
        return [f"{program} does not exist: its hooks do nothing"]
    if not os.path.isfile(program) or not os.access(program, os.X_OK):
        return [f"{program} is not executable: its hooks do nothing"]
    return []


def _beads_memory_findings(commands: list[str]) -> list[str]:
    active = [
        name for name in BEADS_SCRIPTS if any(runs_script(command, name) for command in commands)
    ]
    return [
        f"the script {name} runs beside Satchel's hooks and does the same work" for name in active
    ]


def _put_in(path: str, root: str, command: str, guard: bool) -> Plan:  # noqa: FBT001 -- the contract's
    """Plan our entries, in the user's settings as in a repository's."""
    before = read_or_none(path)
    settings = parse_settings(before or b"", path)
    gate = any(is_ours(h) and "--gate" in h["command"] for _, _, h in handlers_in(settings))
    program = shell_program(command, root)
    events = (*EVENTS, GUARDED_EVENT) if guard else EVENTS
    merged = merged_settings(settings, path, program, events=events, gate=gate)
    return settings_plan(path, before, settings, merged, "hooks for Claude Code")


def _take_out(raw: bytes, path: str) -> bytes | None:
    settings = parse_settings(raw, path)
    left = remove_entries(settings)
    if left == settings:
        return raw
    return with_hooks_set(raw, path, left.get("hooks")) if left else None


def _at_home(home: str) -> Places:
    usual = home == os.path.join(os.path.expanduser("~"), ".claude")
    state = os.path.join(os.path.dirname(home) if usual else home, ".claude.json")
    return Places(os.path.join(home, "settings.json"), state, os.path.join(home, "skills"))


def _trusts(home: str, root: str) -> bool | None:
    answer = member_in(_at_home(home).mcp, "projects", root, "hasTrustDialogAccepted")
    return answer if isinstance(answer, bool) else None


WIRING = Wiring(
    "Claude Code",
    tool_dir=".claude",
    signs=(".claude", "CLAUDE.md", "CLAUDE.local.md"),
    in_project=Places(".claude/settings.json", ".mcp.json", ".claude/skills"),
    at_home=_at_home,
    mcp_file=(
        ".mcp.json at the top of the repository (or `claude mcp add satchel -- satchel mcp`)"
    ),
    mcp_key="mcpServers",
    hook_plans=HookPlans(_put_in, _take_out),
    next_step="start `claude` here once and trust the folder (its default answer is No)",
    server_step=(
        "start `claude` once in this folder, trust it, and allow the MCP server: "
        "the default answers are No"
    ),
    trusts=_trusts,
)
