"""Sessions: created, changed and read; files or a database hold them.

Metrics are derived from the messages, and recounted if a process was killed between the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satchel.core import quick_json
from satchel.core.clock import Clock
from satchel.core.errors import AmbiguousIdError, BadInputError, NotFoundError, NotReadableError
from satchel.core.ids import is_ulid, new_ulid
from satchel.core.values import Any
from satchel.features.sessions.serialization import (
    message_from,
    message_line,
    meta_bytes,
    session_from,
)
from satchel.features.sessions.values import (
    ACTIVE,
    CLOSED,
    NEWEST,
    ROLES,
    Message,
    Session,
    check_can_speak,
    moved,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from satchel.features.sessions.files import SessionPlace

#: How much of one message to keep, in characters.
LONGEST_MESSAGE = 1_000_000


class SessionStore:
    """A project's sessions.

    Args:
        place: where they lie.
    """

    def __init__(self, place: SessionPlace, clock: Clock) -> None:
        self.place, self.clock = place, clock

    @property
    def lock(self) -> AbstractContextManager[object]:
        """The lock of whoever writes; its holder may read and write."""
        return self.place.lock

    # Reading

    def ids(self) -> list[str]:
        """Return all session ids, oldest first, since ids grow with time."""
        return self.place.ids()

    def every(self) -> Iterator[Session]:
        """Yield readable sessions, oldest first."""
        for ident, raw in self.place.metas():
            fields = _fields_in(raw)
            if fields is not None:  # `damaged` names the others
                yield session_from({**fields, "id": ident})

    def damaged(self) -> list[str]:
        """Return unreadable descriptions of sessions."""
        return [
            self.place.shown(ident) for ident, raw in self.place.metas() if _fields_in(raw) is None
        ]

    def find(self, reference: str) -> Session:
        """Return a session by id or prefix; `-` is the latest open one, `last` the latest."""
        if reference == "-":
            opened = [one for one in self.every() if one.status == ACTIVE]
            if not opened:
                raise NotFoundError("No session is active.", hint="`satchel sessions list`")
            return max(opened, key=lambda one: (one.last_activity_at, one.id))
        ids = self.ids()
        if reference in NEWEST and ids:
            return max(self.every(), key=lambda one: (one.last_activity_at, one.id))
        matches = [i for i in ids if i == reference] or [
            i for i in ids if reference and i.lower().startswith(reference.lower())
        ]
        if not matches:
            raise NotFoundError(
                f"No session has the id {reference[:60]!r}.",
                hint="`satchel sessions list` shows them.",
            )
        if len(matches) > 1:
            raise AmbiguousIdError(
                f"{reference!r} could be {', '.join(matches[:5])}.", hint="Give more of the id."
            )
        return self.get(matches[0])

    def get(self, ident: str) -> Session:
        """Return a session by its full id. Raises `NotReadableError` if damaged."""
        fields = _fields_in(self.place.meta(ident))
        if fields is None:
            raise NotReadableError(
                f"{self.place.shown(ident)} is damaged.",
                hint="Its messages are unharmed, in the file beside it.",
            )
        return session_from({**fields, "id": ident})

    def messages(self, ident: str) -> list[Message]:
        """Return a session's messages, oldest first, skipping damaged lines."""
        return messages_in(self.place.messages(ident))

    def size(self) -> int:
        """Return the size of all sessions in bytes."""
        return self.place.size()

    # Writing

    def new(self, session: Session) -> Session:
        """Write a new session, setting its times, and its id if it brings none.

        An existing one with the same id is returned unchanged.
        """
        now = self.clock.now()
        with self.lock:
            ids = self.ids()
            if session.id in ids:
                return self.get(session.id)
            after = max((one for one in ids if is_ulid(one)), default="")
            ident = session.id or new_ulid(int(now * 1000), after)
            made = session._replace(id=ident, created_at=now, last_activity_at=now)
            self._write(made)
        return made

    def move(self, ident: str, move: str, *, summary: str = "") -> Session:
        """Change the state and save it; see `states.moved`."""
        with self.lock:
            session = self._counted(self.get(ident))
            session = moved(session, move, self.clock.now())
            if summary:
                session = session._replace(summary=summary)
            self._write(session)
        return session

    def say(self, ident: str, message: Message) -> Message:
        """Add a message to an active session; it is on disk on return.

        An existing one with the same id is returned unchanged.
        """
        text = message.text.strip()
        if message.role not in ROLES:
            raise BadInputError(
                f"There is no role {message.role[:40]!r}.", hint=f"Roles are {', '.join(ROLES)}."
            )
        if not text or len(text) > LONGEST_MESSAGE:
            raise BadInputError(
                f"A message has 1 to {LONGEST_MESSAGE:,} characters, not {len(text):,}.",
                hint="Say what was said, in quotes, or `-` to read standard input.",
            )
        now = self.clock.now()
        with self.lock:
            session = self._counted(self.get(ident))
            for said in self.messages(ident) if message.id else ():
                if said.id == message.id:
                    return said
            check_can_speak(session)
            named = message.id or new_ulid(int(now * 1000))
            message = message._replace(text=text, at=message.at or now, id=named)
            size = self.place.append(ident, message_line(message))
            self._write(_with(session, message)._replace(counted_bytes=size, last_activity_at=now))
        return message

    def describe(self, ident: str, *, title: str | None = None, summary: str = "") -> Session:
        """Change a session's title or summary; None and "" keep the current one."""
        with self.lock:
            session = self.get(ident)
            session = session._replace(
                title=session.title if title is None else title, summary=summary or session.summary
            )
            self._write(session)
        return session

    def tag(self, ident: str, *, add: Sequence[str] = (), remove: Sequence[str] = ()) -> Session:
        """Add and remove a session's tags."""
        for word in (*add, *remove):
            if not word.strip() or len(word) > 64 or "\n" in word:  # noqa: PLR2004
                raise BadInputError(f"{word[:64]!r} is not a tag.", hint="A tag is one short word.")
        with self.lock:
            session = self.get(ident)
            tags = [tag for tag in dict.fromkeys((*session.tags, *add)) if tag not in remove]
            session = session._replace(tags=tuple(tags))
            self._write(session)
        return session

    def pack(self, ident: str) -> int:
        """Compress a closed session's messages; return the bytes saved."""
        with self.lock:
            return self.place.pack(ident) if self.get(ident).status == CLOSED else 0

    def _counted(self, session: Session) -> Session:
        """Recount the messages if the metrics are incomplete."""
        size = self.place.messages_size(session.id)
        if size == session.counted_bytes or not size:
            return session
        fresh = session.metrics._replace(
            messages=0, input_tokens=0, output_tokens=0, cost_usd=0.0, tool_calls=0
        )
        counted = session._replace(metrics=fresh, counted_bytes=size)
        for message in self.messages(session.id):
            counted = _with(counted, message)
        return counted

    def counted(self, ident: str) -> Session:
        """Return a session with complete metrics."""
        return self._counted(self.get(ident))

    def _write(self, session: Session) -> None:
        self.place.put_meta(session.id, meta_bytes(session))


def _fields_in(raw: bytes) -> dict[str, Any] | None:
    """Parse a session's description; None if it is damaged."""
    try:
        fields = quick_json.loads(raw.decode("utf-8"))
    except ValueError:
        return None
    return fields if isinstance(fields, dict) else None


def messages_in(raw: bytes) -> list[Message]:
    """Parse lines of messages, skipping damaged ones."""
    found = (message_from(line) for line in raw.split(b"\n") if line.strip())
    return [message for message in found if message is not None]


def _with(session: Session, message: Message) -> Session:
    had = session.metrics
    return session._replace(
        metrics=had._replace(
            messages=had.messages + 1,
            input_tokens=had.input_tokens + message.input_tokens,
            output_tokens=had.output_tokens + message.output_tokens,
            cost_usd=round(had.cost_usd + message.cost_usd, 9),
            tool_calls=had.tool_calls + message.tool_calls,
        )
    )
