"""Finds the line of a failed command's output that says what went wrong. Pure."""

from __future__ import annotations

import re

#: How much of a message shows whether it is a log line, in characters.
_BEGINNING = 110
#: Also pytest's mark of a line that tells the error.
_NOISE = re.compile(r"^(?:Exit code \d+|E(?=\s)|\(eval\):\d+:|\[[\w:.-]+\]|\$ |=== RUN\s+\S+)\s*")
_TELLING = re.compile(
    r"(?:\b\w*(?:Error|Exception)\b:?.*|\b(?:error|fatal|panic|cannot|undefined|failed|FAIL(?:ED)?"
    r"|no such|expected|(?:(?:connection|permission|access|command|module|file)\s+)?"
    r"(?:not found|refused|denied))\b.*)",
    re.IGNORECASE,
)
#: Output comes on one line: where the next file is named, the next message begins.
#: Where a message says its place, it is what follows it.
_PLACE = re.compile(r"(?<![\w./-])[\w./-]{1,300}\.\w{1,4}:\d+:\d+:\s+(\S.*)", re.DOTALL)
#: A test that failed, where what it prints tells nothing.
_A_TEST = re.compile(r"(?:FAIL:|FAILED|=== RUN|\u2717|\u25cf)\s+([A-Za-z][\w./:-]+)")
_A_LOG = re.compile(r"\d{4}[/-]\d\d[/-]\d\d|\b(?:INFO|DEBUG)\b|\boutput:")
_TRACEBACK = "Traceback (most recent call last)"
_RAISED = re.compile(
    r"(?<![\w.])(?:\w{1,40}\.){0,6}[A-Z]\w{0,60}(?:Error|Exception)\b:? ?[^\n]{0,300}"
)
_NEXT_PLACE = re.compile(r"\s\S+:\d+:\d+:?\s|\s(?:FAIL|hint:)\s|\s-{3,}\s")


def first_error(text: str) -> str:
    """Return the key part of a failed call's output, at most 160 characters."""
    bare = text.strip()
    for _ in range(6):
        shorter = _NOISE.sub("", bare)
        if shorter == bare:
            break
        bare = shorter
    raised = _RAISED.findall(bare.partition(_TRACEBACK)[2])
    if raised:
        bare = raised[-1]  # the last one says what went wrong
    told = _TELLING.search(bare)
    place = _PLACE.search(bare)
    if place and (told is None or place.start() <= told.start()):
        bare, told = place[1], None
    test = _A_TEST.search(text)
    if (
        test
        and not raised
        and (told is None or _A_LOG.search(told.group()[:_BEGINNING]))
        and not place
    ):
        return f"{test[1]} fails"
    line = " ".join((told.group() if told else bare).split())
    return _NEXT_PLACE.split(line)[0][:160].rstrip(" .:,\u2026")
