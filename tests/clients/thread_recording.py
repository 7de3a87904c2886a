"""What a client's sessions of a story left behind: transcripts, history, whose each line is."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from clients.stand import Stand
from integration.thread_made import Repository
from satchel.clients.transcript_format.project_key import project_key

#: Beside the inputs of hooks of the same version.
THREAD = "thread"
_HISTORY, _LINES, _HOME = "history.txt", "lines.json", "home"
_SHOP, _YOU = "/home/you/shop", "/home/you"
#: Characters of a text, and entries of a list, that say nothing of the story.
_TEXT, _LIST = 60, 2
#: What is shorter may stand anywhere.
_TELLING = 8


def record_thread(stand: Stand, repository: Repository, folder: Path) -> None:
    """Keep what the sessions left, without this machine's paths.

    A recording of this version stays: ids and times are others in each run. Delete it to have a new one.
    """
    if folder.exists():
        return
    folder.mkdir(parents=True)
    # Dates, ids and all: what git printed in a session is to be found again.
    (folder / _HISTORY).write_text(repository.git("fast-export", "--all"), "utf-8")
    origins = sorted({origin for of in repository.lines.values() for _, origin in of if origin})
    lines = {
        path: [origins.index(origin) if origin else None for _, origin in of]
        for path, of in sorted(repository.lines.items())
    }
    tip = repository.git("rev-parse", "HEAD").strip()
    kept_lines = {"tip": tip, "origins": origins, "lines": lines}
    text = re.sub(r"\[[\d,\s]*(?:null[\d,\s]*)*\]", _on_one_line, json.dumps(kept_lines, indent=1))
    (folder / _LINES).write_text(text + "\n", "utf-8")
    neutral = _replacing(stand.repo, stand.home, _SHOP, _YOU)
    told = "\n".join(
        [
            *(text for of in repository.lines.values() for text, _ in of),
            *repository.git("log", "--all", "--format=%s").splitlines(),
            *(prompt for _, prompt in origins),
            *repository.lines,
        ]
    )
    story = {json.dumps(one)[1:-1] for one in told.splitlines() if len(one) > _TELLING}
    for path in _transcripts(stand):
        kept = folder / _HOME / neutral(str(path.relative_to(stand.home)))
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(_shortened(neutral(path.read_text("utf-8")), story), "utf-8")


def _transcripts(stand: Stand) -> list[Path]:
    below = stand.home / stand.client.said["transcripts"]
    found = [*below.rglob("*.jsonl"), *below.rglob(".project_root")]
    return sorted(one for one in found if one.name != "logs.jsonl")


def _on_one_line(found: re.Match[str]) -> str:
    return " ".join(found[0].split())


def _replacing(shop: Path, home: Path, new_shop: str, new_home: str) -> Callable[[str], str]:
    """Return what puts a repository and a home elsewhere, as a path and as Claude Code's key of it."""
    places = {str(shop): new_shop, str(home): new_home, str(home.parent): new_home}
    places |= {project_key(old): project_key(new) for old, new in places.items()}

    def replaced(text: str) -> str:
        for old, new in places.items():
            text = text.replace(old, new)
        return text

    return replaced


def _shortened(text: str, story: Collection[str]) -> str:
    """Cut what is the client's own: instructions to the model, lists of tools, measurements."""
    if not text.startswith("{"):
        return text
    records = [_short(json.loads(line), story) for line in text.splitlines()]
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records)


def _short(value: Any, story: Collection[str]) -> Any:
    if isinstance(value, dict):
        return {key: _short(one, story) for key, one in value.items()}
    tells = any(one in json.dumps(value, ensure_ascii=False) for one in story)
    if isinstance(value, list):
        return [_short(one, story) for one in (value if tells else value[:_LIST])]
    if isinstance(value, str) and len(value) > _TEXT and not tells:
        return value[:_TEXT] + "…"
    return value


def lay_out(folder: Path, home: Path, root: Path) -> Repository:
    """Make the repository as it was, and the transcripts in a home; git's ids are the same."""
    root.mkdir(parents=True)
    repository = Repository(root)
    repository.git("init", "--quiet", "--initial-branch=main")
    repository.git("fast-import", "--quiet", given=(folder / _HISTORY).read_text("utf-8"))
    told = json.loads((folder / _LINES).read_text("utf-8"))
    repository.git("reset", "--quiet", "--hard", "main")
    repository.git("switch", "--quiet", "mail-4")
    assert repository.git("rev-parse", "HEAD").strip() == told["tip"]
    repository.now = float(repository.git("show", "--no-patch", "--format=%ct"))
    origins = [tuple(one) for one in told["origins"]]
    for path, of in told["lines"].items():
        text = (root / path).read_text("utf-8").splitlines()
        whose = [None if one is None else origins[one] for one in of]
        repository.lines[path] = [*zip(text, whose, strict=True)]
    placed = _replacing(Path(_SHOP), Path(_YOU), os.path.realpath(root), os.path.realpath(home))
    for path in (folder / _HOME).rglob("*"):
        if path.is_file():
            put = home / placed(str(path.relative_to(folder / _HOME)))
            put.parent.mkdir(parents=True, exist_ok=True)
            put.write_text(placed(path.read_text("utf-8")), "utf-8")
    return repository
