"""Markers: upper-case prefixes such as `LEARNED:` that turn part of a comment into a memory."""

import re
from bisect import bisect_right
from collections.abc import Iterator

from satchel.core.kinds import KINDS, KNOWLEDGE, kinds_for
from satchel.core.trust import TRUST_ORDER
from satchel.core.values import NamedTuple

MAX_CONTENT_BYTES = 64 * 1024


class MarkedPassage(NamedTuple):
    """A marked passage. `tags` has what the prefix says besides its kind."""

    kind: str
    content: str
    tags: tuple[str, ...]


_MEANINGS: dict[str, tuple[str, tuple[str, ...]]] = {
    **{word: (kind.name, ()) for kind in KINDS.values() for word in kind.markers},
    "INVESTIGATION": ("learned", ("investigation",)),
    "PATTERN": ("learned", ("pattern",)),
}

#: How people name what they want kept, in `satchel learn "RULE: ..."`.
_SAID = {
    word: name
    for name in kinds_for(KNOWLEDGE)
    for word in (KINDS[name].label, *KINDS[name].markers)
}

#: The prefixes as they are written, for help and documentation.
PREFIXES = tuple(_MEANINGS)
# Longest first: otherwise NEXT would match in NEXT STEPS.
_NAMES = "|".join(sorted(PREFIXES, key=len, reverse=True)).replace("_", "[ _-]")

# A marker stands at the start, after blank space or after the end of a sentence; Markdown may
# surround it (a list item, a heading, bold). "LEARNED:, PATTERN: etc." talks about markers.
_MARKER = re.compile(
    r"(?:(?:^|(?<=\n))[ \t]*(?:[-*+>]|\#{1,6}|[0-9]{1,3}[.)])[ \t]+|(?<![^\s.;!?]))"
    r"(?P<bold>\*\*|__)?"
    rf"(?P<name>{_NAMES})"
    r"(?P<closed>\*\*|__)?:(?![:,;)\]}]|\.(?:\s|$))"
)

_LABELS = "|".join(sorted({kind.label for kind in KINDS.values()}))
# A repeated line of a brief: already known.
_ECHO = re.compile(rf"\[(?P<label>{_LABELS})\]\s")
#: What follows a memory in a brief: `(Ann, repo, 3 d)`.
_ORIGIN = re.compile(rf"\s\((?:[^()]{{1,80}}, )?(?:{'|'.join(TRUST_ORDER)}), [^()]{{1,80}}\)\Z")

# What is quoted is talked about, not said. A quote opens after blank space or a bracket and
# closes before something that is not a letter, so that neither don't nor 5" begins one; it stays
# on its line. Code may be fenced over several lines.
_QUOTED = re.compile(
    r"(?P<fence>```|~~~)"
    r"|(?P<ticks>`{1,2})(?!`)"
    r"|(?<![^\s(\[{=:,])(?P<quote>[\"'\u201c\u2018])(?=\S)"
)
_CLOSING = {"\u201c": "\u201d", "\u2018": "\u2019"}


def find_markers(text: str) -> list[MarkedPassage]:
    """Return every marked passage of a comment, in order.

    A passage reaches to the next marker or to the end. Markers in back-ticks, fenced code or
    quotes do not count, and passages without words give nothing.
    """
    text = encodable_text(text)
    if ":" not in text:
        return []
    found = _outside(_MARKER.finditer(text), text)
    passages = []
    ends = [marker.start() for marker in found[1:]] + [len(text)]
    for here, end in zip(found, ends, strict=False):
        content = text[here.end() : end]
        if here["bold"] and not here["closed"]:
            content = content.lstrip().removeprefix(here["bold"])
        content = bounded(content)
        if content and not _only_punctuation(content) and not _ECHO.match(content):
            kind, tags = _MEANINGS[here["name"].replace(" ", "_").replace("-", "_")]
            passages.append(MarkedPassage(kind, content, tags))
    return passages


def kind_said(text: str) -> tuple[str, str]:
    """Return the kind that a text names at its start, and the rest: "RULE: use tabs".

    Without such a word the kind is "". Of a brief's line, the rest is the memory alone.
    """
    echo = _ECHO.match(text)
    if echo:
        rest = _ORIGIN.sub("", text[echo.end() :].strip()).strip()
        return (_SAID[echo["label"]], rest) if rest and echo["label"] in _SAID else ("", text)
    name, colon, rest = text.partition(":")
    kind = _SAID.get(name.strip().replace(" ", "_").replace("-", "_"), "") if colon else ""
    return (kind, rest.strip()) if kind and rest.strip() else ("", text)


def is_echo(text: str) -> bool:
    """Return whether a text repeats a brief's line."""
    return _ECHO.match(text) is not None


def begins_with_marker(text: str) -> bool:
    """Return whether `text` begins with a marker."""
    return _MARKER.match(text) is not None


def bounded(content: str) -> str:
    """Strip `content` and cut it to 64 KiB, never inside a character."""
    content = content.strip()
    raw = content.encode()
    if len(raw) <= MAX_CONTENT_BYTES:
        return content
    return raw[:MAX_CONTENT_BYTES].decode(errors="ignore").rstrip()


def encodable_text(text: str) -> str:
    """Replace what cannot be encoded as UTF-8: lone surrogates, which JSON allows."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _only_punctuation(content: str) -> bool:
    return all(c.isascii() and not c.isalnum() for c in content)


def _outside(markers: Iterator[re.Match[str]], text: str) -> list[re.Match[str]]:
    candidates = list(markers)
    if not candidates:
        return []
    spans = _quoted_spans(text)
    starts = [start for start, _ in spans]

    def free(marker: re.Match[str]) -> bool:
        at = bisect_right(starts, marker.start("name")) - 1
        return at < 0 or marker.start("name") >= spans[at][1]

    return [marker for marker in candidates if free(marker)]


def _quoted_spans(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    unclosed: dict[str, int] = {}  # a failed search here also fails later, up to this end
    at = 0
    while opening := _QUOTED.search(text, at):
        mark = opening.group()
        at = opening.end()
        limit = len(text) if opening["fence"] else _line_end(text, at, unclosed)
        if unclosed.get(mark, -1) >= at:
            continue
        end = _closing(text, _CLOSING.get(mark, mark), at, limit)
        if end < 0:
            unclosed[mark] = limit
        else:
            spans.append((opening.start(), end))
            at = end
    return spans


def _line_end(text: str, at: int, known: dict[str, int]) -> int:
    if known.get("\n", -1) < at:
        end = text.find("\n", at)
        known["\n"] = len(text) if end < 0 else end
    return known["\n"]


def _closing(text: str, mark: str, at: int, limit: int) -> int:
    """Return the end of the quotation opened before `at`, or -1."""
    while (found := text.find(mark, at, limit)) >= 0:
        at = found + len(mark)
        if mark[0] in "`~" or not text[at : at + 1].isalnum():
            return at
    return -1
