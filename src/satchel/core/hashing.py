"""Hashes, and lines that carry their own, to detect damage.

The hash of a sealed line covers every byte before it. It detects accidents, not tampering: anyone
who rewrites a line can rewrite its hash.
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
_SHA1_DIGITS = 40
_FIELD, _END = b',"hash":"', b'"}'


def digest(data: bytes) -> bytes:
    """Return the SHA-256 of `data`, 32 bytes."""
    result: bytes = sha256(data).digest()
    return result


def new_hasher() -> Any:
    """Return an incremental SHA-256 object with `update` and `hexdigest`."""
    return sha256()


def git_id(kind: str, data: bytes, length: int) -> str:
    """Return git's id of an object, in as many hexadecimal digits as the repository's ids have."""
    if length == _SHA1_DIGITS:
        from hashlib import sha1

        hasher: Any = sha1(usedforsecurity=False)
    else:
        hasher = new_hasher()
    hasher.update(b"%s %d\0" % (kind.encode(), len(data)))
    hasher.update(data)
    return str(hasher.hexdigest())


def blob_hash(data: bytes) -> str:
    """Return git's id of a file with these bytes, in a repository with SHA-1."""
    return git_id("blob", data, _SHA1_DIGITS)


def short_hash(data: bytes) -> str:
    """Return the short hash used in lines."""
    return digest(data).hex()[:HASH_LENGTH]


def sealed(json_object: str) -> tuple[bytes, str]:
    """Append the hash as a JSON object's last field; return the line, without newline."""
    body = json_object.encode("utf-8", "replace")[:-1]
    mark = short_hash(body)
    return body + _FIELD + mark.encode() + _END, mark


def seal_of(line: bytes) -> tuple[str, str]:
    """Return a line's expected hash, and its actual one, or "".

    Only a hash at the very end is one: what follows it would not be covered.
    """
    body, found, end = line.rpartition(_FIELD)
    if not found or len(end) != HASH_LENGTH + len(_END) or not end.endswith(_END):
        return short_hash(line), ""
    return short_hash(body), end.removesuffix(_END).decode("ascii", "replace")


def is_whole(line: bytes) -> bool:
    """Return whether a line has a correct hash."""
    right, given = seal_of(line)
    return right == given


def object_in(line: bytes) -> dict[str, Any]:
    """Return the object of a line with a correct hash; {} for any other line."""
    if not is_whole(line):
        return {}
    from satchel.core.quick_json import loads

    try:
        value = loads(line.decode())
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
