"""Finds payment card numbers.

A number starts with a known issuer's digits, has that issuer's length, and a valid check digit
(Luhn).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[int, int, str]

KIND = "card-number"
_DIGITS = dict.fromkeys(range(ord("0"), ord("9") + 1), "0")
_LONGEST = 19
#: How numbers are written: in one piece, or in groups as on the card.
_SHAPES = (
    "0" * 14,
    *(sign.join(("0000", "0000", "0000", "0000")) for sign in " -_."),
    *(sign.join(("0000", "000000", "00000")) for sign in " -_."),
    *(sign.join(("0000", "000000", "0000")) for sign in " -_."),
)
#: Visa, Mastercard (two ranges), American Express, Discover, JCB, Diners, UnionPay, Mir: first
#: digits (from, to) and length.
_ISSUERS = (
    ("4", "4", (16,)),
    ("51", "55", (16,)),
    ("2221", "2720", (16,)),
    ("34", "34", (15,)),
    ("37", "37", (15,)),
    ("6011", "6011", (16,)),
    ("644", "659", (16,)),
    ("3528", "3589", (16,)),
    ("300", "305", (14,)),
    ("36", "36", (14,)),
    ("38", "39", (14,)),
    ("62", "62", (16, 19)),
    ("2200", "2204", (16,)),
)
#: Next to one of these, the number continues: a version, a fraction, an identifier.
_BESIDE = "-_.+#"


def find_cards(text: str) -> Iterator[Span]:
    """Find (start, end, kind) of each card number in `text`, which is ASCII."""
    shape = text.translate(_DIGITS)
    if "0000" not in shape:
        return
    for wanted in _SHAPES:
        at = shape.find(wanted)
        while at >= 0:
            end = at + len(wanted)
            while shape[end : end + 1] == "0":
                end += 1
            if _stands_alone(shape, at, end):
                digits = "".join(c for c in text[at:end] if c.isdigit())
                if _is_card(digits) and not _is_version(text, at, end):
                    yield at, end, KIND
            at = shape.find(wanted, end)


def _stands_alone(shape: str, at: int, end: int) -> bool:
    before, after = shape[max(0, at - 2) : at], shape[end : end + 2]
    if before[-1:].isalnum():
        return False
    if before[-1:] and before[-1] in _BESIDE and before[:1].isalnum():
        return False
    return not after[:1].isalnum() and not (
        after[:1] and after[0] in _BESIDE and after[1:].isalnum()
    )


def _is_version(text: str, at: int, end: int) -> bool:
    """Return whether groups between dots are a version: set with a sign, or all alike."""
    groups = text[at:end].split(".")
    return len(groups) > 1 and (text[at - 1 : at] in ("=", "/", "@") or len(set(groups)) == 1)


def _is_card(digits: str) -> bool:
    if len(digits) > _LONGEST or len(set(digits)) < 2:  # noqa: PLR2004
        return False
    for first, last, lengths in _ISSUERS:
        if len(digits) in lengths and first <= digits[: len(first)] <= last:
            return _checks(digits)
    return False


def _checks(digits: str) -> bool:
    total = 0
    for i, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + i % 2)
        total += value - 9 * (value > 9)  # noqa: PLR2004
    return total % 10 == 0
