"""Claude Code: its files, and hook entries in `.claude/settings.json`."""

import json
import os
import shutil
from collections.abc import Callable, Sequence
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
from satchel.clients.settings_files.plan import FileChange, Plan, notes_on_link, read_or_none
from satchel.clients.settings_files.settings_text import parse_settings, with_hooks_set
from satchel.core.errors import ConflictError, SatchelError
from satchel.storage.inbox.events import GUARDED_EVENT

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
_WHY, _SEE = "hooks for Claude Code", "see it with --print"


def settings_path(root: str) -> str:
    """Return the path of the shared settings."""
    return os.path.join(root, ".claude", "settings.json")


class ClaudeSettings:
    """A settings file of Claude Code, and the plans of our entries in it.

    Args:
        root: what a relative `command` is below.

    Raises:
        ConflictError: the settings cannot be changed safely.
    """

    def __init__(self, path: str, root: str, command: str) -> None:
        self.path, self._before = path, read_or_none(path)
        self.settings = parse_settings(self._before or b"", path)
        self._program = shell_program(command, root)

    def ours(self) -> list[tuple[str, str]]:
        """Return our entries: event and command."""
        found = handlers_in(self.settings)
        return [(e, command_of(one)) for e, _, one in found if is_ours(one, self._program)]

    def is_gated(self) -> bool:
        """Return whether the end of a subagent is also checked, and may be refused."""
        return any("--gate" in command for _, command in self.ours())

    def plan(
        self,
        why: str,
        events: Sequence[str] = EVENTS,
        *,
        gate: bool = False,
        theirs: Callable[[Any], bool] | None = None,
    ) -> Plan:
        """Plan our entries, one per event, leaving everything else but `theirs` unchanged.

        Our entries for other events are removed, except those of guards.
        """
        before = without(self.settings, theirs) if theirs else self.settings
        wanted = self._merged(before, events, gate=gate)
        notes = notes_on_link(self.path)
        if self.settings.get("disableAllHooks") is True:
            notes.insert(0, f"{self.path} has disableAllHooks: true, so no hook will run")
        if _text(self.settings.get("hooks")) == _text(wanted) and self._before is not None:
            return Plan((), tuple(notes))
        after = with_hooks_set(self._before or b"", self.path, wanted)
        changes = (FileChange(self.path, self._before, after, why),)
        return Plan(changes if after != self._before else (), tuple(notes))

    def _merged(
        self, settings: dict[str, Any], events: Sequence[str], *, gate: bool
    ) -> dict[str, Any]:
        hooks, program = settings.get("hooks", {}), self._program
        if not isinstance(hooks, dict):
            raise ConflictError(f'{self.path}: "hooks" is not an object', hint=_SEE)
        for event in events:
            if not isinstance(hooks.get(event, []), list):
                raise ConflictError(f"{self.path}: hooks.{event} is not a list", hint=_SEE)
        if is_guarding(settings, program) and GUARDED_EVENT not in events:
            events = (*events, GUARDED_EVENT)
        left = without(settings, lambda one: is_ours(one, program)).get("hooks", {})
        merged: dict[str, Any] = {}
        for event in dict.fromkeys([*hooks, *events]):
            groups = left.get(event, [])
            if event in events:
                place = _place(hooks.get(event, []), program)
                groups = [*groups[:place], _group(program, event, gate=gate), *groups[place:]]
            if groups or not hooks.get(event, True):
                merged[event] = groups
        return merged


def plan_claude_code(
    root: str, command: str, *, events: Sequence[str] = EVENTS, gate: bool = False
) -> Plan:
    """Plan our hook entries in a repository; with `gate`, its subagents' ends are checked, too."""
    return ClaudeSettings(settings_path(root), root, command).plan(_WHY, events, gate=gate)


def plan_guard_hook(root: str, command: str) -> Plan:
    """Plan our hook before tools, leaving our other entries unchanged."""
    file = ClaudeSettings(settings_path(root), root, command)
    events = dict.fromkeys([*(event for event, _ in file.ours() if event in EVENTS), GUARDED_EVENT])
    return file.plan("guards before tools of Claude Code", list(events), gate=file.is_gated())


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
    file = ClaudeSettings(path, root, command)
    return file.plan(_WHY, (*EVENTS, *([GUARDED_EVENT] if guard else [])), gate=file.is_gated())


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
    hook_plans=HookPlans(_put_in),
    next_step="start `claude` here once and trust the folder (its default answer is No)",
    server_step=(
        "start `claude` once in this folder, trust it, and allow the MCP server: "
        "the default answers are No"
    ),
    trusts=_trusts,
)
