"""Archive actions of `satchel sessions`: import, search, transcript, cleanup, begin, end."""

from __future__ import annotations

import os

from satchel.application.briefs.session_steps import SessionOpening, begin, end
from satchel.clients.registry import ALIASES
from satchel.core.errors import BadInputError, NotFoundError
from satchel.core.ids import short_id
from satchel.core.plurals import counted
from satchel.core.trust import clean_line, clean_text
from satchel.core.values import Any
from satchel.features.sessions.serialization import fields_of, iso
from satchel.features.sessions.service import SessionService
from satchel.features.sessions.values import NEWEST, ArchiveHit, Session
from satchel.interfaces.cli.arguments import AddAction, Options, moment_from, seconds_from
from satchel.interfaces.cli.progress import ProgressBar
from satchel.interfaces.rendering import Style, indented, picked, size

_LINES, _LINE = 8, 240


def add_actions(action: AddAction) -> None:
    """Add the actions of this module to the parser of `satchel sessions`."""
    importing = action("import", "import clients' transcripts into the archive", _import)
    importing.add_argument("path", nargs="*", help="files or directories, of any project")
    own = "import this client's own directory (all)"
    importing.option("--client", own, choices=(*ALIASES, "all"), default="all")
    importing.option("--since", "only files changed since: 2026-05-01, or 7d", metavar="TIME")
    search = action("search", "search the archive: words, times (yesterday), or both", _search)
    search.add_argument("question", nargs="+", help="words, or `what happened last week`")
    search.count("--limit", "how many (10)", default=10)
    search.option("--now", "search as of this time", metavar="TIME")
    search.flag("--weak", "include turns that hold few of the words")
    search.flag("--explain", "show what made up each score")
    transcript = action("transcript", "print one session of the archive", _transcript)
    transcript.add_argument("id", help="the client's id of the session, or its beginning")
    cleanup = action("cleanup", "move old sessions out of the searched archive", _cleanup)
    cleanup.option("--older-than", "sessions.keep_days", metavar="90d")
    cleanup.flag("--dry-run", "show what would be done")
    cleanup.flag("--yes", "also remove what is twice as old")
    beginning = action("begin", "show what an agent's session begins with", _begin)
    beginning.option("--agent", "its insights come first")
    ending = action("end", "record what a session learnt", _end)
    ending.option("--agent", "whose session it was")
    ending.add_argument("--learned", required=True, metavar="TEXT", help="what was learnt")
    kind = "session_observation"
    ending.option("--category", f"for example testing ({kind})", default=kind)
    ending.add_argument("--confidence", default="0.8", help="0 to 1 (0.8)")
    ending.option("--session", "the session's id", metavar="ID")


def _import(sessions: SessionService, options: Options) -> int:
    since = _moment(options.since, sessions.project.clock.now()) if options.since else 0.0
    clients = ALIASES if options.client == "all" else (options.client,)
    with ProgressBar("importing") as bar:
        done = sessions.archive.import_transcripts(
            clients=clients,
            paths=[os.path.abspath(path) for path in options.path],
            since=since,
            progress=lambda read, total: bar(read // 1024, total // 1024),
        )
    options.say(
        f"{done.turns} turns of {counted(done.changed, 'transcript')} ({size(done.bytes)} read); "
        f"{counted(done.sessions, 'new session')} in {counted(done.files, 'file')}."
    )
    told = [
        (done.copies, "turns were copies of archived ones"),
        (done.elsewhere, "transcripts are about other directories"),
        (done.unknown, "files are from no known client"),
        (done.damaged, "lines could not be read"),
    ]
    for count, what in told:
        if count:
            options.say(f"  {count} {what}")
    return options.reply(done, *(f"  {clean_line(line)}" for line in done.unreadable))


def _search(sessions: SessionService, options: Options) -> int:
    now = moment_from(options.now) if options.now else None
    question = " ".join(options.question)
    hits = sessions.archive.search(question, options.limit, now=now, weak=options.weak)
    style = options.style
    for hit in hits:
        options.say(_hit_text(hit, style, explain=options.explain))
    if not hits:
        options.say(f"Nothing found for {clean_line(question)[:120]!r}.")
    return options.done([{**hit._asdict(), "parts": dict(hit.parts)} for hit in hits])


def _hit_text(hit: ArchiveHit, style: Style, *, explain: bool) -> str:
    title = clean_line(hit.title) or clean_line(hit.session)
    who = clean_line(hit.client) + (f", {clean_line(hit.role)}" if hit.role else "")
    head = f"{style.bold(title)}\n" + style.dim(
        f"  {iso(hit.at)[:16]}  {who}  session {clean_line(hit.session)}"
    )
    lines = clean_text(hit.text).split("\n")
    kept = [line[:_LINE] for line in lines[:_LINES]] + (["…"] if len(lines) > _LINES else [])
    text = head + "\n  " + indented("\n".join(kept))
    if explain:
        parts = ", ".join(f"{name} {value:.3g}" for name, value in hit.parts)
        text += "\n" + style.dim(f"  {hit.why}; score {hit.score:.3g}" + (parts and f" = {parts}"))
    return text


def _transcript(sessions: SessionService, options: Options) -> int:
    found = sessions.archive.archived(options.id)
    style = options.style
    head = found.head
    options.say(style.bold(clean_line(head.title or head.session)))
    options.say(style.dim(clean_line(f"{head.client} {head.session} {head.cwd} {head.branch}")))
    for turn in found.turns:
        options.say(f"\n{style.bold(turn.role)} {style.dim(iso(turn.at))}")
        done = [f"[{call}]" for call in turn.tools] + [f"[failed: {e}]" for e in turn.errors]
        options.say(clean_text("\n".join([turn.text, *done] if turn.text else done)))
    shown = {"turns": found.turns, "damaged": found.damaged}
    return options.done({**found.head._asdict(), **shown})


def _cleanup(sessions: SessionService, options: Options) -> int:
    seconds = seconds_from(options.older_than) if options.older_than else 0.0
    due = sessions.archive.clean_up(older_than=seconds, dry_run=True, removes=True)
    removes = bool(due.removed)
    if removes and not options.dry_run:
        question = f"Remove {counted(len(due.removed), 'session')}, {size(due.bytes)}, for good?"
        removes = options.confirms(question)
    closes = bool(due.closed)
    if closes and not options.dry_run:
        question = f"Close {len(due.closed)} abandoned sessions?"
        closes = options.confirms(question)
    done = due
    if not options.dry_run:
        done = sessions.archive.clean_up(older_than=seconds, removes=removes, closes=closes)
    open_ = 0 if options.dry_run or closes else len(due.closed)
    kept = 0 if options.dry_run or removes else len(due.removed)
    would = "would be " if options.dry_run else ""
    options.say(
        f"{counted(len(done.moved), 'session')} {would}moved to the old archive, "
        f"{len(done.removed)} {would}removed ({size(done.bytes)})."
    )
    if done.closed:
        options.say(f"  {counted(len(done.closed), 'session')} {would}closed: abandoned")
    if open_:
        options.say(f"  {open_} abandoned sessions stay open: --yes closes them")
    if kept:
        options.say(f"  {kept} are due to be removed: --yes does it")
    names = {
        k: [os.path.basename(p) for p in v] if isinstance(v, tuple) else v
        for k, v in done._asdict().items()
    }
    return options.done({**names, "left": kept, "open": open_, "dry_run": options.dry_run})


def _begin(_: SessionService, options: Options) -> int:
    shown = begin(options.workspace, options.agent)
    return options.reply(_beginning_json(shown), _beginning_text(shown, options.style))


def _beginning_json(shown: SessionOpening) -> dict[str, Any]:
    insight = ("id", "agent", "category", "content", "confidence", "expires_at")
    return {
        "agent": shown.agent,
        "insights": [{**picked(r, *insight), "ts": r.when} for r in shown.insights],
        "activities": [
            {
                **picked(r, "id", "agent", "content"),
                "ts": r.when,
                "event": (r.data or {}).get("event", ""),
            }
            for r in shown.activities
        ],
        "tasks": [picked(t, "id", "title", "status", "priority") for t in shown.tasks],
        "conversations": [fields_of(one) for one in shown.conversations],
        "more": [{"title": title, "lines": list(lines)} for title, lines in shown.more],
        "settings": shown.settings,
    }


def _beginning_text(shown: SessionOpening, style: Style) -> str:
    sure = [
        None if r.confidence is None else f"confidence {r.confidence:.2f}" for r in shown.insights
    ]
    blocks = {
        f"Recent insights ({len(shown.insights)})": [
            _noted(f"[{r.category}] {r.content}" if r.category else r.content, note)
            for r, note in zip(shown.insights, sure, strict=True)
        ],
        f"Recent activities ({len(shown.activities)})": [
            _noted(f"{iso(r.when)[:16]} {r.content}", r.agent) for r in shown.activities
        ],
        f"Open tasks ({len(shown.tasks)})": [
            f"{t.id} [{t.status}] P{t.priority} {t.title}" for t in shown.tasks
        ],
        f"Active conversations ({len(shown.conversations)})": [
            _noted(f"{short_id(c.id)} {iso(c.last_activity_at)[:16]} {c.title}", c.agent_name)
            for c in shown.conversations
        ],
    }
    text = []
    for title, lines in (*blocks.items(), *shown.more):
        text.append(style.bold(f"## {clean_line(title)}"))
        text += [f"- {clean_line(line)}" for line in lines] or [style.dim("  none")]
    return "\n".join(text)


def _noted(text: str, note: str | None) -> str:
    return f"{text} ({note})" if note else text


def _end(_: SessionService, options: Options) -> int:
    try:
        confidence = float(options.confidence)
    except ValueError:
        raise BadInputError(
            f"A confidence is from 0 to 1, not {options.confidence[:20]!r}."
        ) from None
    about = {"category": options.category, "session": options.session}
    agent, learned = options.agent, options.learned
    done = end(options.workspace, agent, learned, confidence=confidence, **about)
    return options.reply(
        {
            "id": done.id,
            "path": done.path,
            "insight": done.insight.id,
            "expires_at": done.insight.expires_at,
            "activity": done.activity.id,
        },
        f"{done.id} in {clean_line(os.path.relpath(done.path))}; "
        f"insight {short_id(done.insight.id)} for 24 h",
    )


def _moment(text: str, now: float) -> float:
    if text[-1:].lower() in "smhdw" and text[:-1].replace(".", "").isdigit():
        return now - seconds_from(text)
    return moment_from(text)


def listed(sessions: SessionService) -> list[Session]:
    """Return our sessions and those of clients in the archive, the latest first."""
    found = [*sessions.store.every(), *sessions.archive.imported()]
    return sorted(found, key=lambda one: (one.last_activity_at, one.id), reverse=True)


def found_session(sessions: SessionService, given: str) -> Session:
    """Return one of our sessions, or of a client's in the archive, by its id or `last`."""
    if given in NEWEST:
        newest = next(iter(listed(sessions)), None)
        if newest is None:
            raise NotFoundError("There is no session yet.", hint="`satchel sessions import`")
        return newest
    try:
        return sessions.store.find(given)
    except NotFoundError:
        if not any(given and one.id.startswith(given) for one in sessions.archive.imported()):
            raise
    kept = sessions.archive.archived(given)
    return next(one for one in sessions.archive.imported() if one.id == kept.head.session)
