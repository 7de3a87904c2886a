"""`save_memory`: a change to an instruction file is proposed, shown, then made as shown."""

from __future__ import annotations

import difflib
import os
import stat
from collections.abc import Callable, Sequence

from satchel.core.errors import BadInputError, ConflictError
from satchel.core.redaction.redactor import redact
from satchel.core.trust import clean_text
from satchel.core.values import NamedTuple
from satchel.engine.markdown.sections import sections
from satchel.engine.statements.contradictions import SAME, Clash
from satchel.features.instructions.code_regions import markdown_regions
from satchel.features.instructions.scanning import CLAUDE, GEMINI, mentions
from satchel.storage.files import open_file, replace_file
from satchel.storage.locks import FileLock

_BOM = b"\xef\xbb\xbf"
_BULLET = "- "
_LONGEST_SECTION = 120
#: Name of an instruction file -> the section where its own client keeps such entries.
_SECTIONS = {"GEMINI": "Gemini Added Memories", "BEANS": "Beans Added Memories"}
OTHERWISE = "Added Memories"


def section_of(name: str) -> str:
    """Return the section for entries, by the file's name."""
    stem = os.path.basename(name).partition(".")[0].upper()
    return _SECTIONS.get(stem, OTHERWISE)


def heading_text(text: str) -> str:
    """Return a text as a valid heading: one line, without leading marks."""
    return entry_text(text)[:_LONGEST_SECTION].strip()


def entry_text(text: str, *, secrets: bool = False) -> str:
    """Return a text as a valid entry: one line; no heading, item, tag or import.

    Line ends become spaces; leading hyphens and hashes are removed; `<` and `>` become spaces;
    terminal sequences, controls and direction marks are removed, and secrets too, unless the file
    is the person's own (`secrets`). An import is put in backticks, so that an entry never imports a
    file.
    """
    line = " ".join(clean_text(text).split("\n")).replace("\t", " ")
    line = line.replace("<", " ").replace(">", " ").strip()
    while line[:1] in ("-", "#") and line:
        line = line[1:].lstrip()
    if not secrets:
        line = redact(line)[0]
    return _without_imports(line).strip()


def _without_imports(line: str) -> str:
    for dialect in (CLAUDE, GEMINI):
        for mention in reversed(mentions(line, dialect)):
            written = line[mention.start : mention.end]
            # A backtick in it would end the span; scanners that stop at one leave none.
            line = (
                line[: mention.start] + "`" + written.replace("`", "") + "`" + line[mention.end :]
            )
    return line


def with_entry(data: bytes, entry: str, section: str) -> bytes:
    """Return a file with `- entry` appended to a section's own text.

    A missing section is added at the end, after one blank line. A heading in code or in a comment
    does not count. Raises `BadInputError` if the entry would be in either.
    """
    bom = _BOM if data.startswith(_BOM) else b""
    text = data[len(bom) :].decode("utf-8", "surrogateescape")
    newline = "\r\n" if "\r\n" in text and text.count("\r\n") * 2 >= text.count("\n") else "\n"
    line = _BULLET + entry + newline
    at = _end_of(text, section)
    if at is None:
        before = text if not text or text.endswith("\n") else text + newline
        gap = "" if not before or before.endswith(newline * 2) else newline
        made = f"{before}{gap}## {section}{newline}{line}"
    else:
        before, after = text[:at], text[at:]
        if before and not before.endswith("\n"):
            before += newline
        made = before + line + after
    start = len(made) - len(line) if at is None else len(before)
    if _hidden(made, start):
        raise BadInputError(
            "The entry would land inside a code block or a comment that does not end.",
            hint="Close it in the file, or give another --section.",
        )
    return bom + made.encode("utf-8", "surrogateescape")


def _end_of(text: str, title: str) -> int | None:
    """Return the end of a section's own text, without trailing blank lines."""
    found = [
        section
        for section in sections(text)
        if section.level and section.title == title and not _hidden(text, section.start)
    ]
    if not found:
        return None
    section = next((one for one in found if one.level == 2), found[0])  # noqa: PLR2004
    own = text[section.start : section.end]
    kept = own.rstrip()
    end = section.start + len(kept)
    newline = text.find("\n", end)
    return len(text) if newline < 0 else newline + 1


def _hidden(text: str, at: int) -> bool:
    """Return whether a position is in code or a comment, where no agent sees a rule."""
    regions = markdown_regions(text, comments=True)
    return any(begin <= at < end for begin, end in regions)


#: Everybody can read an instruction file that git tracks; others are the person's own.
_TRACKED, _OWN = 0o644, 0o600
_LARGEST = 1_048_576
_OTHER_ENCODINGS = (b"\xff\xfe", b"\xfe\xff")
_WRITABLE = 0o222


class Change(NamedTuple):
    """A file's current content (None: missing) and its new one."""

    path: str
    before: bytes | None
    after: bytes


class Proposal(NamedTuple):
    """A change that is not yet agreed to.

    Attributes:
        entry: the text as kept.
        section: where it goes.
        target: the file; links are followed, so that a link stays one.
        changes: to the file and, for a local one, to `.gitignore`. Empty if it already exists.
        clashes: rules that say the same or the contrary.
        lock: file to lock while writing.
        own: whether the target is the person's alone.
    """

    entry: str
    section: str
    target: str
    changes: tuple[Change, ...]
    clashes: tuple[Clash, ...]
    lock: str
    own: bool = False
    notes: tuple[str, ...] = ()

    @property
    def repeats(self) -> Clash | None:
        """Return the rule that already says this, if any."""
        return next((one for one in self.clashes if one.what == SAME), None)

    @property
    def diff(self) -> str:
        """Return the change as a unified diff."""
        return "".join(_diff(change) for change in self.changes)

    def apply(self) -> list[str]:
        """Make the change; return the paths written.

        Raises `ConflictError`, and writes nothing, if a file is not as it was shown.
        """
        written = []
        with FileLock(self.lock, timeout=10):
            for change in self.changes:
                if _contents(change.path) != change.before:
                    raise ConflictError(
                        f"{change.path} has changed since the diff was made; nothing was written.",
                        hint="Run the command again and look at the new diff.",
                    )
            for change in self.changes:
                _write(change, own=self.own)
                written.append(change.path)
        return written


class Target(NamedTuple):
    """An entry's target: its path, whether git may see it, and where it must really be."""

    path: str
    own: bool
    within: tuple[str, ...]


def propose(
    content: str,
    target: Target,
    section: str,
    *,
    lock: str,
    clashing: Callable[[str], Sequence[Clash]],
    ignoring: Callable[[str], tuple[Change | None, str]] | None = None,
    anyway: bool = False,
) -> Proposal:
    """Return a proposal.

    Args:
        content: what to keep; see `entry_text` for how it is converted.
        target: where.
        section: heading to add it under.
        lock: see `Proposal`.
        clashing: returns the rules that an entry clashes with.
        ignoring: returns the change to `.gitignore` that hides a path from git, and a note.
        anyway: write an entry even if it already exists.

    Raises `BadInputError` if nothing is left of the content, or the target is elsewhere than it
    says.
    """
    entry = entry_text(content, secrets=target.own)
    if not entry:
        raise BadInputError(
            "There is nothing to save.",
            hint="Give a sentence; punctuation and control characters alone are not kept.",
        )
    heading = heading_text(section)
    if not heading:
        raise BadInputError("The section's name is empty.", hint="Give --section a heading.")
    path = _real_target(target)
    found = tuple(clashing(entry))
    repeated = any(one.what == SAME for one in found) and not anyway
    before = _contents(path)
    if before is not None and not os.stat(path).st_mode & _WRITABLE:
        raise ConflictError(
            f"{path} is marked read-only.", hint="`chmod u+w` it, or choose another."
        )
    changes = [] if repeated else [Change(path, before, with_entry(before or b"", entry, heading))]
    notes: list[str] = []
    if entry != entry_text(content, secrets=True):
        notes.append("secrets were removed from it")
    if ignoring is not None and not repeated:
        change, note = ignoring(path)
        # First, so that git never sees the file, even if the second write fails.
        changes = [change, *changes] if change else changes
        notes += [note] if note else []
    return Proposal(
        entry,
        heading,
        path,
        changes=tuple(changes),
        clashes=found,
        lock=lock,
        own=target.own,
        notes=tuple(notes),
    )


def _real_target(target: Target) -> str:
    from satchel.storage.safe_open import is_within

    real = os.path.realpath(target.path)
    if not any(is_within(real, place) for place in target.within):
        raise BadInputError(
            f"{target.path} points to {real}, where instruction files are not written.",
            hint="Give the path of the file itself, or another target.",
        )
    if os.path.lexists(real) and not os.path.isfile(real):
        raise BadInputError(f"{real} is not a regular file.", hint="Choose another target.")
    return real


def ignore_change(root: str, path: str) -> Change:
    """Return the change to the top `.gitignore` that hides a file from git."""
    ignore = os.path.join(root, ".gitignore")
    if os.path.islink(ignore) or (os.path.exists(ignore) and not os.path.isfile(ignore)):
        raise ConflictError(
            f"{ignore} is not an ordinary file, so nothing is added to it.",
            hint="Make it a file, or name the local file in .git/info/exclude yourself.",
        )
    before = _contents(ignore)
    text = before or b""
    newline = b"\r\n" if b"\r\n" in text else b"\n"
    gap = b"" if not text or text.endswith(b"\n") else newline
    below = "/" + os.path.relpath(path, root).replace(os.sep, "/")
    line = "".join("\\" + c if c in "*?[]\\ " else c for c in below).encode("utf-8", "replace")
    return Change(ignore, before, text + gap + line + newline)


def _contents(path: str) -> bytes | None:
    try:
        with open_file(path) as file:
            data = file.read(_LARGEST + 1)
    except FileNotFoundError:
        return None
    if b"\0" in data or data.startswith(_OTHER_ENCODINGS):
        raise BadInputError(
            f"{path} is not UTF-8 text, so no agent reads it.", hint="Convert it to UTF-8 first."
        )
    if len(data) > _LARGEST:
        raise BadInputError(
            f"{path} has more than {_LARGEST // 1024} KB.",
            hint="Split it: no agent reads that much.",
        )
    return data


def _write(change: Change, *, own: bool) -> None:
    """Replace a file atomically, keeping its mode."""
    try:
        mode = stat.S_IMODE(os.stat(change.path).st_mode)
    except OSError:
        ignored = os.path.basename(change.path) == ".gitignore"
        mode = _OWN if own and not ignored else _TRACKED
    replace_file(change.path, change.after, mode=mode)
    if stat.S_IMODE(os.stat(change.path).st_mode) != mode:
        os.chmod(change.path, mode)


def _diff(change: Change) -> str:
    def lines(data: bytes | None) -> list[str]:
        text = clean_text((data or b"").decode("utf-8", "replace"))
        return text.splitlines(keepends=True)

    name = clean_text(change.path).replace("\n", " ")
    before = "/dev/null" if change.before is None else name
    told = difflib.unified_diff(lines(change.before), lines(change.after), before, name)
    return "".join(line if line.endswith("\n") else line + "\n" for line in told)
