"""Skills: written once as templates, deployed for each client with a mark of whose they are."""

import os
import re

from satchel.core.hashing import digest

NAMES = ("reflect", "research", "prime", "instincts", "memory", "compound-docs")
CURRENT, STALE, EDITED, FOREIGN = "current", "stale", "edited", "foreign"
_HASH = re.compile(r'^(  satchel-hash: ")([0-9a-f]{16}|\{\{HASH\}\})("\r?)$', re.MULTILINE)
_OWNER = re.compile(r"^  managed-by: satchel\r?$", re.MULTILINE)


def template(name: str) -> str:
    """Return the source of a skill."""
    path = os.path.join(os.path.dirname(__file__), "skills", name, "SKILL.md")
    with open(path, encoding="utf-8") as file:
        return file.read()


def rendered(name: str, tool_dir: str) -> bytes:
    """Return a skill as one client gets it.

    Args:
        name: of the skill.
        tool_dir: the client's directory, such as `.claude`.
    """
    text = template(name).replace("{{HOME_TOOL_DIR}}", "~/" + tool_dir)
    text = text.replace("{{TOOL_DIR}}", tool_dir)
    return text.replace("{{HASH}}", _digest(text)).encode()


def state_of(raw: bytes, wanted: bytes = b"") -> str:
    """Say what a deployed file is: current, stale, edited by hand, or not ours at all."""
    if wanted and raw == wanted:
        return CURRENT
    text = raw.decode("utf-8", "replace")
    head = text.split("\n---", 1)[0]
    mark = _HASH.search(head)
    if mark is None or not _OWNER.search(head):
        return FOREIGN
    blank = text[: mark.start()] + mark[1] + "{{HASH}}" + mark[3] + text[mark.end() :]
    return STALE if _digest(blank) == mark[2] else EDITED


def _digest(text: str) -> str:
    return digest(text.encode()).hex()[:16]
