"""The key of a directory in Claude Code's own storage. Pure."""

from __future__ import annotations

#: Characters of a key before its hash.
LONGEST_KEY = 200
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_KEPT = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")


def project_key(directory: str) -> str:
    """Return the key: UTF-16 units other than ASCII letters and digits become hyphens.

    A key of more than 200 characters is truncated and gets the absolute value of the directory's
    32-bit hash `31 * h + unit`, in base 36. Not reversible.
    """
    units = _utf16_units(directory)
    key = "".join(chr(u) if u < 128 and chr(u) in _KEPT else "-" for u in units)  # noqa: PLR2004
    if len(key) <= LONGEST_KEY:
        return key
    number = 0
    for unit in units:
        number = (number * 31 + unit) & 0xFFFF_FFFF
    if number >= 0x8000_0000:  # noqa: PLR2004
        number -= 0x1_0000_0000
    return f"{key[:LONGEST_KEY]}-{_base36(abs(number))}"


def _utf16_units(text: str) -> list[int]:
    if text.isascii():
        return list(text.encode())
    data = text.encode("utf-16-le", "surrogatepass")
    return [data[at] | data[at + 1] << 8 for at in range(0, len(data), 2)]


def _base36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits or "0"
