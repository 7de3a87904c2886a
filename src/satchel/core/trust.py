"""Trust: where a text comes from, what of it may be shown, and its fence for models.

Text from agents, tools, the web and files is data. It is cleaned of everything that a terminal,
page or model would obey unseen by the reader, and fenced before a model reads it.
"""

from __future__ import annotations

import os

from satchel.core.errors import BadInputError

USER = "user"
AGENT = "agent"
TOOL = "tool"
WEB = "web"
IMPORTED = "imported"
#: What came with a repository, whatever trust it claims.
REPO = "repo"
#: The same, before this person has approved it.
UNAPPROVED = "unapproved"
# Higher is trusted more. Imported text may be a teammate's or a stranger's: above the web.
TRUST_ORDER = {USER: 4, AGENT: 3, TOOL: 2, IMPORTED: 1, REPO: 1, WEB: 0, UNAPPROVED: 0}


#: Beads memory's name for whoever works in the main tree.
ORCHESTRATOR = "orchestrator"

FENCE = "satchel-memory"
#: How a fence's tags begin and end: as written, and as clients escape them for HTML.
_TAGS = (("<", ">"), ("&lt;", "&gt;"))
_ZWNJ = 0x200C
_ZWJ = 0x200D
_DROPPED_RANGES = (
    (0x00, 0x08),  # controls, but not tab and newline
    (0x0B, 0x1F),
    (0x7F, 0x9F),
    (0xAD, 0xAD),  # soft hyphen
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x061C, 0x061C),  # Arabic letter mark
    (0x115F, 0x1160),  # Hangul fillers
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),  # Mongolian selectors
    (0x200B, 0x200B),  # zero width space
    (0x200E, 0x200F),  # direction marks, embeddings, overrides
    (0x202A, 0x202E),
    (0x2060, 0x206F),  # joiners, invisible operators, isolates
    (0x3164, 0x3164),
    (0xFDD0, 0xFDEF),  # noncharacters
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0xFFFE, 0xFFFF),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),  # tags and more selectors: text inside text
)
_EMOJI_RANGES = ((0x2190, 0x2BFF), (0x1F000, 0x1FAFF), (0xFE0E, 0xFE0F))
_SELECTORS = (0xFE00, 0xFE0F)
_C1_ESCAPES = {
    "\x9b": "\x1b[",
    "\x9d": "\x1b]",
    "\x90": "\x1bP",
    "\x98": "\x1bX",
    "\x9e": "\x1b^",
    "\x9f": "\x1b_",
    "\x9c": "\x1b\\",
}
_NONCE_BYTES = 8
_MOST_PASSES = 16
_ANGLES = "<\uff1c\u2039\ufe64\u3008\u27e8\u2329\u00ab\u276e\u2770"
# Letters that look like those of our tag; full-width ones are folded by their offset.
_LOOKALIKES = {
    "\u0430": "a",
    "\u0435": "e",
    "\u0441": "c",
    "\u04bb": "h",
    "\u0455": "s",
    "\u0442": "t",
    "\u04cf": "l",
    "\u043c": "m",
    "\u043e": "o",
    "\u0443": "y",
    "\u0131": "i",
    "\u03bf": "o",
    "\u03b1": "a",
    "\u017f": "s",
    "\u0433": "r",
    "\u03c4": "t",
}
_FULL_WIDTH = 0xFEE0
_FENCE_LETTERS = "satchelmemory"
_WIDEST_GAP = 40


class _Table(dict[int, "int | str | None"]):
    """A lazy character table for `str.translate`."""

    def __missing__(self, code: int) -> int | str | None:
        kept: int | str | None = code
        if 0xD800 <= code <= 0xDFFF:  # noqa: PLR2004
            kept = "\ufffd"
        elif _within(code, _DROPPED_RANGES) or code & 0xFFFE == 0xFFFE:  # noqa: PLR2004
            kept = None
        self[code] = kept
        return kept


def refuse_agent(trust: str) -> None:
    """Raise `BadInputError` if an agent, of this trust, does what only a person may approve."""
    if trust != USER:
        raise BadInputError(
            "An agent is running this, and only a person may approve.",
            hint="Run it in a terminal of your own.",
        )


def _within(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= code <= last for first, last in ranges)


# Keep the escapes until their whole sequences are removed.
_before_escapes = _Table({ord(c): ord(c) for c in ("\x1b", "\x07", *_C1_ESCAPES)})
_after_escapes = _Table({0x2028: "\n", 0x2029: "\n"})


def clean_text(text: str) -> str:
    """Return `text` as safe for a model, a terminal or a page.

    Removes whole terminal sequences, control characters except newline and tab, direction controls
    and invisible characters; lone surrogates become U+FFFD. Printable ASCII is returned as it is.
    """
    if text.isascii() and (
        text.isprintable() or text.replace("\n", "").replace("\t", "").isprintable()
    ):
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x85", "\n")
    if "\x1b" in text or any(c in text for c in _C1_ESCAPES):
        text = _without_escapes(text.translate(_before_escapes))
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    text = text.translate(_after_escapes)
    if text.isascii():
        return text
    return _without_joiners(text)


def clean_line(text: str) -> str:
    """Clean `text` and put it on one line, with single spaces."""
    if text.isascii() and text.isprintable() and "  " not in text and text == text.strip():
        return text
    return " ".join(clean_text(text).split())


def _without_escapes(text: str) -> str:
    for c, escape in _C1_ESCAPES.items():
        text = text.replace(c, escape)
    parts = text.split("\x1b")
    out = [parts[0]]
    for i in range(1, len(parts)):
        ended = i + 1 < len(parts) and parts[i + 1].startswith("\\")
        out.append(_after_escape(parts[i], ended=ended))
    return "".join(out)


def _after_escape(part: str, *, ended: bool) -> str:
    r"""Return the text between two escape characters without the sequence.

    `ended` says that the next one ends a string (`ESC \`). An unterminated string is removed up to
    the end of its line, so that it cannot swallow the whole text.
    """
    first = part[:1]
    if first == "[":
        at = 1
        while at < len(part) and "\x20" <= part[at] <= "\x3f":
            at += 1
        return part[at + 1 :] if "\x40" <= part[at : at + 1] <= "\x7e" else part[at:]
    if first and first in "]PX^_":
        bell = part.find("\x07") if first == "]" else -1
        if bell >= 0:
            return part[bell + 1 :]
        line_end = part.find("\n")
        return "" if ended or line_end < 0 else part[line_end:]
    at = 0
    while at < len(part) and "\x20" <= part[at] <= "\x2f":
        at += 1
    return part[at + 1 :] if "\x30" <= part[at : at + 1] <= "\x7e" else part[at:]


def _without_joiners(text: str) -> str:
    """Keep joiners and selectors only where they affect rendering.

    One ZWJ between two emoji, one ZWNJ between two letters that are not ASCII, one variation
    selector after a character that may have forms. Longer runs hide messages.
    """
    if not any(mark in text for mark in _SHAPERS):
        return text
    out: list[str] = []
    last = 0
    for i, c in enumerate(text):
        code = ord(c)
        following = ord(text[i + 1]) if i + 1 < len(text) else 0
        if code == _ZWJ:
            kept = _is_emoji(last) and _is_emoji(following)
        elif code == _ZWNJ:
            kept = _is_foreign_letter(last) and _is_foreign_letter(following)
        elif _SELECTORS[0] <= code <= _SELECTORS[1]:
            kept = _has_forms(last)
        else:
            kept = True
        if kept:
            out.append(c)
            last = code
    return "".join(out)


_SHAPERS = (chr(_ZWJ), chr(_ZWNJ), *(chr(c) for c in range(_SELECTORS[0], _SELECTORS[1] + 1)))


def _is_emoji(code: int) -> bool:
    return _within(code, _EMOJI_RANGES)


def _is_foreign_letter(code: int) -> bool:
    return code > 0x7F and code != _ZWNJ and (chr(code).isalpha() or 0x900 <= code <= 0xDFF)  # noqa: PLR2004


def _has_forms(code: int) -> bool:
    if code < 0x80:  # noqa: PLR2004
        return chr(code) in "0123456789#*"
    return not _within(code, (_SELECTORS, (_ZWNJ, _ZWJ))) and not chr(code).isspace()


def new_nonce() -> str:
    """Return a random nonce for a fence."""
    return os.urandom(_NONCE_BYTES).hex()


def fence(nonce: str, label: str, body: str) -> str:
    """Wrap `body` as data for a model, so that it can neither close nor open a fence.

    Args:
        nonce: from `new_nonce`, fresh for every injection.
        label: what the data is, for the reader; any text.
        body: the data; it is cleaned, and tags that resemble ours are escaped.
    """
    if not (nonce.isascii() and nonce.isalnum()):
        raise BadInputError("A fence needs a nonce of letters and digits.")
    named = clean_line(label).replace("&", "&amp;").replace('"', "&quot;")
    for angle in _ANGLES + ">":
        named = named.replace(angle, "")
    inside = _without_tags(clean_text(body))
    opening = f'<{FENCE} nonce="{nonce}" label="{named}">'
    return f'{opening}\n{inside}\n</{FENCE} nonce="{nonce}">'


def _without_tags(body: str) -> str:
    """Escape the angle bracket of anything that looks like a fence's tag."""
    if not any(angle in body for angle in _ANGLES):
        return body
    out: list[str] = []
    done = 0
    angles: list[int] = []
    for at, c in enumerate(body):
        if c in _ANGLES:
            angles.append(at)
        elif angles and c.isalpha():
            if _reads_like_fence(body, at):
                for angle in angles:
                    out += [body[done:angle], "&lt;"]
                    done = angle + 1
            angles = []
    out.append(body[done:])
    return "".join(out)


def _reads_like_fence(body: str, at: int) -> bool:
    wanted = 0
    gap = 0
    for c in body[at : at + len(_FENCE_LETTERS) * 4 + _WIDEST_GAP]:
        if not c.isalpha():
            gap += 1
            if gap > _WIDEST_GAP or c in _ANGLES:
                return False
            continue
        if _folded(c) != _FENCE_LETTERS[wanted]:
            return False
        wanted += 1
        if wanted == len(_FENCE_LETTERS):
            return True
    return False


def _folded(c: str) -> str:
    if "\uff21" <= c <= "\uff5a":
        c = chr(ord(c) - _FULL_WIDTH)
    c = c.lower()
    return _LOOKALIKES.get(c, c)


def strip_fences(text: str) -> str:
    """Remove our fences with their contents, so that injected text is not captured again.

    Some clients escape a hook's answer before adding it to a prompt, so escaped fences are
    recognized too. An unclosed fence reaches to the end of the text.
    """
    if FENCE not in text:
        return text
    for _ in range(_MOST_PASSES):
        stripped = _strip_once(text)
        if stripped == text:
            return text
        text = stripped
    # Fences built from the pieces around other fences: nobody writes that in good faith.
    opening = _find_opening(text, 0)
    return text[: opening[0]] if opening else text


def _strip_once(text: str) -> str:
    out: list[str] = []
    done = 0
    opening = _find_opening(text, 0)
    while opening:
        start, nonce, tag = opening
        out.append(text[done:start])
        done = _find_closing(text, start + 1, nonce, tag)
        opening = _find_opening(text, done)
    out.append(text[done:])
    return "".join(out)


def _find_opening(text: str, at: int) -> tuple[int, str, tuple[str, str]] | None:
    """Return the position of the next fence, its nonce, and its tag's delimiters."""
    at = text.find(FENCE, at)
    while at >= 0:
        nonce = _nonce_at(text, at + len(FENCE))
        for tag in _TAGS if nonce else ():
            if text.endswith(tag[0], 0, at):
                return at - len(tag[0]), nonce, tag
        at = text.find(FENCE, at + 1)
    return None


def _find_closing(text: str, at: int, nonce: str, tag: tuple[str, str]) -> int:
    """Return the end of the fence with this nonce, or the end of the text."""
    closing = f"{tag[0]}/{FENCE}"
    at = text.find(closing, at)
    while at >= 0:
        if _nonce_at(text, at + len(closing)) == nonce:
            end = text.find(tag[1], at)
            return end + len(tag[1]) if end >= 0 else len(text)
        at = text.find(closing, at + 1)
    return len(text)


def _nonce_at(text: str, at: int) -> str:
    """Return the nonce of the tag whose name ends at `at`; quotes may be escaped."""
    ahead = text[at : at + 64].lstrip()
    if not ahead.startswith("nonce=") or not text[at : at + 1].isspace():
        return ""
    value = ahead[len("nonce=") :].lstrip("\\\"'").removeprefix("&quot;")
    end = 0
    while end < len(value) and value[end].isascii() and value[end].isalnum():
        end += 1
    return value[:end]
