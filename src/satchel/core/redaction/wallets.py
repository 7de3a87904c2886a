"""Finds keys of wallets that their own form proves: a checksum, or the bytes of a key file."""

from __future__ import annotations

from satchel.core.hashing import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[int, int, str]

_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
#: Lengths of Bitcoin's private keys in base 58, and how they begin, on either network.
_LENGTHS, _BEGIN = (51, 52), "5KL9c"
_CHECK = 4
#: Not part of a key in base 58.
_APART = {code: " " for code in range(128) if chr(code) not in _BASE58}
#: Bytes of a key file of Solana: the secret and the public half.
_BYTES, _LARGEST, _LONGEST_LIST = 64, 255, 600
#: How far before a list of numbers a word can say that it is a key, and how far after it.
_BEFORE, _AFTER = 60, 80
_SAYS = ("keypair", "secret", "private", "id.json", "solana", "wallet")


def find_wallet_keys(words: str) -> Iterator[Span]:
    """Find (start, end, kind) of each private key in `words`, which is ASCII."""
    at = 0
    for run in words.translate(_APART).split():
        if len(run) in _LENGTHS:
            at = words.find(run, at)
            if run[0] in _BEGIN and _checks(run):
                yield at, at + len(run), "bitcoin-key"
            at += len(run)
    if words.count(",") >= _BYTES - 1:
        yield from _key_files(words)


def _checks(key: str) -> bool:
    """Return whether the last four bytes are the checksum of the rest."""
    number = 0
    for letter in key:
        number = number * len(_BASE58) + _BASE58.index(letter)
    data = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return digest(digest(data[:-_CHECK]))[:_CHECK] == data[-_CHECK:]


def _key_files(words: str) -> Iterator[Span]:
    lower = words.lower()
    at = words.find("[")
    while at >= 0:
        end = words.find("]", at, at + _LONGEST_LIST)
        parts = words[at + 1 : end].split(",") if end > 0 else []
        if len(parts) == _BYTES and all(_is_byte(part.strip()) for part in parts):
            near = lower[max(0, at - _BEFORE) : at] + lower[end : end + _AFTER]
            if any(word in near for word in _SAYS):
                yield at + 1, end, "wallet-key"
        at = words.find("[", at + 1)


def _is_byte(part: str) -> bool:
    return part.isdigit() and len(part) <= 3 and int(part) <= _LARGEST  # noqa: PLR2004
