"""`collection`: named Markdown trees to search and fetch (The Foundation's document search)."""

from __future__ import annotations

import os
from collections.abc import Sequence

from satchel.core.errors import BadInputError
from satchel.core.plurals import counted
from satchel.core.trust import clean_line, clean_text
from satchel.features.notes.collections import OFFERED, Collection, offered
from satchel.features.notes.file_discovery import MARKDOWN
from satchel.features.notes.service import NoteService
from satchel.interfaces.cli.arguments import Options, Parser, parser_for, print_json
from satchel.interfaces.cli.awaiting import unapproved_in
from satchel.interfaces.cli.notes.learnings import (
    act_on_notes,
    embedded,
    print_problems,
    reading_report,
    status_json,
    status_text,
)
from satchel.interfaces.cli.progress import ProgressBar
from satchel.interfaces.note_rendering import (
    findings_json,
    findings_text,
    shown_path,
    trust_of_path,
)
from satchel.interfaces.rendering import NOT_APPROVED

#: A new collection with more texts than this gets its vectors by `update`, not at once.
_AT_ONCE = 500


def collection(words: Sequence[str]) -> int:
    """`satchel docs add|list|remove|update|status|query|fetch`."""
    parser = parser_for("docs", "Search Markdown trees by name: documentation, workspaces.")
    action = parser.actions(metavar=None)
    adding = action("add", "register a tree under a name and index it", _add)
    adding.add_argument("name", help="for example documentation")
    adding.option("path", "its directory; known for " + ", ".join(OFFERED), nargs="?")
    adding.add_argument("--pattern", default=MARKDOWN, help=f"which files ({MARKDOWN})")
    adding.flag("--user", "for all your projects")
    action("list", "list the collections, and candidates to add", _list)
    removing = action("remove", "remove a collection; its files stay", _remove)
    removing.add_argument("name", help="its name")
    updating = action("update", "read what has changed", _update)
    updating.add_argument("name", nargs="?", default="", help="only this collection")
    updating.flag("--no-vectors", "by words alone, fastest")
    updating.flag("--confirm-removal", "missing files were deleted: unindex them")
    action("status", "show the state of every directory", _status)
    _add_query(action("query", "search collections", _query))
    fetching = action("fetch", "print files, or some of their lines", _fetch)
    fetching.add_argument("file", nargs="+", help="a path, path:12, #docid or the id of a note")
    fetching.count("--from", "from this line", dest="first", metavar="LINE")
    fetching.count("--lines", "maximum number of lines", metavar="N")
    return act_on_notes(parser.parse_args(words))


def _add_query(parser: Parser) -> None:
    parser.add_argument("question", nargs="+", help="words or a question")
    modes = ("hybrid", "keyword", "semantic")
    parser.option("--mode", "how to search (hybrid)", choices=modes, default="hybrid")
    parser.options("-c", "--collection", "only this collection; may be repeated", metavar="NAME")
    parser.count("--limit", "how many files (10)", default=10)
    parser.add_argument("--min-score", default="0", help="leave out results with a lower score")


def _root(notebook: NoteService) -> str:
    project = notebook.indexes.project
    return "" if project is None else project.place.root


def _add(notebook: NoteService, options: Options) -> int:
    path = os.path.join(options.directory, options.path) if options.path else ""
    if not path:
        known = {one.name: one.path for one in offered(_root(notebook) or options.directory)}
        path = known.get(options.name, "")
    if not path:
        raise BadInputError(f"Where is {options.name[:60]}?", hint="`satchel docs add NAME PATH`.")
    new = Collection(options.name, os.path.abspath(path), options.pattern)
    notebook.add_collection(new, user=options.user)
    with ProgressBar("Indexing") as progress:
        notebook.update_collection(new.name, progress=progress)
    if not options.json:
        embedded(notebook, name=new.name, most=_AT_ONCE)
    (state,) = [one for one in notebook.status() if one.root.name == new.name]
    options.say(
        f"Added {new.name}: {counted(state.files, 'file')}, {len(state.damage)} not readable."
    )
    return options.done(status_json(state))


def _list(notebook: NoteService, options: Options) -> int:
    there = notebook.indexes.collections()
    names = {one.name for one, _ in there}
    more = [one for one in offered(_root(notebook) or options.directory) if one.name not in names]
    style = options.style
    for one, whose in there:
        pattern = "" if one.pattern == MARKDOWN else f"  {clean_line(one.pattern)}"
        options.say(
            f"{style.bold(one.name)}  {clean_line(one.path)}{pattern}{style.dim(f'  ({whose})')}"
        )
    if not there:
        options.say("No collections yet. `satchel docs add NAME DIRECTORY` adds one.")
    for one in more:
        path = clean_line(os.path.relpath(one.path))
        options.say(style.dim(f"could be added: satchel docs add {one.name} {path}"))
    known = [{**one._asdict(), "of": whose} for one, whose in there]
    return options.done({"collections": known, "offered": more})


def _remove(notebook: NoteService, options: Options) -> int:
    count = notebook.remove_collection(options.name)
    left = f"{counted(count, 'file')} left the index; they stay"
    return options.reply(
        {"name": options.name, "files": count}, f"Removed {clean_line(options.name)}: {left}."
    )


def _update(notebook: NoteService, options: Options) -> int:
    with ProgressBar("Indexing") as progress:
        done = notebook.update_collection(
            options.name, confirmed=options.confirm_removal, progress=progress
        )
    names = [one.name for one, _ in notebook.indexes.collections()]
    wanted = [options.name] if options.name else names
    states = [state for state in notebook.status() if state.root.name in wanted]
    if options.json:
        told = {"read": done.read, "added": done.added, "removed": done.removed}
        if not options.no_vectors:
            told |= embedded(notebook, name=options.name, as_json=True)
        return print_json({**told, "directories": [status_json(s) for s in states]})
    print(reading_report(done))
    if not options.no_vectors:
        embedded(notebook, name=options.name)
    for state in states:
        print(status_text(state, options.style))
    return 0


def _status(notebook: NoteService, options: Options) -> int:
    states = notebook.status()
    return options.reply(
        [status_json(state) for state in states],
        *(status_text(state, options.style) for state in states),
    )


def _query(notebook: NoteService, options: Options) -> int:
    with ProgressBar("Indexing") as progress:
        found = notebook.query(
            " ".join(options.question),
            mode=options.mode,
            collections=options.collection,
            limit=options.limit,
            min_score=_score(options.min_score),
            progress=progress,
        )
    held = unapproved_in(options.base(), (one.path for one in found.items))
    print_problems(found, options)
    options.say(findings_text(found, options.style, held=held))
    if not notebook.indexes.collections():
        options.say("There are no collections yet: `satchel docs list` shows what could be one.")
    return options.done(findings_json(found, held))


def _score(text: str) -> float:
    try:
        score = float(text)
    except ValueError:
        score = -1.0
    if not 0 <= score <= 1_000:  # noqa: PLR2004
        raise BadInputError(f"--min-score takes a number from 0 up, not {text[:20]!r}.")
    return score


def _fetch(notebook: NoteService, options: Options) -> int:
    part = {"first": options.first, "lines": options.lines}
    found = [notebook.fetch(given, **part) for given in options.file]
    held = unapproved_in(options.base(), (one.path for one in found))
    for path in sorted(held):
        options.warn(f"note: {clean_line(shown_path(path))} is {NOT_APPROVED}")
    for one in found:
        if len(found) > 1:
            options.say(f"==> {clean_line(one.path)} <==")
        options.say(clean_text(one.text))
    return options.done([{**one._asdict(), **trust_of_path(one.path, held)} for one in found])
