"""`satchel sessions`: sessions with their states and messages."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core import times
from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.excerpts import clipped
from satchel.core.ids import CLIENT_CHARACTERS, short_id
from satchel.core.plurals import counted
from satchel.core.trust import clean_line, clean_text
from satchel.features.sessions.serialization import fields_of, iso
from satchel.features.sessions.service import SessionService
from satchel.features.sessions.values import IMPORTED, MOVES, ROLES, STATES, Message, Session
from satchel.interfaces.cli.arguments import (
    AddAction,
    Options,
    content_from,
    parser_for,
    terminal_width,
)
from satchel.interfaces.cli.sessions import archive as session_archive
from satchel.interfaces.cli.sessions.archive import found_session, listed
from satchel.storage.ledger.record import Record

_SHOWN = 20
_LEAST_WIDTH = 24


def session(words: Sequence[str]) -> int:
    """`satchel sessions ACTION`."""
    parser = parser_for("sessions", "Sessions and their messages; what clients wrote of theirs.")
    action = parser.actions()
    _add_sessions(action)
    session_archive.add_actions(action)
    options = parser.parse_args(words)
    with options.opened() as workspace, workspace.sessions as sessions:
        return options.act(sessions)


def _add_sessions(action: AddAction) -> None:
    new = action("new", "begin a session, as a draft", _new)
    new.add_argument("title", nargs="*", help="what it is about")
    new.option("--task", "the task it belongs to: it gets a memory brief")
    new.option("--agent", "name of the agent")
    new.options("--tag", "may be repeated")
    new.flag("--start", "start it at once")
    listing = action("list", "list sessions, the latest first", _list)
    listing.option("--status", "only these", choices=(*STATES, IMPORTED))
    listing.option("--tag", "only those with this tag")
    listing.count("--limit", "how many (20)", default=20)
    show = action("show", "show a session and its last messages", _show)
    show.add_argument("id", help="an id, its beginning, last, or - for the latest active one")
    show.flag("--all", "every message")
    for move in MOVES:
        moving = action(move, f"{move} a session", _move)
        moving.add_argument("id", nargs="?", default="-", help="an id; - is the latest active one")
        if move == "close":
            moving.option("--summary", "what came of it")
    say = action("say", "add a message to an active session", _say)
    say.add_argument("text", nargs="+", help="what was said; - reads standard input")
    say.option("--to", "the session; the latest active one", dest="id", default="-", metavar="ID")
    say.add_argument("--role", choices=ROLES, default="user", help="who said it (user)")
    for name in ("input-tokens", "output-tokens", "tool-calls"):
        say.add_argument(f"--{name}", default="0", metavar="N", help="what it cost")
    say.add_argument("--cost", default="0", metavar="USD", help="what it cost, in dollars")
    checkpoint = action(
        "checkpoint", "write a checkpoint of a session, kept for 30 days", _checkpoint
    )
    checkpoint.add_argument("id", nargs="?", default="-", help="an id; - is the latest active one")
    checkpoint.option(
        "--trigger", "why (manual)", choices=("manual", "compaction"), default="manual"
    )
    tag = action("tag", "add or remove tags of a session", _tag)
    tag.add_argument("id", help="an id, its beginning, or - for the latest active one")
    tag.add_argument("tag", nargs="*", help="tags to add")
    tag.options("--remove", "a tag to remove", metavar="TAG")


def _new(sessions: SessionService, options: Options) -> int:
    made = sessions.new(
        title=" ".join(options.title), task=options.task, agent=options.agent, tags=options.tag
    )
    if options.start:
        made, _ = sessions.move(made.id, "start")
    return _print_session(made, options, f"{made.status}: {made.id}")


def _list(sessions: SessionService, options: Options) -> int:
    sessions.archive.catch_up()
    found = [
        one
        for one in listed(sessions)
        if options.status in ("", one.status) and (not options.tag or options.tag in one.tags)
    ]
    _print_rows(found[: options.limit], options, sessions.project.clock.now())
    if len(found) > options.limit:
        options.say(
            f"{options.limit} of {len(found)}, newest first; --limit {len(found)} lists all."
        )
    if not found:
        options.say(
            "No sessions yet. `satchel sessions import` reads what your agents' clients keep."
        )
    return options.done([fields_of(one) for one in found[: options.limit]])


def _print_rows(found: Sequence[Session], options: Options, now: float) -> None:
    """Print a line for each session, in columns as wide as the terminal."""
    names = [
        one.id[:CLIENT_CHARACTERS] if one.status == IMPORTED else short_id(one.id) for one in found
    ]
    states = [clean_line(one.agent_name) if one.status == IMPORTED else one.status for one in found]
    counts = [counted(one.metrics.messages, "message") for one in found]
    widths = [max(map(len, column), default=0) for column in (names, states, counts)]
    for one, name, state, count in zip(found, names, states, counts, strict=True):
        age = times.age(now - one.last_activity_at)
        head = f"{name:<{widths[0]}}  {state:<{widths[1]}}  {age:>6}  {count:>{widths[2]}}  "
        about = f"  [{clean_line(one.task)}]" if one.task else ""
        about += "".join(f" #{clean_line(tag)}" for tag in one.tags)
        room = max(_LEAST_WIDTH, terminal_width() - len(head) - len(about))
        title = clean_line(one.title or "(no title)")
        title = clipped(title, room)
        options.say(options.style.dim(head) + title + options.style.dim(about))


def _found(sessions: SessionService, given: str) -> tuple[Session, list[Message]]:
    """Return one of our sessions, or of a client's in the archive, and its messages."""
    found = found_session(sessions, given)
    if found.status != IMPORTED:
        return sessions.store.counted(found.id), sessions.store.messages(found.id)
    kept = sessions.archive.archived(found.id)
    said = (turn for turn in kept.turns if turn.text)
    return found, [Message(turn.role, turn.text, at=turn.at, id=turn.id) for turn in said]


def _show(sessions: SessionService, options: Options) -> int:
    found, messages = _found(sessions, options.id)
    shown = messages if options.all else messages[-_SHOWN:]
    style = options.style
    metrics = found.metrics
    options.say(style.bold(clean_line(found.title or found.id)))
    spent = f"{metrics.input_tokens} in, {metrics.output_tokens} out"
    rows = [
        ("id", found.id),
        ("status", found.status),
        ("task", found.task),
        ("epic", found.epic),
        ("agent", found.agent_name),
        ("tags", " ".join(found.tags)),
        ("created", iso(found.created_at)),
        ("started", iso(found.started_at)),
        ("paused", iso(found.paused_at)),
        ("closed", iso(found.closed_at)),
        ("active for", f"{metrics.duration_ms / 1000:.0f} s" if metrics.duration_ms else ""),
        ("tokens", spent if metrics.input_tokens or metrics.output_tokens else ""),
        ("cost", f"{metrics.cost_usd:.4f} USD" if metrics.cost_usd else ""),
        ("messages", str(metrics.messages)),
        ("brief", f"{found.memory_brief_tokens} tokens" if found.memory_brief else ""),
        ("summary", found.summary),
    ]
    for name, value in rows:
        if value:
            options.say(f"  {style.dim(f'{name:<11}')} {clean_line(value)}")
    if len(shown) < len(messages):
        options.say(style.dim(f"({len(messages) - len(shown)} earlier messages: --all)"))
    for message in shown:
        options.say(f"\n{style.bold(clean_line(message.role))} {style.dim(iso(message.at))}")
        options.say(clean_text(message.text))
    said = [_message_fields(message) for message in shown]
    return options.done({**fields_of(found), "messages": said})


def _message_fields(message: Message) -> dict[str, object]:
    return {**message._asdict(), "at": iso(message.at)}


def _move(sessions: SessionService, options: Options) -> int:
    given = options.id
    if given == "-" and options.action in ("start", "resume"):
        given = _only_one(sessions, MOVES[options.action][0][0])
    moved, record = sessions.move(given, options.action, summary=getattr(options, "summary", ""))
    text = f"{moved.status}: {moved.id}"
    if record is not None:
        text += f"\ncheckpoint {short_id(record.id)}"
    return _print_session(moved, options, text, record)


def _only_one(sessions: SessionService, status: str) -> str:
    """Return the id of the latest session whose state allows the move."""
    found = [one for one in sessions.store.every() if one.status == status]
    if not found:
        raise NotFoundError(f"No session is {status}.", hint="`satchel sessions list` shows them.")
    return max(found, key=lambda one: (one.last_activity_at, one.id)).id


def _say(sessions: SessionService, options: Options) -> int:
    text = content_from(options.text, missing="What was said?")
    said = sessions.say(
        options.id,
        Message(
            options.role,
            text,
            input_tokens=_whole(options.input_tokens, "--input-tokens"),
            output_tokens=_whole(options.output_tokens, "--output-tokens"),
            cost_usd=_dollars(options.cost),
            tool_calls=_whole(options.tool_calls, "--tool-calls"),
        ),
    )
    return options.reply(_message_fields(said), said.id)


def _checkpoint(sessions: SessionService, options: Options) -> int:
    record = sessions.checkpoint(options.id, trigger=options.trigger)
    return options.reply(
        {"id": record.id, "session": record.session, "content": record.content},
        clean_text(record.content),
    )


def _tag(sessions: SessionService, options: Options) -> int:
    found = sessions.store.find(options.id)
    tagged = sessions.store.tag(found.id, add=options.tag, remove=options.remove)
    return _print_session(tagged, options, " ".join(tagged.tags) or "no tags")


def _print_session(
    found: Session, options: Options, text: str, record: Record | None = None
) -> int:
    options.say(clean_text(text))
    more = {} if record is None else {"checkpoint": record.id}
    return options.done({**fields_of(found), **more})


def _whole(text: str, option: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 12):  # noqa: PLR2004
        raise BadInputError(f"{option} takes a whole number, not {text[:20]!r}.")
    return int(text)


def _dollars(text: str) -> float:
    try:
        cost = float(text)
    except ValueError:
        cost = -1.0
    if not 0 <= cost < 1e6:  # noqa: PLR2004
        raise BadInputError(f"--cost takes dollars, not {text[:20]!r}.")
    return cost
