"""Skills: templates deployed for each client, with a mark that identifies ours.

The user's own are in a folder of theirs, as `NAME/SKILL.md` with accompanying files, and are
deployed in the same way. Such a skill's mark lists the accompanying files, each with its hash.
"""

import os
import re
from typing import NamedTuple

from satchel.core.hashing import digest

NAMES = ("reflect", "research", "prime", "instincts", "memory", "compound-docs")
CURRENT, STALE, EDITED, FOREIGN = "current", "stale", "edited", "foreign"
_HASH = re.compile(r'^(  satchel-hash: ")([0-9a-f]{16}|\{\{HASH\}\})("\r?)$', re.MULTILINE)
_LARGEST = 256 * 1024
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_HEAD = re.compile(r"\A---\n(.*?)^---$", re.DOTALL | re.MULTILINE)
_METADATA = re.compile(r"^metadata:[ \t]*\n", re.MULTILINE)
_MARK = '  managed-by: satchel\n  satchel-hash: "{{HASH}}"\n'
_FILES = re.compile(r'^  satchel-files: "([^"]*)"\r?$', re.MULTILINE)
#: Valid names of files beside SKILL.md, so that the mark can list them, and the most files.
_FILE_NAME = re.compile(r'[^"\\;\x00-\x1f]+')
_MOST_FILES = 200
_LEFT_OUT = (".git", ".DS_Store", "__pycache__", "node_modules")
_OWNER = re.compile(r"^  managed-by: satchel\r?$", re.MULTILINE)


def template(name: str) -> str:
    """Return the source of a skill."""
    path = os.path.join(os.path.dirname(__file__), "skills", name, "SKILL.md")
    with open(path, encoding="utf-8") as file:
        return file.read()


def rendered(name: str, tool_dir: str) -> bytes:
    """Return a skill as rendered for a client.

    Args:
        tool_dir: the client's directory, such as `.claude`.
    """
    return _substituted(template(name), tool_dir)


class OwnSkill(NamedTuple):
    """A user's own template: SKILL.md, and the files beside it by relative path."""

    text: str
    files: dict[str, bytes]


def own_skills(folder: str) -> tuple[dict[str, OwnSkill], list[str]]:
    """Return the user's templates by name, and why others were skipped."""
    found: dict[str, OwnSkill] = {}
    wrong: list[str] = []
    for name in sorted(os.listdir(folder)) if folder and os.path.isdir(folder) else ():
        path = os.path.join(folder, name, "SKILL.md")
        if not os.path.isfile(path):
            continue
        why = f"there is a skill `{name}` already" if name in NAMES else ""
        why = why or ("" if _NAME.fullmatch(name) else "a name is lower-case words with hyphens")
        text = "" if why else _read(path)
        head = _HEAD.match(text)
        if head is None or "{{HASH}}" in text:
            why = why or "it needs front matter with `name` and `description`"
        if why:
            wrong.append(f"{path} is left out: {why}")
            continue
        found[name] = OwnSkill(text, _files_beside(os.path.dirname(path), wrong))
    return found, wrong


def _files_beside(folder: str, wrong: list[str]) -> dict[str, bytes]:
    """Read the files beside a SKILL.md, skipping links, which may lead anywhere."""
    found: dict[str, bytes] = {}
    for directory, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if one not in _LEFT_OUT)
        for name in sorted(names):
            path = os.path.join(directory, name)
            below = os.path.relpath(path, folder).replace(os.sep, "/")
            if below == "SKILL.md" or name in _LEFT_OUT:
                continue
            why = "it is a link" if os.path.islink(path) else ""
            why = why or ("" if _FILE_NAME.fullmatch(below) else "its name has unusual characters")
            why = why or ("there are too many" if len(found) == _MOST_FILES else "")
            content = b"" if why else _bytes(path)
            if why or len(content) > _LARGEST:
                wrong.append(f"{path} is left out: {why or 'it is too large'}")
            elif content:
                found[below] = content
    return found


def rendered_own(skill: OwnSkill, tool_dir: str) -> tuple[bytes, dict[str, bytes]]:
    """Return the user's own skill and its files, as rendered for a client."""
    files = {below: _file_for(content, tool_dir) for below, content in skill.files.items()}
    listed = "; ".join(f"{file_digest(content)} {below}" for below, content in files.items())
    ours = _MARK + (f'  satchel-files: "{listed}"\n' if listed else "")
    text, head = skill.text, _HEAD.match(skill.text)
    stop = head.end(1) if head else 0
    at = _METADATA.search(text, 0, stop)
    mark, end = (ours, at.end()) if at else (f"metadata:\n{ours}", stop)
    return _substituted(text[:end] + mark + text[end:], tool_dir), files


def files_of(raw: bytes) -> dict[str, str]:
    """Return the files of a deployed skill by relative path, with hashes."""
    head = raw.decode("utf-8", "replace").split("\n---", 1)[0]
    listed = _FILES.search(head)
    pairs = (entry.split(" ", 1) for entry in listed[1].split("; ")) if listed else ()
    found = {pair[1]: pair[0] for pair in pairs if len(pair) > 1}
    # A path that somebody wrote into a mark must not lead elsewhere.
    return {below: it for below, it in found.items() if not {"", ".", ".."} & {*below.split("/")}}


def file_digest(content: bytes) -> str:
    """Return a digest that detects edits to a skill's file."""
    return digest(content).hex()[:16]


def _file_for(content: bytes, tool_dir: str) -> bytes:
    """Return a file as rendered for a client: text names the client's directories."""
    return content.replace(b"{{HOME_TOOL_DIR}}", f"~/{tool_dir}".encode()).replace(
        b"{{TOOL_DIR}}", tool_dir.encode()
    )


def deployed(folder: str) -> list[str]:
    """Return the skills in a client's folder that have our mark."""
    found = []
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        path = os.path.join(folder, name, "SKILL.md")
        if os.path.isfile(path) and state_of(_read(path).encode()) != FOREIGN:
            found.append(name)
    return found


def _read(path: str) -> str:
    try:
        return _bytes(path)[:_LARGEST].decode()
    except UnicodeDecodeError:
        return ""


def _bytes(path: str) -> bytes:
    """Read a file, up to one byte beyond the limit; empty if unreadable."""
    try:
        with open(path, "rb") as file:
            return file.read(_LARGEST + 1)
    except OSError:
        return b""


def _substituted(text: str, tool_dir: str) -> bytes:
    text = text.replace("{{HOME_TOOL_DIR}}", "~/" + tool_dir)
    text = text.replace("{{TOOL_DIR}}", tool_dir)
    return text.replace("{{HASH}}", _digest(text)).encode()


def state_of(raw: bytes, wanted: bytes = b"") -> str:
    """Return a deployed file's state: current, stale, edited by hand, or not ours."""
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
