"""`intent-links.json`: links of tasks to sections, in Beads Console's format."""

from __future__ import annotations

from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.quick_json import loads
from satchel.core.values import Any
from satchel.features.intent.values import PRIMARY, RELEVANCES, Link
from satchel.storage.files import replace_file
from satchel.storage.locks import FileLock
from satchel.storage.safe_open import read_inside

_LARGEST = 4 * 1024 * 1024
_LONGEST_NAME = 64
_MODE = 0o644


class Links:
    """The links of one project.

    Args:
        path: the file, tracked by git; need not exist.
        lock: a lock file outside the work tree.
        root: the work tree, which the file must not leave.
    """

    def __init__(self, path: str, lock: str, *, root: str) -> None:
        self.path = path
        self.root = root
        self._lock = lock

    def all(self) -> list[Link]:
        """Return every link, oldest first; none if the file is invalid."""
        try:
            return [link for raw in self._read()["links"] if (link := _link(raw)) is not None]
        except BadInputError:
            return []

    def damage(self) -> str:
        """Return what is wrong with the file, or ""."""
        try:
            links = self._read()["links"]
        except BadInputError as error:
            return str(error)
        wrong = sum(_link(raw) is None for raw in links)
        return f"{wrong} of {len(links)} links in {self.path} are incomplete." if wrong else ""

    def of_task(self, *tasks: str) -> list[Link]:
        """Return the links of these tasks."""
        return [link for link in self.all() if link.task in tasks]

    def add(self, link: Link) -> bool:
        """Add a link, replacing one with the same task and anchor; return whether it is new."""
        _checked(link)
        with FileLock(self._lock):
            document = self._read()
            kept = [raw for raw in document["links"] if not _same(raw, link.task, link.anchor)]
            new = len(kept) == len(document["links"])
            self._write(document | {"links": [*kept, _raw(link)]})
        return new

    def remove(self, task: str, anchor: str = "") -> int:
        """Remove the link of a task and anchor, or all of a task; return how many."""
        with FileLock(self._lock):
            document = self._read()
            kept = [raw for raw in document["links"] if not _same(raw, task, anchor)]
            gone = len(document["links"]) - len(kept)
            if not gone:
                raise NotFoundError(
                    f"{task} has no link" + (f" to {anchor}." if anchor else "."),
                    hint="`satchel intent links` shows them.",
                )
            self._write(document | {"links": kept})
        return gone

    def _read(self) -> dict[str, Any]:
        """Return the document with unknown fields. Raises if it is not such a file."""
        try:
            data = read_inside(self.root, self.path, most=_LARGEST)
        except NotFoundError:
            return {"version": 1, "links": []}
        try:
            document = loads(data.decode("utf-8-sig"))
        except ValueError as error:
            raise BadInputError(
                f"{self.path} is not JSON: {error}.", hint="Fix it by hand, or move it away."
            ) from None
        if isinstance(document, list):
            document = {"version": 1, "links": document}
        if not isinstance(document, dict) or not isinstance(document.get("links", []), list):
            raise BadInputError(
                f"{self.path} holds no links.", hint='It should be {"version": 1, "links": []}.'
            )
        return {"version": 1, "links": [], **document}

    def _write(self, document: dict[str, Any]) -> None:
        import json

        text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
        replace_file(self.path, text.encode(), mode=_MODE)


def _checked(link: Link) -> None:
    if link.relevance not in RELEVANCES:
        raise BadInputError(
            f"A link's relevance cannot be {link.relevance!r}.",
            hint=f"It is {' or '.join(RELEVANCES)}.",
        )
    if not 0 < len(link.added_by) <= _LONGEST_NAME or not link.added_by.isprintable():
        raise BadInputError(
            f"A link cannot be added by {link.added_by[:40]!r}.",
            hint="It is `user`, `agent` or a name.",
        )
    if not link.task.strip() or not link.anchor.strip():
        raise BadInputError("A link needs a task and an anchor.", hint="`satchel intent anchors`.")


def _same(raw: Any, task: str, anchor: str) -> bool:
    if not isinstance(raw, dict) or raw.get("beadId", raw.get("task")) != task:
        return False
    return not anchor or raw.get("anchor") == anchor


def _link(raw: Any) -> Link | None:
    if not isinstance(raw, dict):
        return None

    def text(*names: str) -> str:
        return next((raw[n] for n in names if isinstance(raw.get(n), str)), "")

    task, anchor = text("beadId", "task"), text("anchor")
    relevance = text("relevance")
    if not task or not anchor:
        return None
    return Link(
        task,
        anchor,
        relevance if relevance in RELEVANCES else PRIMARY,
        added_at=text("addedAt"),
        added_by=text("addedBy") or "user",
        note=text("note"),
    )


def _raw(link: Link) -> dict[str, str]:
    fields = {
        "beadId": link.task,
        "anchor": link.anchor,
        "relevance": link.relevance,
        "addedAt": link.added_at,
        "addedBy": link.added_by,
    }
    return {**fields, "note": link.note} if link.note else fields
