"""`share`, `export` and `import`: move memories out and in, after review."""

from __future__ import annotations

import contextlib
import os
import sys
import textwrap
from collections.abc import Mapping, Sequence

from satchel.application.approval import approve_own, waiting
from satchel.application.exchange import importing, sharing
from satchel.application.exchange.export.archive import is_archive, stream_archive, write_archive
from satchel.application.exchange.export.service import export as collected
from satchel.application.exchange.export.service import import_archive as take_in
from satchel.core.errors import BadInputError, SatchelError
from satchel.core.ids import short_id
from satchel.core.plurals import counted
from satchel.core.quick_json import dumps
from satchel.core.trust import clean_line
from satchel.engine.search.records import StoredMemory
from satchel.features.branches.values import follows_git
from satchel.features.memories.approvals import held
from satchel.interfaces.cli.arguments import Options, parser_for, print_json
from satchel.interfaces.cli.awaiting import awaiting_text
from satchel.interfaces.cli.graph.changes import is_database
from satchel.interfaces.cli.naming import named
from satchel.interfaces.list_rendering import list_text
from satchel.interfaces.rendering import record_json, said_of, size
from satchel.project.derived_store import open_foreign
from satchel.project.inventory import check_kinds
from satchel.storage import git
from satchel.storage.git import GitError
from satchel.storage.ledger.quarantine import Quarantine
from satchel.storage.ledger.record import Record
from satchel.storage.paths import archive_of
from satchel.workspace import Workspace

_WIDTH = 240
#: Most memories to name as left out, and characters of each.
_LISTED, _SAID = 20, 80


def share(words: Sequence[str]) -> int:
    """`satchel share`."""
    parser = parser_for("share", "Move memories into the ledger that git tracks, after a look.")
    parser.add_argument("ids", nargs="*", help="only these memories; without ids, all that wait")
    parser.options("--kind", "only this kind")
    parser.flag("--dry-run", "show what waits and stop")
    parser.flag("--yes", "do not ask")
    options = parser.parse_args(words)
    with options.opened() as workspace:
        workspace.refresh()
        own = workspace.memories.own
        kinds = tuple(options.kind) or workspace.project.shared_kinds
        chosen = _chosen(workspace, sharing.shareable_records(own, kinds), options.ids)
        left = [] if options.ids else sharing.left_out(own, kinds)
        away = {} if options.ids else _not_here(workspace, chosen)
        chosen = [record for record in chosen if record.id not in away]
        lines = [sharing.scrubbed_for_team(record) for record in chosen]
        target = os.path.relpath(workspace.project.tracked.knowledge, workspace.project.place.root)
        _show(workspace, chosen, lines, options)
        if not lines or options.dry_run:
            if options.json:
                print_json([record_json(line) for line in lines])
            elif not lines:
                print("Nothing waits to be shared.")
                _tell_uncommitted(workspace)
            _tell_left_out(left, away, options)
            return 0
        question = f"Write {len(lines)} of these to {clean_line(target)}?"
        options.agree(question, "Nothing was shared.")
        written = sharing.share(own, chosen)
        approve_own(workspace, written)
        moved = sharing.rotate_shared(own, workspace.project.settings)
    if moved:
        beside = clean_line(archive_of(target))
        options.aside(f"The oldest {counted(moved, 'line')} are in {beside} now.")
    code = options.reply(
        [record_json(record, "tracked") for record in written],
        f"Shared {len(written)} to {clean_line(target)}. Commit that file when you like.",
    )
    _tell_left_out(left, away, options)
    return code


def _not_here(workspace: Workspace, records: Sequence[Record]) -> dict[str, tuple[Record, str]]:
    """Return memories that briefs leave out at this commit, each with the reason.

    Colleagues' machines cannot tell: for them, a commit that git does not have is unknown. What
    was learned in another work tree at a commit they have is shared: its work may still come.
    """
    live = [record for record in records if record.deleted_at is None]
    if any(map(follows_git, live)):
        with contextlib.suppress(SatchelError):  # without git, nothing is known to be elsewhere
            workspace.branches.make()
    states = workspace.branches.states(live)
    gone = {name: one for name, one in states.items() if one.is_held and not one.waits}
    held = {name: one.told for name, one in gone.items()}
    return {one.id: (one, held[one.id]) for one in live if one.id in held}


def _show(
    workspace: Workspace, chosen: Sequence[Record], lines: Sequence[Record], options: Options
) -> None:
    """Show what would be shared, and what to check first."""
    if lines and not options.json:
        items = [StoredMemory(line, "private") for line in lines]
        print(list_text(items, options.style, workspace.project.clock.now()))
        against = sharing.contradictions_of(workspace.memories.own, chosen)
        for told in against:
            print(f"! contradicts: {clean_line(told)[:_WIDTH]}")
        if len(against) == sharing.MOST_CONTRADICTIONS:
            print("! there may be more: share fewer at once to see them")
    for one in chosen:
        why = sharing.look_first(one)
        if why:
            who = "everybody who gets this repository can read it"
            options.remark(f"! {short_id(one.id)}: {why}; once you commit, {who}.")


def _tell_left_out(
    left: Sequence[Record], away: Mapping[str, tuple[Record, str]], options: Options
) -> None:
    """Report what was not shared because a person should check it first, or it may not be true."""
    groups: dict[str, list[Record]] = {}
    for record in left:
        reason = f"to look at first ({sharing.look_first(record)})"
        groups.setdefault(reason, []).append(record)
    for record, state in away.values():
        groups.setdefault(state, []).append(record)
    for reason, records in groups.items():
        some = counted(len(records), "memory", "memories")
        options.remark(f"Left out: {some} {reason}:")
        for one in records[:_LISTED]:
            said = textwrap.shorten(clean_line(said_of(one)), _SAID, placeholder=" …")
            options.remark(f"  {short_id(one.id)}  {said}")
        if len(records) > _LISTED:
            options.remark(f"  … and {len(records) - _LISTED} more")
    if groups:
        options.remark("`satchel share ID` shares one after your look.")


def _tell_uncommitted(workspace: Workspace) -> None:
    """Name rule files that colleagues get once they are committed."""
    tracked, root = workspace.project.tracked, workspace.project.place.root
    names = ("knowledge", "memory", "instincts")
    known = {os.path.relpath(tracked.place(name), root) for name in names}
    try:
        listed = git.answer(root, "status", "--porcelain=v1", "-z", "--untracked-files=all")
    except GitError:
        return  # without git nobody commits
    changed = {line[3:] for line in listed.split("\0")}
    waiting = " and ".join(map(clean_line, sorted(known & changed)))
    if waiting:
        print(f"Colleagues get {waiting} once you commit.")


def _chosen(workspace: Workspace, found: list[Record], ids: Sequence[str]) -> list[Record]:
    if not ids:
        return found
    chosen = []
    for given in ids:
        record = named(workspace, given).record
        if record.visibility == "private":
            raise BadInputError(f"{short_id(record.id)} is marked private and is never shared.")
        chosen.append(record)
    return chosen


def import_(words: Sequence[str]) -> int:
    """`satchel import FILE`."""
    parser = parser_for(
        "import",
        "Read an archive of `satchel export`, or another program's memories. "
        "The file is not changed, and nothing here is overwritten.",
    )
    parser.add_argument(
        "file",
        help="an archive (tar.gz, directory, `-`), knowledge.jsonl (its archive is read too), "
        "or memory.db",
    )
    parser.options("--kind", "for an archive, only this kind; repeatable")
    parser.flag(
        "--approvals",
        "for an archive of your own: with its approvals and settings, and nothing of it waits",
    )
    options = parser.parse_args(words)
    path = "-" if options.file == "-" else os.path.abspath(options.file)
    with options.opened() as workspace:
        if is_archive(path):
            return import_archive(workspace, path, options)
        done = import_file(workspace, path)
        workspace.refresh()
        left = len(held(workspace.memories))
    options.say(
        f"Read {counted(done.read, 'line')}: {done.written} imported, {done.known} known already, "
        f"{done.quarantined} not readable."
    )
    if done.forgotten:
        options.say(
            f"{counted(done.forgotten, 'line was', 'lines were')} forgotten here, and not "
            "imported: `satchel remember` says it again, `satchel forget --receipts` says when it "
            "went."
        )
    if left:
        options.say(awaiting_text(left))
    if done.quarantined:
        options.say(
            "What does not parse is kept, but for secrets in it; `satchel doctor` shows it."
        )
    return options.done({**done._asdict(), "waiting": left})


def import_file(workspace: Workspace, path: str) -> importing.ImportReport:
    """Import one file by its format: JSON lines, or a Beads Console SQLite database."""
    quarantine = Quarantine(workspace.project.state.quarantine)
    if is_database(path):
        database = open_foreign(path)
        try:
            return importing.import_memory_db(path, database, workspace.memories.stores.ledgers)
        finally:
            database.close()
    return importing.import_lines(path, workspace.memories.stores.ledgers, quarantine)


_SHOWN = 20


def export(words: Sequence[str]) -> int:
    """`satchel export FILE`."""
    parser = parser_for("export", "Export all durable data of this project into one archive.")
    parser.add_argument("path", help="NAME.tar.gz, a new directory, or `-` for standard output")
    parser.flag("--user", "your own data instead")
    parser.options("--kind", "only this kind of data; repeatable")
    parser.flag("--private", "include what is private, personal, or verbatim")
    parser.option(
        "--format",
        "which lines come from which session for certain: agent-trace as JSON lines, git-ai as "
        "notes for `git fast-import`",
        choices=("archive", "agent-trace", "git-ai"),
        default="archive",
    )
    options = parser.parse_args(words)
    if options.format != "archive":
        return _origins(options)
    check_kinds(options.kind)
    if options.path == "-" and options.json:
        raise BadInputError("--json and an archive cannot both go to standard output.")
    with options.opened() as workspace:
        made = collected(
            workspace, person=options.user, kinds=options.kind, private=options.private
        )
    if options.path == "-":
        stream_archive(sys.stdout.buffer, made.head, made.files)
        return 0
    write_archive(os.path.abspath(options.path), made.head, made.files)
    total = sum(entry.size for entry in made.files)
    options.say(
        f"Exported {counted(len(made.files), 'file')}, {size(total)}, to {clean_line(options.path)}"
    )
    if made.lines_left or made.files_left:
        left_files = counted(len(made.files_left), "file")
        options.say(
            f"Left out: {counted(made.lines_left, 'line')}, {left_files}: private, personal,"
        )
        options.say("with a secret or not to be judged; --private includes them.")
        for name in made.files_left[:_SHOWN]:
            options.say(f"  {clean_line(name)}")
    left = {"lines_left": made.lines_left, "files_left": made.files_left}
    return options.done({**made.head, "files": list(made.files), **left})


def _origins(options: Options) -> int:
    if options.user or options.kind or options.private:
        raise BadInputError("--user, --kind and --private are for archives.")
    with options.opened() as workspace:
        text, count, name = _TOLD[options.format](workspace)
    if options.path == "-":
        sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
        return 0
    path = os.path.abspath(options.path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        file.write(text)
    return options.reply(
        {"records": count, "path": path},
        f"Wrote {counted(count, name)} to {clean_line(options.path)}",
    )


def _traces(workspace: Workspace) -> tuple[str, int, str]:
    from satchel.application.thread.agent_trace import trace_records

    lines = [dumps(record) + "\n" for record in trace_records(workspace)]
    return "".join(lines), len(lines), "trace record"


def _notes(workspace: Workspace) -> tuple[str, int, str]:
    from satchel.application.thread.git_ai import authorship_logs, fast_import

    logs = list(authorship_logs(workspace))
    return fast_import(workspace, logs), len(logs), "authorship log"


_TOLD = {"agent-trace": _traces, "git-ai": _notes}


def import_archive(workspace: Workspace, path: str, options: Options) -> int:
    """`satchel import` of an archive made by `export`."""
    check_kinds(options.kind)
    done = take_in(workspace, path, kinds=options.kind, approvals=options.approvals)
    own = options.approvals
    left = len(held(workspace.memories)) if own else waiting(workspace).total
    known = f"{counted(done.known_lines, 'line')} and {counted(done.known_files, 'file')}"
    brought = f"{counted(done.lines, 'line')} and {counted(done.files, 'file')}"
    options.say(f"Imported {brought}; {known} were here already.")
    if left:
        options.say(awaiting_text(left, "thing", "things"))
    if done.purged:
        lines = counted(done.purged, "line was", "lines were")
        options.say(f"{lines} purged or forgotten here, and not imported.")
    for title, names in (
        ("Exist here with other content, left as they are", done.differ),
        ("Not imported", done.left),
    ):
        if names:
            options.say(f"{title}:")
            for name in names[:_SHOWN]:
                options.say(f"  {clean_line(name)}")
    return options.done({**done._asdict(), "waiting": left})
