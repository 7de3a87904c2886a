"""Replays one recorded session of Claude Code through the hooks that `satchel init` wrote.

The transcript grows beside the hooks as the client writes it: what a hook answers comes before the
record that it is about. Every record gets the time at which it is written, as there is one clock.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from satchel.clients.transcript_format.project_key import project_key

COMMAND = os.path.join(os.path.dirname(sys.executable), "satchel")
#: Turns that the client made, or that never reached the agent as a prompt.
_NO_PROMPT = (
    "<command-",
    "<local-command-",
    "<bash-",
    "<task-notification",
    "<system-reminder",
    "[Request interrupted",
    "Operation stopped by hook",
    "Caveat:",
)
_REFUSED = "The user doesn't want to proceed with this tool use"
_SAID = re.compile(r"the user said:\s*(.*)", re.DOTALL)
_SUBREAPER = 36  # prctl: processes whose parent has gone become ours
#: Seconds after which a hook has given up, or nearly.
_SLOW = 1.6
_AGENTS = ("Task", "Agent")


class Moment(NamedTuple):
    """Something of a session, in its order: a person's words, a call, or what Satchel told."""

    what: str
    text: str
    items: tuple[dict[str, Any], ...] = ()


class Recorded(NamedTuple):
    """A recorded session: its id, the day it began, where it worked, its records."""

    session: str
    began: str
    cwds: tuple[str, ...]
    records: tuple[dict[str, Any], ...]


def recorded(path: Path) -> Recorded:
    """Read a transcript of Claude Code; `SystemExit` for any other file."""
    records = []
    for line in path.read_text("utf-8", "replace").splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue  # a line that a crash tore; the client skips it as well
        if isinstance(record, dict):
            records.append(record)
    said = [one for one in records if one.get("type") in ("user", "assistant")]
    times = [one["timestamp"] for one in said if isinstance(one.get("timestamp"), str)]
    if not times or not any(isinstance(one.get("message"), dict) for one in said):
        raise SystemExit(f"{path}: not a transcript of Claude Code; only those can be replayed.")
    session = next((one["sessionId"] for one in said if one.get("sessionId")), path.stem)
    cwds = dict.fromkeys(one["cwd"] for one in said if isinstance(one.get("cwd"), str))
    return Recorded(session, min(times), tuple(cwds), tuple(records))


class Machine:
    """A home and a repository of nobody's, with the installed command wired as a person does.

    Args:
        folder: an empty directory for both.
    """

    def __init__(self, folder: str) -> None:
        folder = os.path.realpath(folder)
        self.home, self.root = os.path.join(folder, "home"), os.path.join(folder, "app")
        self.slow, self.at = 0, 0.0
        self.environment = {
            "HOME": self.home,
            "PATH": f"{os.path.dirname(COMMAND)}:/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
        }
        if ctypes.CDLL(None, use_errno=True).prctl(_SUBREAPER, 1, 0, 0, 0):
            raise SystemExit("This replay waits for background processes, which needs Linux.")
        for path in (self.home, self.root):
            os.makedirs(path)
        Path(self.root, "CLAUDE.md").write_text("# Rules\n", "utf-8")
        git = ["git", "-C", self.root]
        for words in (
            ["init", "-q"],
            ["config", "user.email", "a@example.org"],
            ["config", "user.name", "A"],
        ):
            subprocess.run([*git, *words], check=True)
        self.satchel("init", "--yes")
        subprocess.run([*git, "add", "--all"], check=True)
        subprocess.run([*git, "commit", "-q", "-m", "first"], check=True)

    def satchel(self, *words: str) -> Any:
        """Run a command and what it starts to its end; return its JSON if that was asked for."""
        done = subprocess.run(
            [COMMAND, *words],
            cwd=self.root,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        settle()
        if done.returncode:
            raise SystemExit(f"satchel {' '.join(words)}: {done.stderr or done.stdout}")
        return json.loads(done.stdout) if "--json" in words else done.stdout

    def hook(self, event: str, about: str, payload: dict[str, Any]) -> str:
        """Run what the settings name for an event, as the client does; return what is injected."""
        settings = json.loads(Path(self.root, ".claude", "settings.json").read_text("utf-8"))
        told = []
        for group in settings["hooks"].get(event, []):
            if not re.fullmatch(group.get("matcher") or ".*", about):
                continue
            for handler in group["hooks"]:
                answer = self._run_hook(handler["command"], payload)
                told.append((answer.get("hookSpecificOutput") or {}).get("additionalContext", ""))
        return "\n".join(text for text in told if text)

    def _run_hook(self, command: str, payload: dict[str, Any]) -> dict[str, Any]:
        begun = time.monotonic()
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=self.root,
            input=json.dumps(payload).encode(),
            capture_output=True,
            check=False,
            env={**self.environment, "CLAUDE_PROJECT_DIR": self.root},
        )
        self.slow += time.monotonic() - begun > _SLOW
        settle()
        if done.returncode or done.stderr:
            raise SystemExit(f"{command}: {done.returncode} {done.stderr!r}")
        answer = json.loads(done.stdout) if done.stdout.strip() else {}
        return answer if isinstance(answer, dict) else {}

    def time_passes(self, moment: float) -> None:
        """Let locks look as old as they were at a recorded moment: some work runs once an hour."""
        passed, self.at = max(0.0, moment - (self.at or moment)), max(moment, self.at)
        for path in Path(self.home).rglob("*.lock"):
            old = path.stat().st_mtime - passed
            os.utime(path, (old, old))


def settle() -> None:
    """Wait until no process that hooks started in the background runs."""
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


class Replay:
    """One session, being replayed.

    Args:
        machine: where.
        source: what was recorded.
    """

    def __init__(self, machine: Machine, source: Recorded) -> None:
        self.machine, self.source = machine, source
        key = project_key(machine.root)
        self.path = os.path.join(
            machine.home, ".claude", "projects", key, f"{source.session}.jsonl"
        )
        self.moments: list[Moment] = []
        self.prompts = 0
        self._calls: dict[str, dict[str, Any]] = {}
        self._seen: set[str] = set()
        self._at = 0.0

    def run(self) -> list[Moment]:
        """Replay all of it; return what happened, in order."""
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        self.machine.time_passes(_seconds(self.source.began))
        self._hook("SessionStart", "startup", source="startup")
        with open(self.path, "a", encoding="utf-8") as file:
            for record in self._here():
                self._at = max(self._at, _seconds(record.get("timestamp")))
                self._before(record)
                now = datetime.now(UTC).isoformat(timespec="milliseconds")
                stamped = record | ({"timestamp": now} if "timestamp" in record else {})
                file.write(json.dumps(stamped, ensure_ascii=False) + "\n")
                file.flush()
        self.machine.time_passes(self._at)
        self._hook("SessionEnd", "other", reason="other")
        return self.moments

    def _here(self) -> Iterator[dict[str, Any]]:
        """Records as if the session had been in this repository."""
        for record in self.source.records:
            text = json.dumps(record, ensure_ascii=False)
            for cwd in sorted(self.source.cwds, key=len):
                text = text.replace(cwd, self.machine.root)
            yield json.loads(text)

    def _before(self, record: dict[str, Any]) -> None:
        """Call the hooks that the client calls before it writes a record."""
        if record.get("subtype") == "compact_boundary":
            self.machine.time_passes(self._at)
            trigger = (record.get("compactMetadata") or {}).get("trigger", "auto")
            self._hook("PreCompact", trigger, trigger=trigger, custom_instructions="")
            self._hook("SessionStart", "compact", source="compact")
        if record.get("type") == "queue-operation" and record.get("operation") == "enqueue":
            self._person(record.get("content"), typed=False)
        message = record.get("message")
        aside = ("isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly")
        if not isinstance(message, dict) or any(record.get(name) for name in aside):
            return
        content = message.get("content")
        if record["type"] == "user" and isinstance(content, str):
            self._person(content)
        for block in content if isinstance(content, list) else ():
            kind = block.get("type")
            if kind == "text" and record["type"] == "user":
                self._person(block["text"])
            elif kind == "tool_use":
                self._call(block)
            elif kind == "tool_result":
                self._result(block, record.get("toolUseResult"))

    def _person(self, text: Any, *, typed: bool = True) -> None:
        if not isinstance(text, str) or not text.strip() or text.lstrip().startswith(_NO_PROMPT):
            return
        self.moments.append(Moment("person", text))
        if typed:
            self.prompts += 1
            self._hook("UserPromptSubmit", "", prompt=text)

    def _call(self, block: dict[str, Any]) -> None:
        asked = block.get("input")
        given: dict[str, Any] = asked if isinstance(asked, dict) else {}
        self._calls[block["id"]] = {
            "tool_name": block["name"],
            "tool_input": given,
            "tool_use_id": block["id"],
        }
        self._hook("PreToolUse", block["name"], **self._calls[block["id"]])
        texts = [v for k, v in given.items() if isinstance(v, str) and k != "content"]
        self.moments.append(Moment("call", "\n".join(texts)))
        if block["name"] in _AGENTS:
            kind = str(given.get("subagent_type", "general-purpose"))
            self._hook("SubagentStart", kind, agent_id=block["id"], agent_type=kind)

    def _result(self, block: dict[str, Any], response: Any) -> None:
        call = self._calls.get(block.get("tool_use_id", ""))
        if call is None:
            return
        text = _text_of(block.get("content"))
        if block.get("is_error") and text.startswith(_REFUSED):
            said = _SAID.search(text)
            if said and said[1].strip():
                self.moments.append(Moment("refusal", said[1].strip()))
        elif block.get("is_error"):
            if not text.startswith("<tool_use_error>"):  # such a call never ran
                event = "PostToolUseFailure"
                self._hook(event, call["tool_name"], **call, error=text, is_interrupt=False)
        else:
            if call["tool_name"] in _AGENTS:
                kind = str(call["tool_input"].get("subagent_type", "general-purpose"))
                self._hook(
                    "SubagentStop",
                    kind,
                    agent_id=call["tool_use_id"],
                    agent_type=kind,
                    stop_hook_active=False,
                    last_assistant_message=text,
                )
            self._hook("PostToolUse", call["tool_name"], **call, tool_response=response or text)

    def _hook(self, event: str, about: str, **payload: Any) -> None:
        session = self.source.session
        given = {
            "session_id": session,
            "transcript_path": self.path,
            "cwd": self.machine.root,
            "permission_mode": "default",
            "hook_event_name": event,
            **payload,
        }
        told = self.machine.hook(event, about, given)
        if not told:
            return
        # Paths differ between machines; what is counted must not.
        told = told.replace(COMMAND, "satchel").replace(self.machine.root, "/app")
        items = []
        if session in self.machine.satchel("why-injected", "--json"):
            for injection in self.machine.satchel("why-injected", session, "--json"):
                if injection["id"] not in self._seen:
                    self._seen.add(injection["id"])
                    items += injection["items"]
        self.moments.append(Moment("told", told, tuple(items)))


def _seconds(timestamp: Any) -> float:
    try:
        return datetime.fromisoformat(timestamp).timestamp()
    except (TypeError, ValueError):
        return 0.0


def _text_of(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(str(one.get("text", "")) for one in content if isinstance(one, dict))
    return content if isinstance(content, str) else ""
