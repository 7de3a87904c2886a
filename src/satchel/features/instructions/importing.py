"""Expands imports in three dialects, within limits that guarantee termination.

Cycles are reported. A file that two others import is not a cycle: with `once` it is shown only
where it comes first, otherwise every time, up to the run's limits.
"""

from __future__ import annotations

import os

from satchel.core.trust import clean_text
from satchel.features.instructions.code_regions import block_comments
from satchel.features.instructions.front_matter import read_front_matter
from satchel.features.instructions.reading import CHANGED, Reader, Text
from satchel.features.instructions.scanning import (
    APART,
    BEANS,
    CLAUDE,
    GEMINI,
    Mention,
    circle_note,
    closing_note,
    depth_note,
    mentions,
    opening_note,
    refusal_note,
    shown_note,
)
from satchel.features.instructions.values import Expanded, Fragment, Frame, Limits, Problem
from satchel.storage.safe_open import ELSEWHERE, MISSING

_SCHEMES = ("file:", "http:", "https:")
_LONGEST_PATH = 4096
_MARKDOWN = (".md",)
#: Punctuation after a name, which Claude Code takes as part of it.
_PUNCTUATION = ",.;:!?)]}'\""
_HEADS = (b"---", b"\xef\xbb\xbf---")
#: The word for text that looks like an import but is none.
_NO_IMPORT = "no-import"
#: Most names that one run looks up on disk; a text may have tens of thousands.
_MOST_LOOKS = 2000


class Importer:
    """Expands the texts of one run; a file already shown is not repeated.

    Args:
        reader: reads permitted files.
        limits: of the whole run.
        home: what `~` stands for.
    """

    def __init__(self, reader: Reader, limits: Limits, home: str) -> None:
        self._reader = reader
        self._limits = limits
        self._home = home
        self._files = limits.files
        self._bytes = limits.bytes
        self._looks = _MOST_LOOKS
        self._told_full = False
        #: Files that were shown: identity -> the file that imports it; "" for none.
        self.shown: dict[tuple[int, int], str] = {}
        self._mentions: dict[tuple[tuple[int, int], int, int, str], list[Mention]] = {}
        self._pieces: list[Fragment] = []
        self._problems: list[Problem] = []

    def expand(
        self,
        text: str,
        *,
        dialect: str,
        directory: str,
        owner: str,
        path: str = "",
        identity: tuple[int, int] = (0, 0),
        first_line: int = 1,
    ) -> Expanded:
        """Expand a text's imports; see `Expanded`.

        Args:
            text: of the file, without front matter.
            dialect: one of `scanning.DIALECTS`.
            directory: the base of relative paths.
            owner: whose trust applies to imports.
            path: of the file; "" if none.
            identity: of the file, to detect a cycle back to it.
            first_line: line of the file at which `text` begins.
        """
        self._pieces, self._problems = [], []
        chain = (identity,) if identity != (0, 0) else ()
        for one in chain:
            self.shown[one] = ""
        frame = Frame(path, directory, owner, first_line, chain)
        if dialect in APART:
            self._apart(text, frame, self._found(text, frame, dialect), dialect)
        else:
            self._in_place(text, frame, dialect)
        return Expanded(self._pieces, self._problems)

    # The two ways of putting together

    def _in_place(self, text: str, frame: Frame, dialect: str) -> None:
        """Insert each import where it is named, between comments."""
        found = self._found(text, frame, dialect)
        deep = frame.depth >= self._limits.depth
        if deep and found:
            self._say_depth(frame, found[0])
            found = [] if dialect == GEMINI else found
        out, done, line = "", 0, frame.first_line
        for number, mention in enumerate(found):
            out += text[done : mention.start]
            done = mention.end
            if deep:
                out += depth_note(mention.path)
                continue
            file, note = self._import(mention, frame, dialect, number)
            if file is None:
                out += text[mention.start : mention.end] if note is None else note
                continue
            out += opening_note(mention.path) + "\n"
            line = self._put(out, frame, line, text, done)
            self._in_place(file.text, _inside(frame, file, mention), dialect)
            out = "\n" + closing_note(mention.path, dialect)
        self._put(out + text[done:], frame, line, text, len(text))

    def _apart(self, text: str, frame: Frame, found: list[Mention], dialect: str) -> None:
        """Leave the text unchanged and append its imports."""
        files: list[tuple[Text, Mention]] = []
        edits = [(start, end, "") for start, end in block_comments(text)]
        number = 0
        for mention in found:
            file, note = self._import(mention, frame, dialect, number)
            if file is not None:
                files.append((file, mention))
            if note:
                edits.append((mention.end, mention.end, " " + note))
            # `@somebody` is not an import, and does not count as one.
            number += file is not None or note is not None
        whole = _edited(text, edits)
        if frame.depth:
            opened = opening_note(frame.written) + "\n"
            closed = "\n" + closing_note(frame.written, BEANS)
            whole = "\n" + opened + whole.rstrip("\n") + closed
        self._put(whole, frame, frame.first_line, text, len(text))
        for file, mention in files:
            inner = _inside(frame, file, mention)
            # Claude Code does not read files five hops away: one less than the others.
            deep = inner.depth >= self._limits.depth - 1
            named = self._found(file.text, inner, dialect)
            if deep and named:
                self._say_depth(inner, named[0])
            self._apart(file.text, inner, [] if deep else named, dialect)

    # One import

    def _import(
        self, mention: Mention, frame: Frame, dialect: str, number: int
    ) -> tuple[Text | None, str | None]:
        """Read an imported file; or return None and the placeholder, None for nothing."""
        self._looks -= 1
        if self._looks < 0:
            return None, self._full(mention, frame, dialect)
        path = self._target(mention.path, frame)
        why = self._objection(mention, path, dialect, number)
        if why:
            quiet = why[0] == _NO_IMPORT
            return None, None if quiet else self._refused(why, mention, frame, dialect)
        file = self._reader.read(path, frame.owner)
        if not file.refused:
            return self._fitting(file, mention, frame, dialect)
        vague = "/" not in mention.path and not mention.path.endswith(_MARKDOWN)
        if file.refused == MISSING and dialect in APART and vague:
            return None, None
        why = (file.refused, file.told, file.real)
        return None, self._refused(why, mention, frame, dialect)

    def _objection(
        self, mention: Mention, path: str, dialect: str, number: int
    ) -> tuple[str, str, str] | None:
        """Return why a path may not be read, before accessing it."""
        limits, extensions = self._limits, self._extensions(dialect)
        if limits.per_file and number >= limits.per_file:
            return "count", f"more than {limits.per_file} imports in one file", ""
        if not path:
            told = "it is an address" if ":" in mention.path else "no file can have this name"
            return ELSEWHERE, told, ""
        if dialect in APART and not os.path.lexists(path):
            bare = mention.path.rstrip(_PUNCTUATION)
            more = mention.path[len(bare) :]
            if more and os.path.lexists(path.removesuffix(more)):
                told = f"its name ends in {more!r}, and {bare} is another file"
                return MISSING, told, ""
            if not path.endswith(_MARKDOWN):
                return _NO_IMPORT, "", ""  # `@somebody`, `@param`: nobody meant a file
        if not extensions or path.endswith(extensions):
            return None
        return "extension", f"only {', '.join(extensions)} files are imported", ""

    def _extensions(self, dialect: str) -> tuple[str, ...]:
        if self._limits.extensions is not None:
            return self._limits.extensions
        return () if dialect in (GEMINI, CLAUDE) else _MARKDOWN

    def _fitting(
        self, file: Text, mention: Mention, frame: Frame, dialect: str
    ) -> tuple[Text | None, str | None]:
        """Accept a file unless it is of another kind, already shown, or too much."""
        extensions = self._extensions(dialect)
        if extensions and not file.real.endswith(extensions):
            told = f"only {', '.join(extensions)} files are imported"
            return None, self._refused(("extension", told, ""), mention, frame, dialect)
        if file.identity in frame.chain:
            told = "it imports itself, directly or through others"
            self._tell(("circle", told, file.real), mention, frame)
            return None, circle_note(mention.path, dialect)
        if self._limits.once and file.identity in self.shown:
            return None, None if dialect in APART else shown_note(mention.path)
        cost = len(file.text.encode("utf-8", "replace")) + 2 * len(mention.path) + 64
        if self._files <= 0 or cost > self._bytes:
            return None, self._full(mention, frame, dialect)
        head = read_front_matter(file.data) if file.data.startswith(_HEADS) else None
        if head is not None and dialect != GEMINI:
            if not head.enabled:
                why = ("disabled", "it says `enabled: false`", "")
                return None, self._refused(why, mention, frame, dialect)
            body = clean_text(head.body.decode("utf-8", "replace"))
            file = file._replace(text=body, first_line=head.body_line)
        self._files -= 1
        self._bytes -= cost
        self.shown[file.identity] = frame.path
        return file, None

    def _target(self, written: str, frame: Frame) -> str:
        """Return the import's absolute path; "" if it does not name a file."""
        lowered = written.lower()
        if lowered.startswith(_SCHEMES) or "\0" in written or len(written) > _LONGEST_PATH:
            return ""
        if written == "~" or written.startswith("~/"):
            return os.path.normpath(os.path.join(self._home, written[2:]))
        return os.path.normpath(os.path.join(frame.directory, written))

    def _refused(
        self, why: tuple[str, str, str], mention: Mention, frame: Frame, dialect: str
    ) -> str | None:
        """Record a refusal (its word, a sentence, the real path); return the placeholder."""
        self._tell(why, mention, frame)
        return refusal_note(mention.path, dialect, why[0], why[1])

    def _full(self, mention: Mention, frame: Frame, dialect: str) -> str | None:
        """Report once that the run's limits are reached; later texts stay unexpanded."""
        if self._told_full:
            return None
        self._told_full = True
        told = f"imports bring at most {self._limits.files} files and {self._limits.bytes:,} bytes"
        return self._refused(("full", told, ""), mention, frame, dialect)

    def _say_depth(self, frame: Frame, mention: Mention) -> None:
        told = f"Maximum import depth ({self._limits.depth}) reached. Stopping import processing."
        self._tell(("depth", told, ""), mention, frame)

    def _found(self, text: str, frame: Frame, dialect: str) -> list[Mention]:
        if not frame.chain:
            return mentions(text, dialect)
        # The same file may be read with or without its head, and in parts.
        key = (frame.chain[-1], frame.first_line, len(text), dialect)
        if key not in self._mentions:
            self._mentions[key] = mentions(text, dialect)
        return self._mentions[key]

    def _tell(self, why: tuple[str, str, str], mention: Mention, frame: Frame) -> None:
        what, told, real = why
        approvable = what in (ELSEWHERE, CHANGED) and real and "closed" not in told
        hint = "`satchel memory trust PATH` approves it as it is." if approvable else ""
        self._problems.append(Problem(what, real or mention.path, told, hint, where=frame.path))

    def _put(self, piece: str, frame: Frame, line: int, text: str, end: int) -> int:
        """Add a piece of the frame's file up to `text[end]`; return the next line."""
        following = frame.first_line + text.count("\n", 0, end)
        last = following - (end > 0 and text[end - 1] == "\n")
        if piece:
            self._pieces.append(
                Fragment(
                    frame.path,
                    piece,
                    line,
                    last_line=max(line, last),
                    imported_from=frame.imported_from,
                    depth=frame.depth,
                )
            )
        return following


def _edited(text: str, edits: list[tuple[int, int, str]]) -> str:
    """Return a text with parts replaced; replacements inside others are dropped."""
    out, done = list[str](), 0
    for start, end, instead in sorted(edits):
        if start >= done:
            out += [text[done:start], instead]
            done = end
    return "".join([*out, text[done:]])


def _inside(frame: Frame, file: Text, mention: Mention) -> Frame:
    return Frame(
        file.path,
        os.path.dirname(file.path),
        file.owner,
        first_line=file.first_line,
        chain=(*frame.chain, file.identity),
        depth=frame.depth + 1,
        imported_from=frame.path,
        written=mention.path,
    )
