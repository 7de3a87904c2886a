"""Entries of `LEARNINGS.md`, numbered by day, as The Foundation's sessions write them."""

from __future__ import annotations

import os
import re

from satchel.core import times
from satchel.core.errors import BadInputError, ConflictError
from satchel.core.redaction.redactor import redact
from satchel.core.trust import clean_line
from satchel.core.values import NamedTuple
from satchel.storage.files import read_file, replace_file
from satchel.storage.locks import FileLock
from satchel.storage.safe_open import is_within

_HEADING = "# Learnings\n"
_NUMBERED = re.compile(r"^###\s+LEARN-(\d{8})-(\d+)", re.MULTILINE)
_DEFAULT_CONFIDENCE = 0.8


class LearningEntry(NamedTuple):
    """An entry: the lesson, its author, and its confidence (0 to 1)."""

    summary: str
    agent: str = ""
    category: str = "session_observation"
    confidence: float = _DEFAULT_CONFIDENCE


def append_learnt(
    path: str, lock: str, learnt: LearningEntry, now: float, *, root: str, beside: str = ""
) -> str:
    """Append an entry; return its id.

    The file must not be outside `root`, even through links.

    Numbers used in `beside` are not reused. Concurrent processes get different numbers: the file is
    read and replaced under a lock. Other content stays unchanged.
    """
    summary = clean_line(redact(learnt.summary)[0])
    if not summary:
        raise BadInputError("No lesson was given.", hint='Give --learned "..."')
    if not 0 <= learnt.confidence <= 1:
        raise BadInputError(f"A confidence is from 0 to 1, not {learnt.confidence:g}.")
    if not is_within(os.path.realpath(path), os.path.realpath(root)):
        raise ConflictError(f"{path} is outside the project.", hint="Make it a file, not a link.")
    moment = times.utc(now)
    day = moment.strftime("%Y%m%d")
    with FileLock(lock):
        text = read_file(path).decode("utf-8", "surrogateescape")
        known = text + "\n" + (read_file(beside).decode("utf-8", "replace") if beside else "")
        number = 1 + max((int(n) for d, n in _NUMBERED.findall(known) if d == day), default=0)
        ident = f"LEARN-{day}-{number:03d}"
        lines = [
            f"### {ident}",
            "",
            f"- **Date**: {moment.strftime('%Y-%m-%d %H:%M:%S')} UTC",
            f"- **Agent**: {clean_line(learnt.agent) or 'agent'}",
            f"- **Category**: {clean_line(learnt.category) or 'session_observation'}",
            f"- **Confidence**: {learnt.confidence:.2f}",
            f"- **Summary**: {summary}",
            "- **Status**: captured",
        ]
        before = text if text.strip() else _HEADING
        gap = "\n" if before.endswith("\n") else "\n\n"
        after = before + gap + "\n".join(lines) + "\n"
        mode = os.stat(path).st_mode & 0o777 if os.path.exists(path) else 0o644
        replace_file(path, after.encode("utf-8", "surrogateescape"), mode=mode)
    return ident
