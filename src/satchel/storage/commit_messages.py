"""What the message of a commit says that it takes back."""

from __future__ import annotations

import re

from satchel.core.hashing import short_hash

_ID = re.compile(r"[0-9a-f]{7,64}")
_REVERTS = re.compile(
    r"^This reverts commits? ([0-9a-f]{7,64}(?:(?:, and|,| and)\s[0-9a-f]{7,64}\b)*)", re.MULTILINE
)
#: How a forge says it of a whole request, which it names by its number.
_REVERTS_REQUEST = re.compile(r"^Reverts (?:[\w.-]+/[\w.-]+)?(#\d+)\b", re.MULTILINE)
#: What git puts before each message of a branch that it squashes, which it indents.
_SQUASHED = re.compile(r"^commit [0-9a-f]{40,64}$", re.MULTILINE)
#: Code in a message: what stands there is quoted.
_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_UNDOES = ("Revert", "Reapply")
_UNDOING = re.compile(r'(Revert|Reapply) "(.*)"\Z')
#: What forges put behind the first line of a message.
_NUMBER = re.compile(r" \((#\d+)\)\Z")
_MERGE = re.compile(r"Merge pull request (#\d+) ")


def reverted_by(subject: str, body: str) -> tuple[str, ...]:
    """Return the commits that a message says it reverts, not those in what it quotes.

    If it names none, return the requests that it says it reverts: `#12`.
    """
    if "evert" not in body and not subject.startswith(_UNDOES):
        return ()  # nearly every commit of a history
    if _SQUASHED.search(body):
        body = body.replace("\n    ", "\n")
    body = _FENCED.sub("", body)
    found = tuple(one for told in _REVERTS.findall(body) for one in _ID.findall(told))
    return found or tuple(
        filter(None, (*_REVERTS_REQUEST.findall(body), request_of(undone_by(subject))))
    )


def request_of(subject: str) -> str:
    """Return the request that a forge merged as this commit, `#12`, by its first line, or ""."""
    named = _NUMBER.search(subject) or _MERGE.match(subject)
    return named[1] if named else ""


def undone_by(subject: str) -> str:
    """Return the first line of the commit that another's first line reverts, or ""."""
    if not subject.startswith(_UNDOES):
        return ""
    undoing = _UNDOING.match(_NUMBER.sub("", subject))
    if not undoing:
        return ""
    # What is reapplied had been reverted: it is that revert which is undone.
    return undoing[2] if undoing[1] == "Revert" else f'Revert "{undoing[2]}"'


def subject_mark(subject: str) -> str:
    """Return the mark of a message's first line, which a forge's number does not change."""
    return short_hash(_NUMBER.sub("", subject).encode("utf-8", "replace")) if subject else ""
