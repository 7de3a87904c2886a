"""Existing knowledge in a repository that becomes a project, and the commands to import it."""

from __future__ import annotations

import os
from collections.abc import Iterator

from satchel.application import approval
from satchel.application.learning.reflection.transcripts import own_transcripts
from satchel.application.services import Services
from satchel.clients.contract.instructions import REPOSITORY
from satchel.core.plurals import counted
from satchel.core.values import NamedTuple
from satchel.features.notes.collections import Collection
from satchel.features.notes.file_discovery import MARKDOWN
from satchel.storage.tracked_files import TASK_FILES

#: Where projects keep decision records; the first existing one counts.
_ABOVE, _DECISIONS = (
    ("docs", "doc", "."),
    ("adr", "adrs", "ADR", "decisions", "architecture/decisions"),
)
#: Other tools' memories, which `satchel adopt` reads in this order.
OTHER_MEMORIES = (
    ".beads/memory/knowledge.jsonl",
    ".agents/knowledge.jsonl",
    ".beans/knowledge.jsonl",
    ".beads/memory.db",
)
_MOST_NAMES = 3
#: The collection name of decision records.
_COLLECTION = "decisions"


class Found(NamedTuple):
    """A kind of existing knowledge: what was found, below the root, and what to do with it."""

    what: str
    command: str
    effect: str


def found_here(work: Services) -> list[Found]:
    """Return the knowledge in this work tree and in the clients' own records."""
    root = work.project.place.root
    return [
        *shared_here(work),
        *_instructions(work, root),
        *decisions_here(work),
        *_other_memories(work, root),
        *_tasks(root),
        *_sessions(work),
    ]


def shared_here(work: Services) -> Iterator[Found]:
    """Yield what colleagues have shared and the user has not approved."""
    waiting = approval.waiting(work)
    shared = []
    if waiting.lines:
        shared.append(counted(len(waiting.lines), "shared memory", "shared memories"))
    if waiting.files:
        shared.append(counted(len(waiting.files), "file for agents", "files for agents"))
    if shared:
        yield Found(
            " and ".join(shared), "satchel approve", "lets your agents have them, after a look"
        )


def _instructions(work: Services, root: str) -> Iterator[Found]:
    files = [
        os.path.relpath(source.path, root)
        for source in work.instructions.sources()
        if source.owner == REPOSITORY
    ]
    if files:
        named = ", ".join(files[:_MOST_NAMES])
        more = f" and {len(files) - _MOST_NAMES} more" if len(files) > _MOST_NAMES else ""
        yield Found(named + more, "satchel instructions show", "says which agent is told what")
    if len(files) > 1 and {"AGENTS.md", "BEANS.md"} & {*files}:
        what = counted(len(files), "file") + " of rules"
        yield Found(what, "satchel instructions compile", "keeps one text in every client's file")


def decisions_here(work: Services) -> Iterator[Found]:
    """Make recall search the project's decision records, and report it."""
    root = work.project.place.root
    for below in (f"{above}/{name}".removeprefix("./") for above in _ABOVE for name in _DECISIONS):
        directory = os.path.join(root, *below.split("/"))
        names = os.listdir(directory) if os.path.isdir(directory) else []
        records = sum(name.endswith(".md") for name in names)
        if records:
            _let_recall_find(work, directory)
            what = f"{counted(records, 'decision record')} in {below}"
            yield Found(what, "satchel docs", "shows that recall searches them now")
            return


def _let_recall_find(work: Services, directory: str) -> None:
    with work.notes as notebook:
        known = {os.path.realpath(one.path) for one, _ in notebook.indexes.collections()}
        names = {one.name for one, _ in notebook.indexes.collections()}
        if os.path.realpath(directory) not in known and _COLLECTION not in names:
            notebook.add_collection(Collection(_COLLECTION, directory, MARKDOWN))
            notebook.update_collection(_COLLECTION)


def _other_memories(work: Services, root: str) -> Iterator[Found]:
    own = os.path.realpath(work.project.tracked.knowledge)
    for below in OTHER_MEMORIES:
        path = os.path.join(root, *below.split("/"))
        # A layout's tracked ledger is read in place.
        if os.path.isfile(path) and os.path.realpath(path) != own:
            yield Found(below, "satchel adopt", "imports it")
            return


def _tasks(root: str) -> Iterator[Found]:
    for below in TASK_FILES:
        path = os.path.join(root, *below.split("/"))
        if os.path.isfile(path) and os.path.getsize(path):
            yield Found(below, "satchel tasks ready", "shows what can be started")
            return


def _sessions(work: Services) -> Iterator[Found]:
    number = sum(1 for _ in own_transcripts(work))
    if number:
        what = f"{counted(number, 'earlier session')} of your agents"
        yield Found(what, "satchel reflect", "proposes what they taught")
