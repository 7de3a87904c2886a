"""Finds a password told before its name: "use ... as the password", "... is the password"."""

from __future__ import annotations

from satchel.core.redaction.values import IS_WORDS, looks_made

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[int, int, str]

#: `as` and `is`, in the languages that put them between the two.
_JOINS = frozenset(
    (
        *IS_WORDS,
        *(
            "as",
            "als",
            "comme",
            "como",
            "come",
            "jako",
            "som",
            "sebagai",
            "\u043a\u0430\u043a",
            "\u4f5c\u4e3a",
            "\u4f5c\u70ba",
        ),
    )
)
#: What may follow the name; before another word the name only describes it: a password manager.
_FOLLOWS = frozenset(
    (
        *("for", "of", "on", "at", "in", "to", "and", "now", "from", "until", "there", "here"),
        *("f\u00fcr", "auf", "von", "und", "pour", "de", "du", "et", "para", "y", "per", "e"),
        *(
            "voor",
            "van",
            "en",
            "dla",
            "na",
            "pro",
            "f\u00f6r",
            "til",
            "untuk",
            "\u0434\u043b\u044f",
        ),
    )
)
_BEFORE = 120
_AHEAD = 24
#: Words between: "as the new admin password".
_MOST_BETWEEN = 4
_AROUND = "\"'`.,;:()"


def told_before(text: str, lower: str, start: int, end: int) -> Iterator[Span]:
    """Find the password whose name is at `start` to `end`."""
    ahead = lower[end : end + _AHEAD].partition("\n")[0]
    following = ahead.split(None, 1)[0] if ahead[:1] == " " and ahead.strip() else ""
    if (ahead[:1].isalnum() and ahead[0] < "\u2e80") or (
        following[:1].isalnum() and following not in _FOLLOWS
    ):
        return
    begin = max(0, start - _BEFORE)
    line = text[begin:start].rpartition("\n")[2]
    words = line.split()
    for number in range(len(words) - 1, max(0, len(words) - 2 - _MOST_BETWEEN), -1):
        if words[number].lower() in _JOINS:
            value = words[number - 1].strip(_AROUND)
            if looks_made(value):
                at = text.rfind(value, begin, start)
                yield at, at + len(value), "told-password"
            return
