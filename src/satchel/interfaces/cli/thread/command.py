"""`why` and `thread`: why code is the way it is, and what followed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from satchel.application.history.provenance import Provenance, provenance
from satchel.application.thread.accepted import meant_by
from satchel.application.thread.explaining import Explainer
from satchel.application.thread.values import Story
from satchel.core import times
from satchel.core.errors import NotFoundError, SatchelError
from satchel.core.ids import short_id
from satchel.core.trust import ORCHESTRATOR, clean_line
from satchel.engine.search.records import StoredMemory
from satchel.features.branches.values import BranchState
from satchel.features.sessions.values import NEWEST
from satchel.interfaces.cli.arguments import parser_for
from satchel.interfaces.cli.naming import led_on, named
from satchel.interfaces.cli.sessions.archive import found_session
from satchel.interfaces.list_rendering import list_text
from satchel.interfaces.rendering import cleaned, label_of, record_json
from satchel.interfaces.thread_rendering import story_json, story_text, thread_text
from satchel.storage.ledger.record import Record
from satchel.workspace import Workspace

#: The subject of a thread with nothing but the memory itself.
MEMORY = "memory"


def memory_json(told: Provenance, state: BranchState | None) -> Any:
    """Return the origin of a memory, for `--json`."""
    fields = told._asdict()
    fields["record"] = record_json(told.record)
    fields["versions"] = [record_json(one) for one in told.versions]
    return cleaned({**fields, "git": state._asdict() if state else {}})


def memory_lines(told: Provenance, state: BranchState | None, bold: Any) -> list[str]:
    """Return the origin of a memory as lines of text."""
    record = told.record
    lines = [f"{bold(short_id(record.id))}  {label_of(record)} {clean_line(record.content)[:200]}"]

    def say(name: str, text: str) -> None:
        if text:
            lines.append(f"  {name:<14}{clean_line(text)}")

    trust = "edited by hand" if record.edited else record.trust
    who = dict.fromkeys((record.agent, record.source, record.client, trust))
    say("who", ", ".join(x for x in who if x and x != ORCHESTRATOR))
    say("when", times.minute(record.when))
    say("session", record.session)
    say("branch", record.branch)
    say("commit", record.commit)
    say("git", state.told if state else "")
    say("task", " of ".join(x for x in (record.task, record.epic) if x))
    for one in told.files:
        symbol = f":{one['symbol']}" if one.get("symbol") else ""
        say("file", f"{one.get('path')}{symbol}")
    for role, at, text in told.turns:
        say("said", f"{role}, {times.minute(int(at))}: {text}")
    for ident, kind, text in told.derived_from:
        say("derived from", f"{short_id(ident)} {kind} {text}")
    for ident, kind, text in told.derived:
        say("led to", f"{short_id(ident)} {kind} {text}")
    for ident in told.supersedes:
        say("supersedes", short_id(ident))
    for ident in told.superseded_by:
        say("superseded by", short_id(ident))
    for ident, kind, decided, title in told.proposals:
        say("suggestion", f"{short_id(ident)} {kind}, {decided}: {title}")
    if told.approved:
        say("approved", "by a person, for session starts")
    say("versions", str(len(told.versions)) if len(told.versions) > 1 else "")
    for ts, session, event, section, reason, outcome in told.shown:
        where = f"{times.minute(ts)} {event} of {session}, {section}: {reason}"
        say("shown", where + (f" ({outcome})" if outcome else ""))
    say("outcomes", ", ".join(f"{n} {name}" for name, n in told.outcomes.items() if n))
    return lines


def why(words: Sequence[str]) -> int:
    """`satchel why WHAT`."""
    parser = parser_for(
        "why",
        "Show why a line, commit, task, session or note is as it is: who asked for it, what the "
        "agent had been told and what was learnt; or where a memory comes from, and what came "
        "of it.",
    )
    parser.add_argument(
        "what",
        metavar="WHAT",
        help="FILE:LINE, FILE:FIRST-LAST, FILE:SYMBOL, a commit, a task, a session, a note, "
        "or a memory",
    )
    parser.flag("--explain", "add how long it took")
    options = parser.parse_args(words)
    with options.opened() as workspace:
        options.what = meant_by(workspace, options.what)
        story = Explainer(workspace, options.base()).why(options.what)
        if story is not None:
            text = story_text(story, options.style, explain=options.explain)
            return options.reply(story_json(story), text)
        led: list[str] = []
        item = _memory(workspace, options.what)
        item, led = led_on(workspace, item)
        told = provenance(workspace, item.record.id if led else options.what)
        state = workspace.branches.states([told.record], wait=True).get(told.record.id)
    return options.reply(
        memory_json(told, state), *led, "\n".join(memory_lines(told, state, options.style.bold))
    )


def thread(words: Sequence[str]) -> int:
    """`satchel thread WHAT`."""
    parser = parser_for(
        "thread",
        "Show what was asked, learnt and committed around a task, session, commit, line or note, "
        "or where a memory was learnt.",
    )
    parser.add_argument(
        "what", metavar="WHAT", help="a task, a session, a commit, FILE:LINE, a note, or a memory"
    )
    options = parser.parse_args(words)
    with options.opened() as workspace:
        explainer, what = Explainer(workspace, options.base()), options.what
        if what in NEWEST:
            with workspace.sessions as sessions:
                what = found_session(sessions, what).id
        story, told = explainer.thread(what), list[str]()
        if story is None:
            item = _memory(workspace, options.what)
            item, told = led_on(workspace, item)
            told.append(list_text([item], options.style, workspace.project.clock.now()))
            story = _learnt_in(explainer, item.record)
        if story is None:
            told.append("No session, task or commit is known to be its source.")
            return options.reply(story_json(Story(options.what, MEMORY)), *told)
    story = story._replace(asked=options.what)
    return options.reply(story_json(story), *told, thread_text(story, options.style))


def _memory(workspace: Workspace, reference: str) -> StoredMemory:
    hint = "Name a task, a session, a commit, FILE:LINE, FILE:SYMBOL, a note or a memory."
    try:
        return named(workspace, reference, hint=hint)
    except NotFoundError as error:
        told = f"Nothing here is called {reference[:60]!r}."
        raise NotFoundError(told, hint=error.hint) from None


def _learnt_in(explainer: Explainer, record: Record) -> Story | None:
    """Return the thread of a memory: of its session, or its task, or the commit it was made at."""
    for name in filter(None, (record.session, record.task, record.commit)):
        try:
            story = explainer.thread(name)
        except SatchelError:
            continue  # ambiguous, or no longer in git
        if story is not None:
            return story
    return None
