"""Finds base64 and hexadecimal text that decodes to a secret.

A secret is a known token, or a secret's name with its value.

Looking like base64 is not enough: keys, hashes and pictures do too. The decoded text decides.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Span = tuple[int, int, str]

KIND = "encoded-secret"
#: Shorter text cannot hold a secret and its name.
_SHORTEST, _SHORTEST_HEX = 16, 32
#: This many characters are enough to tell text from a picture.
_GLANCE = 64
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"
_SPLIT = {code: " " for code in range(128) if chr(code) not in _LETTERS}
_HEX = "0123456789abcdefABCDEF"
#: The letters with which base64 starts three bytes of ASCII text.
_FIRSTS = frozenset("CDIJKLMNOPQRSTUVWXYZabcdef")
_WRITTEN = frozenset((*range(32, 127), 9, 10, 13))


def find_encoded(text: str, tells: Callable[[str], bool]) -> Iterator[Span]:
    """Find (start, end, kind) of base64 in whose decoded text `tells` finds a secret.

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
    """Yield the run, and its parts between slashes and dashes, as in a path."""
    yield 0, run
    for sign in "/-_":
        if sign in run:
            start = 0
            for piece in run.split(sign):
                if len(piece) >= _SHORTEST and len(piece) < len(run):
                    yield start, piece
                start += len(piece) + 1


def _decoded(piece: str) -> str:
    """Return the text that base64 or hexadecimal digits decode to, or ""."""
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
    """Return the text that hexadecimal digits decode to; a hash almost never does."""
    if len(piece) < _SHORTEST_HEX or len(piece) % 2:
        return ""
    plain = bytes.fromhex(piece)
    return plain.decode() if _WRITTEN.issuperset(plain) and max(plain) < 128 else ""  # noqa: PLR2004
