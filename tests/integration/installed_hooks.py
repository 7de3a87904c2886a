"""A place with awkward names, settings that a person wrote, and hooks installed into them."""

import json
from pathlib import Path
from typing import Any

from satchel.clients.claude_code.wiring import plan_claude_code
from satchel.clients.settings_files.plan import apply

USERS = """{
  "permissions": { "allow": ["Bash(ls:*)", "Read"] },
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [{ "type": "command", "command": "./mine.sh" }]
      }
    ],
    "SessionStart": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "bd prime --hook-json"
          }
        ]
      }
    ]
  },
  "model": "caf\u00e9",
  "ratio": 1.50
}
"""


def made_root(tmp_path: Path) -> Path:
    place = tmp_path / "my project"
    place.mkdir()
    return place


def made_command(root: Path) -> str:
    """A real program whose path a careless shell line would break into pieces."""
    program = root / "bin dir" / "it's $HOME" / "satchel"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\nprintf "%s|" "$@" > "$OUT"\ncat >> "$OUT"\n')
    program.chmod(0o755)
    return str(program)


def journal(root: Path) -> str:
    return str(root / "state" / "journal.json")


def write(root: Path, content: str | bytes, name: str = "settings.json") -> Path:
    path = root / ".claude" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def install(root: Path, command: str, **more: Any) -> Path:
    apply(plan_claude_code(str(root), command, **more), journal(root))
    return root / ".claude" / "settings.json"


def commands_in(path: Path) -> list[str]:
    hooks = json.loads(path.read_bytes().removeprefix(b"\xef\xbb\xbf"))["hooks"]
    return [one["command"] for groups in hooks.values() for g in groups for one in g["hooks"]]
