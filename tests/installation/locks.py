"""Hash-locked requirements: read line by line, and what is wrong with them."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
#: What `pip install satchel` brings; with every extra; what builds it; what tests it.
BASE = "requirements.lock"
EXTRAS = "requirements-extras.lock"
BUILD = "requirements-build.lock"
DEV = "requirements-dev.lock"
LOCKS = (BASE, EXTRAS, BUILD, DEV)
_PINNED = re.compile(
    r"(?P<name>[a-z0-9][a-z0-9-]*)==(?P<version>[0-9][0-9a-z.!+]*)(?:\s*;\s*(?P<marker>[^#]+?))?"
)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


class Pinned(NamedTuple):
    """One locked requirement.

    Attributes:
        name: normalised as in PEP 503.
        version: the only one that may be installed.
        marker: where it is needed, as in PEP 508; empty for everywhere.
        hashes: SHA-256 of the files that may be installed, in hexadecimal.
    """

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]


def text_of(lock: str) -> str:
    """Return the text of a lock of this repository."""
    with open(os.path.join(ROOT, lock), encoding="utf-8") as file:
        return file.read()


def logical_lines(text: str) -> list[str]:
    """Join continued lines; leave out empty ones and comments."""
    joined = re.sub(r"\\\r?\n", " ", text)
    lines = (re.sub(r"(?:^|\s)#.*", "", line).strip() for line in joined.splitlines())
    return [line for line in lines if line]


def read(text: str) -> tuple[list[Pinned], list[str]]:
    """Read a lock.

    Returns:
        The requirements that are pinned, by `==` and at least one SHA-256 and nothing else; and a
        complaint about each line that is not: options, addresses, paths, ranges.
    """
    pinned, wrong = [], []
    for line in logical_lines(text):
        words = line.split(" --", 1)
        match = _PINNED.fullmatch(words[0].strip())
        options = f"--{words[1]}".split() if len(words) > 1 else []
        hashes = [found[1] for word in options if (found := _HASH.fullmatch(word))]
        if match is None:
            wrong.append(f"not pinned to one release of the index: {line[:80]}")
        elif not hashes or len(hashes) != len(options):
            wrong.append(f"not by SHA-256 alone: {line[:80]}")
        else:
            marker = match["marker"] or ""
            pinned.append(Pinned(match["name"], match["version"], marker, tuple(hashes)))
    return pinned, wrong


def requirements(lock: str) -> list[Pinned]:
    """Read a lock of this repository, which must have nothing wrong with it."""
    pinned, wrong = read(text_of(lock))
    assert wrong == [], wrong
    return pinned
