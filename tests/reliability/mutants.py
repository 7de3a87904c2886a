"""Damage as disks, editors, merges and other programs do it."""

import random
from collections.abc import Callable

Mutate = Callable[[random.Random, bytes], bytes]


def _span(dice: random.Random, data: bytes, most: int = 600) -> tuple[int, int]:
    begin = dice.randrange(len(data) + 1)
    return begin, min(len(data), begin + dice.randint(1, most))


def truncate(dice: random.Random, data: bytes) -> bytes:
    return data[: dice.randrange(len(data))]


def lose_head(dice: random.Random, data: bytes) -> bytes:
    return data[dice.randrange(len(data)) :]


def flip(dice: random.Random, data: bytes) -> bytes:
    out = bytearray(data)
    for _ in range(dice.choice((1, 1, 1, 2, 5))):
        out[dice.randrange(len(out))] ^= 1 << dice.randrange(8)
    return bytes(out)


def zeros(dice: random.Random, data: bytes) -> bytes:
    begin, end = _span(dice, data)
    return data[:begin] + bytes(end - begin) + data[end:]


def one_nul(dice: random.Random, data: bytes) -> bytes:
    begin, _ = _span(dice, data)
    return data[:begin] + b"\0" + data[begin:]


def not_utf8(dice: random.Random, data: bytes) -> bytes:
    begin, _ = _span(dice, data)
    return data[:begin] + dice.choice((b"\xff", b"\xc3", b"\xed\xa0\x80", b"\x80")) + data[begin:]


def remove(dice: random.Random, data: bytes) -> bytes:
    begin, end = _span(dice, data)
    return data[:begin] + data[end:]


def repeat(dice: random.Random, data: bytes) -> bytes:
    begin, end = _span(dice, data)
    return data[:end] + data[begin:end] + data[end:]


def byte_order_mark(dice: random.Random, data: bytes) -> bytes:
    return b"\xef\xbb\xbf" + data


def crlf(dice: random.Random, data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


def conflict(dice: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    at = dice.randrange(len(lines))
    marked = [b"<<<<<<< HEAD", *lines[at : at + 2], b"=======", *lines[at : at + 2], b">>>>>>> x"]
    return b"\n".join([*lines[:at], *marked, *lines[at + 2 :]])


def other_bytes(dice: random.Random, data: bytes) -> bytes:
    begin, end = _span(dice, data)
    return data[:begin] + dice.randbytes(end - begin) + data[end:]


def deep(dice: random.Random, data: bytes) -> bytes:
    return data + b'{"content":' + b"[" * 1_000_000 + b"\n"


def long_line(dice: random.Random, data: bytes) -> bytes:
    return data + b'{"content":"' + b"x" * 10_000_000 + b"\n"


COMMON: tuple[Mutate, ...] = (
    truncate, lose_head, flip, flip, flip, zeros, one_nul, not_utf8, remove, repeat,
    byte_order_mark, crlf, conflict, other_bytes,
)  # fmt: skip
#: Dear ones, a few of each.
HEAVY: tuple[Mutate, ...] = (deep, long_line)


def mutants(dice: random.Random, data: bytes, count: int, heavy: int = 2) -> list[Mutate]:
    """Choose what is done, `count` times; the heavy ones come first."""
    chosen = [mutate for mutate in HEAVY for _ in range(heavy)]
    return (chosen + [dice.choice(COMMON) for _ in range(count)])[:count]
