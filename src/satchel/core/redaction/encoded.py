"""Finds secrets in disguise: in base64 or hexadecimal digits, or in spellings read as ASCII.

Looking like base64 is not enough: keys, hashes and pictures do too. The text is decoded, and what
it says decides. Only the search sees folded text; what is no secret stays as it was written.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Span = tuple[int, int, str]

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_SPACES = dict.fromkeys((0xA0, 0x202F, 0x3000, *range(0x2000, 0x200B)), 0x20)
#: Soft hyphen, joiners, marks of direction, word joiners, variation selectors, byte order mark.
_UNSEEN = dict.fromkeys(
    (
        *(0xAD, 0x34F, 0x61C, 0x180E, 0xFEFF),
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        *range(0xFE00, 0xFE10),
    )
)
_FOLDED: dict[int, int | None] = {**_FULL_WIDTH, **_SPACES, **_UNSEEN}

_COLOUR = "\x1b["
_LONGEST_COLOUR = 16


def fold(text: str) -> str:
    """Return `text` as it reads: ASCII for full-width letters, nothing for what is not seen."""
    return text if text.isascii() else text.translate(_FOLDED)


def places(text: str) -> list[int]:
    """Where each character of the folded text stands in `text`, and at last where that ends."""
    found = [at for at, c in enumerate(text) if ord(c) not in _UNSEEN]
    found.append(len(text))
    return found


def spaced(text: str) -> str:
    """Return `text` in ASCII, character by character, with spaces for what separates words.

    That is what stands before a word without being part of it: an escaped end of a line, a sign as
    a URL spells it, a terminal's colour, a letter of another alphabet.
    """
    if "\\" in text:
        text = text.replace("\\n", "  ").replace("\\t", "  ").replace("\\r", "  ")
    if "%" in text:
        for sign in ("%20", "%22", "%3A", "%3D", "%3a", "%3d"):
            text = text.replace(sign, "   ")
    if _COLOUR in text:
        text = _without_colours(text)
    return text if text.isascii() else text.encode("ascii", "replace").decode()


def _without_colours(text: str) -> str:
    out: list[str] = []
    for number, part in enumerate(text.split(_COLOUR)):
        end = part.find("m", 0, _LONGEST_COLOUR) + 1 if number else 0
        out.append(" " * (end + len(_COLOUR) * bool(number)) + part[end:])
    return "".join(out)


KIND = "encoded-secret"
#: Fewer characters hold no secret and its name.
_SHORTEST, _SHORTEST_HEX = 16, 32
#: A first look at so many characters tells text from a picture.
_GLANCE = 64
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"
_SPLIT = {code: " " for code in range(128) if chr(code) not in _LETTERS}
_HEX = "0123456789abcdefABCDEF"
#: With which of its letters base64 spells the first byte of three, where that is ASCII text.
_FIRSTS = frozenset("CDIJKLMNOPQRSTUVWXYZabcdef")
_WRITTEN = frozenset((*range(32, 127), 9, 10, 13))


def find_encoded(text: str, tells: Callable[[str], bool]) -> Iterator[Span]:
    """Find (start, end, kind) of base64 for whose text `tells` says that it holds a secret.

    `text` is ASCII.
    """
    end = 0
    for run in text.translate(_SPLIT).split():
        if len(run) < _SHORTEST:
            continue
        at = text.index(run, end)
        end = at + len(run)
        for start, piece in _pieces(run):
            plain = _decoded(piece)
            if plain and tells(plain):
                stop = at + start + len(piece)
                while stop - end < 2 and text[stop : stop + 1] == "=":  # noqa: PLR2004
                    stop += 1
                yield at + start, stop, KIND
                break


def _pieces(run: str) -> Iterator[tuple[int, str]]:
    """The run, and the parts of it between slashes and dashes, as in a path."""
    yield 0, run
    for sign in "/-_":
        if sign in run:
            start = 0
            for piece in run.split(sign):
                if len(piece) >= _SHORTEST and len(piece) < len(run):
                    yield start, piece
                start += len(piece) + 1


def _decoded(piece: str) -> str:
    """Return the text that a piece of base64 says, or of hexadecimal digits; "" for none."""
    if not piece.strip(_HEX):
        return _from_hex(piece)
    if not _FIRSTS.issuperset(piece[:_GLANCE:4]):
        return ""  # a path, a name
    import binascii

    standard = piece.replace("-", "+").replace("_", "/")
    whole = len(standard) // 4 * 4
    try:
        if not _WRITTEN.issuperset(binascii.a2b_base64(standard[: min(whole, _GLANCE)])):
            return ""
        rest = standard[whole:]
        padded = rest + "=" * (4 - len(rest)) if len(rest) > 1 else ""
        return binascii.a2b_base64(standard[:whole] + padded).decode()
    except ValueError:
        return ""


def _from_hex(piece: str) -> str:
    """Return the text that hexadecimal digits say: almost no hash says one."""
    if len(piece) < _SHORTEST_HEX or len(piece) % 2:
        return ""
    plain = bytes.fromhex(piece)
    return plain.decode() if _WRITTEN.issuperset(plain) and max(plain) < 128 else ""  # noqa: PLR2004
