"""Hashes, and lines that carry their own: how damage is noticed.

The hash of a sealed line covers every byte before it. It notices accidents; whoever rewrites a
line can rewrite its hash too.
"""

from __future__ import annotations

try:
    # hashlib loads OpenSSL, a tenth of a bare start; the names moved in Python 3.12.
    from _sha256 import sha256  # type: ignore[import-not-found]
except ImportError:
    try:
        from _sha2 import sha256  # type: ignore[import-not-found]
    except ImportError:
        from hashlib import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: 64 bits, in hexadecimal.
HASH_LENGTH = 16
_FIELD = b',"hash":"'


def digest(data: bytes) -> bytes:
    """SHA-256 of `data`, 32 bytes."""
    result: bytes = sha256(data).digest()
    return result


def new_hasher() -> Any:
    """Return an object with `update` and `hexdigest` that computes SHA-256 piece by piece."""
    return sha256()


def short_hash(data: bytes) -> str:
    """Return the hash that lines carry."""
    return digest(data).hex()[:HASH_LENGTH]


def sealed(json_object: str) -> tuple[bytes, str]:
    """Add the hash as the last field of a JSON object; return the line, without newline."""
    body = json_object.encode("utf-8", "replace")[:-1]
    mark = short_hash(body)
    return body + _FIELD + mark.encode() + b'"}', mark


def seal_of(line: bytes) -> tuple[str, str]:
    """Return the hash that a line should carry, and the one it does; "" if it carries none."""
    body, found, end = line.rpartition(_FIELD)
    if not found:
        return short_hash(line), ""
    return short_hash(body), end.removesuffix(b'"}').decode("ascii", "replace")


def is_whole(line: bytes) -> bool:
    """Return whether a line carries a hash and the hash is right."""
    right, given = seal_of(line)
    return right == given
