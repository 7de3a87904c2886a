"""Reads messages to route from JSON lines, and tracks which were seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from satchel.core import quick_json
from satchel.core.errors import StoreError
from satchel.core.hashing import short_hash
from satchel.core.shapes import list_of
from satchel.core.values import Any, NamedTuple
from satchel.features.routing.values import Message
from satchel.storage.files import read_object, replace_file

#: How many ids to remember. A forgotten one is still found in the ledger.
REMEMBERED = 10_000
#: Seconds between two savings of them at least.
DEBOUNCE = 10.0
_LONGEST_ID = 200
_LONGEST_LINE = 1_000_000


class UnreadableLine(NamedTuple):
    """A line without a valid message: its number from 1, and the reason."""

    line: int
    why: str


def read_messages(lines: Iterable[bytes]) -> Iterator[Message | UnreadableLine]:
    """Read messages, one JSON object a line: `text` or `content`, and `id`.

    A line without an id is known by its text, so equal ones count as one message. Messages that
    an agent or a tool wrote (`role`) are nobody's to route and are left out, as are those that
    say where they went already (`routed_to`).
    """
    for number, raw in enumerate(lines, start=1):
        if raw.strip():
            found = _message(raw)
            if isinstance(found, str):
                yield UnreadableLine(number, found)
            elif found is not None:
                yield found


def message_from(fields: dict[str, Any]) -> Message | str | None:
    """Parse a message; a reason if invalid, None if it is not to be routed."""
    if fields.get("role", "user") not in ("user", "") or fields.get("routed_to"):
        return None
    text = next((fields[n] for n in ("text", "content", "message", "body") if n in fields), None)
    if not isinstance(text, str) or not text.strip():
        return "it has no text"
    ident = fields.get("id", fields.get("message_id"))
    name = str(ident).strip() if isinstance(ident, str | int) else ""
    if len(name) > _LONGEST_ID:
        return f"its id has more than {_LONGEST_ID} characters"
    division, task = fields.get("division"), fields.get("task", fields.get("bead"))
    return Message(
        name or "text-" + short_hash(text.strip().encode("utf-8", "replace")),
        text.strip(),
        division if isinstance(division, str) else "",
        task if isinstance(task, str) else "",
    )


def _message(raw: bytes) -> Message | str | None:
    if len(raw) > _LONGEST_LINE:
        return f"it has more than {_LONGEST_LINE:,} bytes"
    try:
        fields = quick_json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return "it is not JSON"
    return message_from(fields) if isinstance(fields, dict) else "it is not a JSON object"


class RoutedMessages:
    """The ids of the last 10,000 routed messages, in a disposable file.

    Args:
        now: seconds, for the pause between two savings.
    """

    def __init__(self, path: str, now: Callable[[], float]) -> None:
        self.path = path
        self._now = now
        self._saved_at = now()
        self._unsaved = False
        self._ids: dict[str, None] = dict.fromkeys(self._load())

    def __contains__(self, name: str) -> bool:
        return name in self._ids

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, name: str) -> None:
        """Add a message, dropping the oldest."""
        self._ids.pop(name, None)
        self._ids[name] = None
        while len(self._ids) > REMEMBERED:
            del self._ids[next(iter(self._ids))]
        self._unsaved = True
        if self._now() - self._saved_at >= DEBOUNCE:
            self.flush()

    def flush(self) -> None:
        """Save the ids. If the disk refuses, the ledger is queried next time."""
        if not self._unsaved:
            return
        try:
            replace_file(self.path, quick_json.dumps({"ids": list(self._ids)}).encode())
        except StoreError:
            return
        self._saved_at, self._unsaved = self._now(), False

    def _load(self) -> list[str]:
        ids = list_of(read_object(self.path).get("ids"))
        return [one for one in ids if isinstance(one, str)][-REMEMBERED:]
