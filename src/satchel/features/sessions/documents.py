"""Sessions as index documents: one per turn, and one per day.

Days answer "what happened yesterday": they contain the day's requests, and their times.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from satchel.clients.transcript_format.texts import is_command
from satchel.clients.transcript_format.values import ASSISTANT, USER, TranscriptHead, Turn
from satchel.core import quick_json, times
from satchel.core.excerpts import beginning
from satchel.core.hashing import short_hash
from satchel.engine.search.documents import Document
from satchel.features.sessions.archive import ENDING, read_session
from satchel.features.sessions.compression import lines_in
from satchel.features.sessions.files import MESSAGES, META, PACKED
from satchel.features.sessions.store import messages_in
from satchel.storage.database.queries import load_queries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.database.contract import Database

#: What was said; what was only done; a session's subject on one day.
TURN, ACT, DAY = "turn", "act", "day"
_TITLE, _ASKED, _MOST_ASKED = 120, 200, 12
#: Turns that name nothing, without marks and apostrophes.
_OPENINGS = frozenset(
    (
        *("hi", "hello", "hey", "hi there", "hello there", "hey there", "yo", "ping", "test"),
        *("morning", "good morning", "good afternoon", "good evening", "ok", "ready", "lets go"),
        *("where were we", "where was i", "where did we stop", "where did we leave off"),
        *("what did we do last", "what did we do last time", "whats next", "what is next"),
        *("continue", "please continue", "go on", "carry on", "keep going", "resume"),
        *("moin", "hallo", "guten morgen", "wo waren wir", "weiter", "weiter gehts", "mach weiter"),
        *("bonjour", "salut", "hola", "buenos días", "ciao", "olá"),
        *("おはよう", "おはようございます", "続けて", "続けてください", "你好", "继续"),
    )
)
_LONGEST_OPENING, _MARKS = 40, ".,!?;:-\u2026\u3002\uff1f\uff01"
#: The client name shown for Satchel's own sessions.
OWN = "satchel"


def parse_file(path: str, raw: bytes) -> list[Document] | str:
    """Parse an archive file, or a session's messages, into documents."""
    name = os.path.basename(path)
    if name in (MESSAGES, PACKED):
        return _of_messages(path, raw, is_packed=name == PACKED)
    if not name.endswith(ENDING):
        return "it is not a file of the archive"
    session = read_session(raw)
    if isinstance(session, str):
        return session
    return documents_of(session.head, session.turns)


def _of_messages(path: str, raw: bytes, *, is_packed: bool) -> list[Document]:
    directory = os.path.dirname(path)
    lines = b"\n".join(lines_in(raw)) if is_packed else raw
    turns = [Turn(m.role, m.text, m.at, m.id) for m in messages_in(lines)]
    head = TranscriptHead(OWN, os.path.basename(directory), title=_title_beside(directory))
    return documents_of(head, turns)


def _title_beside(directory: str) -> str:
    from satchel.storage.files import read_object

    title = read_object(os.path.join(directory, META)).get("title")
    return title if isinstance(title, str) else ""


def holders_in(database: Database) -> Callable[[str], str]:
    """Return the thread that has a turn, by the turn's identity, or ""."""
    sql = load_queries(__file__, "queries.sql")["holder"]

    def holder(identity: str) -> str:
        rows = database.read(sql, (identity,))
        return str(rows[0][0]) if rows else ""

    return holder


def title_of(head: TranscriptHead, turns: Sequence[Turn]) -> str:
    """Return a session's title: its own, or its first request that names something."""
    if head.title:
        return beginning(head.title, _TITLE)
    asked = [turn.text for turn in turns if _asks(turn)]
    telling = (text for text in asked if not _only_opens(text))
    return beginning(next(telling, asked[0]), _TITLE) if asked else ""


def _only_opens(text: str) -> bool:
    """Return whether a turn only begins or goes on: "where were we?" would title half of them."""
    if len(text) > _LONGEST_OPENING:
        return False
    words = (word.strip(_MARKS) for word in text.casefold().replace("\u2019", "'").split())
    return " ".join(filter(None, words)).replace("'", "") in _OPENINGS


def _asks(turn: Turn) -> bool:
    """Return whether a person asked the agent, not the client, for something."""
    return turn.role == USER and bool(turn.text) and not is_command(turn.text)


def documents_of(head: TranscriptHead, turns: Sequence[Turn]) -> list[Document]:
    """Return the documents of one session."""
    title = title_of(head, turns)
    found: list[Document] = []
    days: dict[int, list[Turn]] = {}
    for place, turn in enumerate(turns, start=1):
        found.append(_of_turn(head, title, turn, place))
        days.setdefault(int(turn.at) // times.DAY, []).append(turn)
    for day, said in sorted(days.items()):
        found.append(_of_day(head, title, day, said))
    return found


def _of_turn(head: TranscriptHead, title: str, turn: Turn, place: int) -> Document:
    done = [f"[{call}]" for call in turn.tools] + [f"[failed: {e}]" for e in turn.errors]
    content = "\n".join([turn.text, *done] if turn.text else done)
    fields = {"session": head.session, "client": head.client, "role": turn.role, "of": title}
    return _sealed(
        Document(
            identity=f"{TURN}:{head.client}:{turn.id}",
            hash="",
            kind=TURN if turn.text else ACT,
            ts=int(turn.at),
            id=turn.id,
            rev=0,
            title="",
            content=content,
            tags=f"{head.client} {turn.role}",
            fields=quick_json.dumps(fields),
            thread=f"{head.client}:{head.session}",
            place=place,
        )
    )


def _of_day(head: TranscriptHead, title: str, day: int, turns: Sequence[Turn]) -> Document:
    asked = [beginning(turn.text, _ASKED) for turn in turns if _asks(turn)]
    shown = asked[:_MOST_ASKED]
    if len(asked) > len(shown):
        shown.append(f"(and {len(asked) - len(shown)} more)")
    last = next(
        (beginning(t.text, _ASKED) for t in reversed(turns) if t.role == ASSISTANT and t.text), ""
    )
    content = "\n".join([f"- {line}" for line in shown] + ([f"Last: {last}"] if last else []))
    times = [turn.at for turn in turns]
    fields = {
        "session": head.session,
        "client": head.client,
        "of": title,
        "begin": min(times),
        "end": max(times),
        "first": turns[0].id,
        "last": turns[-1].id,
        "turns": len(turns),
        "asked": len(asked),
        "errors": sum(len(t.errors) for t in turns),
        "parent": head.parent,
        "branch": head.branch,
    }
    ident = f"{DAY}:{head.client}:{head.session}:{day}"
    return _sealed(
        Document(
            identity=ident,
            hash="",
            kind=DAY,
            ts=int(min(times)),
            id=short_hash(ident.encode("utf-8", "replace")),
            rev=0,
            title=title,
            content=content,
            tags=head.client,
            fields=quick_json.dumps(fields),
        )
    )


def _sealed(document: Document) -> Document:
    """Set a document's hash of all its content, so that changes create a new document."""
    said = (
        document.identity,
        document.title,
        document.content,
        document.fields,
        f"{document.ts} {document.thread} {document.place}",
    )
    return document._replace(hash=short_hash("\0".join(said).encode("utf-8", "replace")))
