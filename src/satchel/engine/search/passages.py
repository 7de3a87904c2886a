"""Passages: the parts of a long document, each with its own vector."""

from __future__ import annotations

#: Characters of one passage: about 200 word pieces, the capacity of small encoders.
PASSAGE = 900
#: A row number is document * PARTS + part.
PARTS = 256
#: Most parts of a question, each encoded whenever it is asked.
_QUESTION_PARTS = 7
_BREAKS = ("\n\n", "\n", ". ", " ")


def passages(title: str, text: str, *, size: int = PASSAGE, most: int = PARTS) -> list[str]:
    """Split a document into passages at paragraphs, lines, sentences or spaces.

    Each begins with the title, so that it can be understood alone. There is always at least one.
    """
    head = title.strip()
    room = max(size - len(head) - 1, size // 2)
    parts: list[str] = []
    start = 0
    while start < len(text) and len(parts) < most:
        end = _end(text, start, room)
        part = text[start:end].strip()
        if part:
            parts.append(f"{head}\n{part}" if head else part)
        start = end
    return parts or [head]


def question_parts(question: str) -> list[str]:
    """Split a question longer than a passage, such as a task, into parts.

    Its first line, which says most, is its own part: the mean of the parts' vectors represents the
    whole, of which a model would read only the beginning.
    """
    text = question.strip()
    if len(text) <= PASSAGE // 2:
        return [text]
    first, _, rest = text.partition("\n")
    if not rest.strip():
        return passages("", text, most=_QUESTION_PARTS)
    return [first, *passages("", rest.strip(), most=_QUESTION_PARTS - 1)]


def _end(text: str, start: int, room: int) -> int:
    """Return a passage's end: at a break in its second half, if any."""
    if len(text) - start <= room:
        return len(text)
    for mark in _BREAKS:
        found = text.rfind(mark, start + room // 2, start + room)
        if found > 0:
            return found + len(mark)
    return start + room
