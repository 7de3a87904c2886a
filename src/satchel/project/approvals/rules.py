"""A project's approval rules: what the user lets agents see. Lines of a private ledger.

A clone is not a friend. A repository's content is held back until this person approves the text,
its author, or the whole repository; text from tools, the web and files is held back until this
exact text is approved. No repository can approve itself: the ledger is in the home.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from satchel.core.errors import StoreError
from satchel.core.hashing import digest
from satchel.core.trust import AGENT, IMPORTED, REPO, UNAPPROVED, USER
from satchel.core.values import NamedTuple
from satchel.storage.files import TOLD_SIZE, read_file
from satchel.storage.ledger.file import Ledger
from satchel.storage.ledger.lines import records_in
from satchel.storage.ledger.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from satchel.project.approvals.authorship import Author

#: The kind of their lines, and how the marks of a person's own lines begin.
KIND, OWN = "approval", "own:"
#: As git writes them, of ssh and OpenPGP keys. No address looks like this.
_SSH, _SSH_LENGTH = "SHA256:", 43
_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_OPENPGP_LENGTHS, _HEX = (40, 64), "0123456789ABCDEF"
#: A line has the repository's trust only after the gate let it pass.
TRUSTED = (USER, AGENT, REPO)
_APPROVE, _REVOKE, _REFUSE, _IMPORT, _AUTHOR, _REPOSITORY, _LOCAL = (
    "approve",
    "revoke",
    "refuse",
    "import",
    "author",
    "repository",
    "foreign",
)


class ApprovalSet(NamedTuple):
    """What a user approved in a project.

    Attributes:
        marks: of texts, tracked lines and files; see `mark_of` and the other functions of marks.
        authors: e-mail addresses, in lower case, whose commits are trusted.
        keys: fingerprints of keys whose commits are trusted.
        remotes: the remotes it was fetched from when the whole repository was trusted; None if it
            is not.
        local: whether content here that did not come by git is this person's own.
        refused: marks of tracked lines that this person rejected, with the author of each by id.
        imported: marks of tracked lines and places that came from an archive. They wait for their
            approval even where whatever did not come by git is this person's own.
        strangers: addresses that an approval of the whole repository does not cover; None if it
            was not given.
    """

    marks: frozenset[str] = frozenset()
    authors: frozenset[str] = frozenset()
    remotes: frozenset[str] | None = None
    local: bool = False
    keys: frozenset[str] = frozenset()
    refused: Mapping[str, str] = {}
    imported: frozenset[str] = frozenset()
    strangers: frozenset[str] | None = None

    def believes(self, who: Author) -> bool:
        """Return whether a line's author and mover are trusted, by address or signature."""
        if who.mover is not None and not self.believes(who.mover):
            return False
        if self.strangers is not None and who.email not in self.strangers:
            return True
        return who.email in self.authors or who.key in self.keys

    def covers(self, line: Record) -> bool:
        """Return whether this very line of the tracked ledger was approved.

        By its text as well as by its hash: whoever writes two lines can make them share 64 bits.
        """
        says = line.deleted_at is not None or mark_of(line) in self.marks
        return says and line_mark(line.hash) in self.marks

    def owns(self, line: Record) -> bool:
        """Return whether this person added this very line to the tracked ledger from here.

        Marks of earlier releases name the hash alone.
        """
        return own_mark(line) in self.marks or OWN + line.hash.removeprefix("~") in self.marks

    def holds(self, record: Record) -> bool:
        """Return whether a memory is held back because of its sources."""
        if not record.trust and self.local:
            return False  # a line from another program of this person's, which claims no trust
        return trust_of(record) not in TRUSTED and mark_of(record) not in self.marks


def trust_of(record: Record) -> str:
    """Return a record's trust: a line edited by hand counts as imported.

    "" is a line from another program, which claims no trust.
    """
    return IMPORTED if record.edited and record.trust not in (REPO, UNAPPROVED) else record.trust


def trust_from(writer: str, record: Record, *, same: Iterable[Record] = ()) -> str:
    """Return the trust of a memory's new text: what waits is let in by a person, not by wording.

    `same` are the memory's earlier versions that say the new text.
    """
    sources = [*same, *([record] if writer != USER else ())]
    return next((one for one in map(trust_of, sources) if one not in TRUSTED), writer)


def mark_of(record: Record) -> str:
    """Return what a private memory's approval depends on: its kind and whole text."""
    text = f"{record.kind}\0{record.key}\0{record.title}\0{record.content}"
    return digest(text.encode("utf-8", "replace")).hex()[:32]


def line_mark(line_hash: str) -> str:
    """Return what a tracked line's approval depends on: all of its bytes."""
    return f"line:{line_hash.removeprefix('~')}"


def own_mark(line: Record) -> str:
    """Return the mark of a line that the user added to the tracked ledger from here.

    Its text counts as well: a stranger may have written what this person imported and shared.
    """
    return f"{OWN}{line.hash.removeprefix('~')}:{mark_of(line)}"


def file_mark(path: str, data: bytes) -> str:
    """Return what a file's approval depends on: its path in the work tree, and its bytes."""
    named = path.encode("utf-8", "surrogateescape") + b"\0" + data
    return f"file:{digest(named).hex()[:32]}"


def place_mark(path: str) -> str:
    """Return the mark of a place in the work tree that an archive put a file into.

    Only the first look counts: what is written there after it is judged like any other file.
    """
    return f"place:{path}"


def is_key(text: str) -> bool:
    """Return whether an author is named by a key's fingerprint, not by an address."""
    if text.startswith(_SSH):
        rest = text.removeprefix(_SSH)
        return len(rest) == _SSH_LENGTH and not rest.strip(_BASE64)
    return len(text) in _OPENPGP_LENGTHS and not text.strip(_HEX)


def _named(author: str) -> str:
    return author if is_key(author) else author.lower()


class Approvals:
    """Reads and writes a user's approvals in a project.

    Args:
        ledger: a private ledger of its own.
        held: marks that wait, but could not be written there.
    """

    def __init__(self, ledger: Ledger, *, held: frozenset[str] = frozenset()) -> None:
        self.ledger = ledger
        self._held = held

    def load(self) -> ApprovalSet:
        """Read the current approvals."""
        try:
            data = self._lines()
        except StoreError:
            data = b""  # what cannot be read approves nothing; `doctor` reports it
        if not data.strip():
            return ApprovalSet(imported=self._held)
        ours = [one for one in records_in(data) if one.kind == KIND and not one.edited]
        marks: set[str] = set()
        authors: set[str] = set()
        remotes: frozenset[str] | None = None
        local = False
        refused: dict[str, str] = {}
        imported: set[str] = set()
        for record in sorted(ours, key=lambda one: (one.ts, one.id)):
            said = record.data or {}
            given = {str(one) for one in said.get("marks") or ()}
            op, on = said.get("op"), bool(said.get("on"))
            if op in (_APPROVE, _REVOKE):
                marks = marks | given if op == _APPROVE else marks - given
                refused = {one: ident for one, ident in refused.items() if one not in given}
            elif op == _REFUSE:
                marks -= given
                refused |= dict(zip(said.get("marks") or (), said.get("ids") or (), strict=False))
            elif op == _IMPORT:
                imported |= given
                marks -= given
            elif op == _AUTHOR:
                authors = authors | given if on else authors - given
            elif op == _REPOSITORY:
                remotes = frozenset(given) if on else None
            elif op == _LOCAL:
                local = on
        keys = {one for one in authors if is_key(one)}
        return ApprovalSet(
            frozenset(marks),
            frozenset(authors - keys),
            remotes,
            local=local,
            keys=frozenset(keys),
            refused=refused,
            imported=frozenset(imported) | (self._held - marks),
        )

    def approve(self, marks: Iterable[str], *, ids: Sequence[str] = ()) -> int:
        """Approve texts; return how many were not approved before."""
        rules = self.load()
        new = sorted(set(marks) - rules.marks | set(marks) & rules.refused.keys())
        if new:
            self._write({"op": _APPROVE, "marks": new, "ids": list(ids)})
        return len(new)

    def revoke(self, marks: Iterable[str]) -> None:
        """Revoke approvals of texts."""
        self._write({"op": _REVOKE, "marks": sorted(set(marks))})

    def refuse(self, lines: Mapping[str, str]) -> None:
        """Reject tracked lines for this person, by their marks and ids."""
        self._write({"op": _REFUSE, "marks": [*lines], "ids": [*lines.values()]})

    def hold(self, marks: Iterable[str]) -> None:
        """Let tracked lines and places that come from an archive wait for approval."""
        given = sorted(set(marks))
        if given:
            self._write({"op": _IMPORT, "marks": given})

    def believe_authors(self, addresses: Iterable[str], *, on: bool = True) -> None:
        """Trust, or stop trusting, commits by these addresses or signed by these keys."""
        given = sorted({_named(one.strip()) for one in addresses if one.strip()})
        rules = self.load()
        known = rules.authors | rules.keys
        if set(given) - known if on else set(given) & known:
            self._write({"op": _AUTHOR, "on": on, "marks": given})

    def believe_repository(self, remotes: Iterable[str], *, on: bool) -> None:
        """Trust, or stop trusting, whatever this repository brings from these remotes."""
        given = frozenset(remotes) if on else None
        if self.load().remotes != given:
            self._write({"op": _REPOSITORY, "on": on, "marks": sorted(given or ())})

    def believe_local(self, *, on: bool) -> None:
        """Trust, or stop trusting, local content that did not come by git."""
        if self.load().local != on:
            self._write({"op": _LOCAL, "on": on})

    def _lines(self) -> bytes:
        paths = (self.ledger.archive, self.ledger.path)
        return b"\n".join([read_file(path, most=TOLD_SIZE) for path in paths])

    def _write(self, data: dict[str, object]) -> None:
        self._lines()  # raises where nothing would be read back, and so nothing approved
        self.ledger.append([Record(kind=KIND, source=USER, data=data)])
