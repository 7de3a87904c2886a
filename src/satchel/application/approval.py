"""What waits for the user's approval in a project, and approving it.

A repository's content reaches no agent before this user has checked it: lines of its ledger, and
files that agents are shown verbatim. Private memories made from text of tools, the web and files
also wait.
"""

from __future__ import annotations

import os

from satchel.core import trust
from satchel.core.errors import AmbiguousIdError, NotFoundError, SatchelError
from satchel.core.hashing import digest
from satchel.core.plurals import counted
from satchel.core.values import NamedTuple
from satchel.engine.search.documents import Filter
from satchel.features.memories.approvals import approve, held, held_lines
from satchel.project.approvals.rules import (
    OWN,
    file_mark,
    line_mark,
    mark_of,
    own_mark,
    place_mark,
)
from satchel.storage.files import TOLD_SIZE, read_file
from satchel.storage.paths import archive_of
from satchel.storage.safe_open import is_within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from satchel.application.services import Services
    from satchel.project.approvals.authorship import Author
    from satchel.project.approvals.gate import Gate
    from satchel.storage.ledger.record import Record

_SHORT_ID = 4
#: The longest wait for git, seconds.
_SECONDS = 5.0


class WaitingFile(NamedTuple):
    """A file in the work tree that is not shown to agents yet."""

    path: str
    authors: tuple[Author, ...]
    data: bytes


class Waiting(NamedTuple):
    """What waits for approval.

    Attributes:
        lines: from the repository's ledger; `source` says who committed them.
        files: from the repository.
        memories: private ones, held back because of their sources.
        remotes: the repository's origins.
        signers: author's address -> keys that sign the author's commits; "" for none.
        documents: files of the collections that this user registered here.
        others: addresses with commits that are not signed by the key that was approved, as earlier
            ones are: whoever has the address only may have typed it.
    """

    lines: tuple[Record, ...]
    files: tuple[WaitingFile, ...]
    memories: tuple[Record, ...]
    remotes: tuple[str, ...]
    signers: Mapping[str, frozenset[str]]
    documents: tuple[WaitingFile, ...] = ()
    others: frozenset[str] = frozenset()

    @property
    def total(self) -> int:
        """Return how many items wait."""
        return len(self.lines) + len(self.files) + len(self.memories) + len(self.documents)


def waiting(work: Services) -> Waiting:
    """Return everything that waits for approval."""
    gate = work.project.gate()
    held_files = _held_files(gate, work.project.tracked.spoken())
    gate.shows_signatures = True
    files = [
        WaitingFile(path, tuple(sorted(gate.authors_of_file(path))), data)
        for path, data in held_files.items()
    ]
    lines, memories = held_lines(work.memories), held(work.memories)
    who = {author for file in files for author in file.authors}
    tracked = work.project.tracked.knowledge
    for ledger in (tracked, archive_of(tracked)) if lines else ():
        who |= gate.authors_of_file(ledger)
    vouched = {one.email for one in who if one.key in gate.rules.keys}
    who = {one for one in who if not gate.rules.believes(one)}
    others = frozenset(vouched & {one.email for one in who})
    signers = {one.email: frozenset(a.key for a in who if a.email == one.email) for one in who}
    remotes = tuple(gate.remotes())
    return Waiting(tuple(lines), tuple(files), tuple(memories), remotes, signers, others=others)


def with_documents(work: Services, found: Waiting) -> Waiting:
    """Add documents of registered collections, and instruction files, that nobody has approved.

    They are never shown to an agent unasked; searches mark them.
    """
    from satchel.features.notes.file_discovery import find_files

    with work.notes as notes:
        trees = [one for one, _ in notes.indexes.collections()]
    root = os.path.realpath(work.project.place.root)
    known = {os.path.realpath(one.path) for one in found.files}
    paths = [
        path
        for tree in trees
        if is_within(os.path.realpath(tree.path), root)
        for path in find_files(tree.path, tree.pattern).paths
    ]
    # What a client reads by itself reaches its agent anyway; a search answers with its lines.
    paths += [
        path for path in work.project.tracked.rules if is_within(os.path.realpath(path), root)
    ]
    paths = [path for path in paths if os.path.realpath(path) not in known]
    gate = work.project.gate()
    held_documents = _held_files(gate, paths)
    authors = gate.authors_of_files(held_documents)
    documents = [
        WaitingFile(path, tuple(sorted(authors[path])), data)
        for path, data in held_documents.items()
    ]
    return found._replace(documents=tuple(documents))


def _held_files(gate: Gate, paths: Iterable[str]) -> dict[str, bytes]:
    """Return those of some files that agents may not see, with their bytes."""
    files = {}
    for path in dict.fromkeys(paths):
        try:
            files[path] = read_file(path, most=TOLD_SIZE)
        except SatchelError:
            continue  # a broken file reaches nobody
    files = {path: data for path, data in files.items() if data}
    admitted = gate.admitted(files) if files else frozenset()
    return {path: data for path, data in files.items() if path not in admitted}


def of_authors(found: Waiting, authors: Sequence[str]) -> Waiting:
    """Filter waiting items by author, named by address or key."""
    named = {one.lower() for one in authors} | {
        email for email, keys in found.signers.items() if keys & set(authors)
    }
    lines = [line for line in found.lines if address_of(line.source) in named]
    files, documents = (
        tuple(f for f in some if any(author.email in named for author in f.authors))
        for some in (found.files, found.documents)
    )
    return found._replace(lines=tuple(lines), files=files, memories=(), documents=documents)


def address_of(source: str) -> str:
    """Return an author's address in the form lines use; "" if there is none."""
    return source.rpartition("<")[2].removesuffix(">") if source.endswith(">") else ""


def approve_all(work: Services, found: Waiting) -> None:
    """Approve all these items in their current form; later changes wait again."""
    refuse_agent(work)
    approve(work.memories, [*found.lines, *found.memories])
    approve_files(work, [*found.files, *found.documents])
    work.refresh()


def revoke_named(work: Services, names: Sequence[str], root: str) -> int:
    """Revoke the approval of memories by id and files by path; return how many.

    Raises `NotFoundError` for a name that no memory or file has.
    """
    memories, found, files = work.memories.own, [], []
    every = [one.record for one in memories.listed(Filter())]
    for name in names:
        path = os.path.join(root, name)
        here = [one for one in every if is_named(one, name)]
        if not here and not os.path.isfile(path):
            raise NotFoundError(f"There is no memory or file called {name!r}.")
        found += here
        files += [] if here else [WaitingFile(path, (), read_file(path))]
    marks = [mark for one in found for mark in (mark_of(one), line_mark(one.hash))]
    work.project.approvals.revoke([*marks, *_file_marks(work, files)])
    work.refresh()
    return len(found) + len(files)


def revoke_everything(work: Services) -> None:
    """Revoke all approvals of texts, authors and the repository; own lines stay approved."""
    approvals = work.project.approvals
    rules = approvals.load()
    approvals.revoke(mark for mark in rules.marks if not mark.startswith(OWN))
    approvals.believe_authors(rules.authors | rules.keys, on=False)
    approvals.believe_repository([], on=False)
    work.refresh()


def approve_files(work: Services, files: Sequence[WaitingFile]) -> None:
    """Approve files in their current form."""
    work.project.approvals.approve(_file_marks(work, files))


def revoke_files(work: Services, files: Sequence[WaitingFile]) -> None:
    """Revoke the approval of files in their current form."""
    if files:
        work.project.approvals.revoke(_file_marks(work, files))


def _file_marks(work: Services, files: Sequence[WaitingFile]) -> list[str]:
    root = os.path.realpath(work.project.place.root)
    named = [(os.path.relpath(os.path.realpath(one.path), root), one.data) for one in files]
    return [mark for path, data in named for mark in (file_mark(path, data), place_mark(path))]


def approve_authors(work: Services, addresses: Sequence[str]) -> None:
    """Trust commits of these addresses, or signed by these keys, now and later."""
    refuse_agent(work)
    work.project.approvals.believe_authors(addresses)
    work.refresh()


def approve_repository(work: Services) -> list[str]:
    """Trust what the repository's current remotes bring; return the remotes."""
    refuse_agent(work)
    remotes = work.project.gate().remotes()
    work.project.approvals.believe_repository(remotes, on=True)
    work.refresh()
    return remotes


def approve_local(work: Services, *, on: bool) -> None:
    """Treat local content that did not come by git as the user's own, or stop doing so."""
    refuse_agent(work)
    work.project.approvals.believe_local(on=on)
    work.refresh()


def refuse_agent(work: Services) -> None:
    """Raise `BadInputError` if an agent runs this: only a person may approve."""
    trust.refuse_agent(work.project.trust)


def believe_self(work: Services) -> str:
    """Treat existing content as the user's own, in a project that starts here.

    Returns the address that git writes into this user's commits, which is now trusted; "" for none.
    """
    work.project.approvals.believe_local(on=True)
    address = own_address(work)
    if address:
        work.project.approvals.believe_authors([address])
    return address


def own_address(work: Services) -> str:
    """Return the address that git writes into this user's commits; "" for none."""
    from satchel.storage import git

    place = work.project.place
    if not place.common:
        return ""
    try:
        # As git itself would name the author of this user's next commit.
        named = git.ask_as_person(place.root, "var", "GIT_AUTHOR_IDENT", seconds=_SECONDS).out
    except git.GitError:
        return ""
    return named.partition("<")[2].partition(">")[0].strip()


def own_that_waits(work: Services, found: Waiting) -> str:
    """Return this user's own address if texts with lines of it wait, as they do in a clone; or "".

    They wait each time that a colleague changes the file, until the address is approved.
    """
    address = own_address(work).lower()
    files = (*found.files, *found.documents)
    named = any(author.email.lower() == address for file in files for author in file.authors)
    return address if named and address not in work.project.approvals.load().authors else ""


def approve_own(work: Services, shared: Sequence[Record]) -> None:
    """Approve lines that the user has just written to the tracked ledger."""
    marks = [own_mark(line) for line in shared]
    try:
        work.project.approvals.approve(marks, ids=[one.id for one in shared])
    except SatchelError as error:
        count = counted(len(shared), "memory", "memories")
        raise error.after(f"Shared {count}, but approved none on this machine.") from error


def chosen(found: Waiting, given: Sequence[str], root: str) -> Waiting:
    """Filter waiting items by name: the start or end of an id, or a file's path.

    Raises `NotFoundError` for a name that matches nothing, `AmbiguousIdError` for one of several.
    """
    lines, files, memories, documents = [], [], [], []
    for name in given:
        path = os.path.realpath(os.path.join(root, name))
        here = [one for one in found.files if os.path.realpath(one.path) == path]
        texts = [one for one in found.documents if os.path.realpath(one.path) == path]
        # A line may carry a file's path for its id: whoever names a file means the file.
        ours = [one for one in found.lines if not (here or texts) and is_named(one, name)]
        private = [one for one in found.memories if not (here or texts) and is_named(one, name)]
        refuse_ambiguous(name, [*ours, *private])
        if not (here or ours or private or texts):
            hint = "`satchel approve` lists what waits."
            if name.isdigit():
                hint = f"Suggestions are accepted with `satchel review {name}`."
            raise NotFoundError(f"Nothing waiting for approval is called {name}.", hint=hint)
        lines += ours
        files += here
        memories += private
        documents += texts
    return found._replace(
        lines=tuple(lines), files=tuple(files), memories=tuple(memories), documents=tuple(documents)
    )


def memory_key(record: Record) -> str:
    """Return the key of a waiting memory or line."""
    return f"m-{record.id}"


def file_key(name: str, data: bytes) -> str:
    """Return the key of a file's current content."""
    return "f-" + digest(name.encode("utf-8", "replace") + b"\0" + data).hex()[:20]


def with_keys(found: Waiting, root: str, keys: Sequence[str]) -> Waiting:
    """Filter waiting items by key. Raises `NotFoundError` if none is left."""
    wanted = set(keys)
    kept = found._replace(
        lines=tuple(one for one in found.lines if memory_key(one) in wanted),
        memories=tuple(one for one in found.memories if memory_key(one) in wanted),
        files=tuple(
            one
            for one in found.files
            if file_key(os.path.relpath(one.path, root), one.data) in wanted
        ),
    )
    if not kept.total:
        raise NotFoundError("This was decided or changed in the meantime.")
    return kept


def approve_keys(work: Services, keys: Sequence[str]) -> list[str]:
    """Approve items by key; return the names that `revoke_named` takes."""
    root = work.project.place.root
    found = with_keys(waiting(work), root, keys)
    approve_all(work, found)
    names = [one.id for one in (*found.lines, *found.memories)]
    return names + [os.path.relpath(one.path, root) for one in found.files]


def refuse_ambiguous(name: str, found: Sequence[Record]) -> None:
    """Raise `AmbiguousIdError` if several ids begin or end so: a stranger may have chosen one."""
    ids = sorted({one.id for one in found})
    if len(ids) > 1:
        told = trust.clean_line(", ".join(ids[:5]))
        raise AmbiguousIdError(f"{name!r} could be {told}.", hint="Give the whole id.")


def is_named(record: Record, name: str) -> bool:
    """Return whether a name is the start or the end of a record's id."""
    ident, wanted = record.id.lower(), name.lower()
    return len(wanted) >= _SHORT_ID and (ident.startswith(wanted) or ident.endswith(wanted))
