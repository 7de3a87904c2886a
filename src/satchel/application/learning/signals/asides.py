"""A lasting statement behind an order: "fix the login test, we never mock the database". Pure."""

from __future__ import annotations

from satchel.storage.kept_patterns import spoken

#: Most characters of the order, and fewest words of what follows it.
_LONGEST_ORDER, _LEAST_WORDS = 90, 3
#: Words of a statement of who does what: more than a few.
_FEW, _MANY = 3, 20
#: What may stand between the two.
_MARKS = (", ", " (", " and ")
#: An order of the moment; what holds for good begins otherwise ("keep", "never", "always").
_ORDER = spoken(
    r"(?:(?:ok|okay|hey|now|then|also|and|please|pls|can you|could you|let'?s|just"
    r"|next)\b[\s,]{1,4}){0,4}(?:add|batch|build|bump|cache|cap|change|check|clean|close|commit"
    r"|continue|convert|copy|create|debug|delete|deploy|disable|do|document|draft|drop|enable"
    r"|explain|extract|find|finish|fix|generate|give|go|hook|implement|investigate|kill|leave|look"
    r"|make|merge|move|open|point|port|profile|push|put|read|rebase|redo|refactor|release|remove"
    r"|rename|replace|rerun|restart|revert|review|run|set|ship|show|sort|split|start|stop|swap"
    r"|switch|tag|take|tell|test|try|turn|undo|update|use|wire|write)\s"
)
#: Begins what only belongs to the order: its object, reason, place or further steps.
_GOES_ON = spoken(
    r"(?:it|they|that|this|these|those|which|then|and|so|or|i|you|not|to|with|for|in|on|at|from"
    r"|like|e\.?g|see|there|thanks|please|if|as)\b"
)
#: What something at hand is not able to do: "the gateway can't do little endian".
_CONSTRAINS = spoken(
    r"(?:the|our) (?:[\w-]{2,20} ){1,3}?(?:can'?t|cannot|can not|doesn'?t|won'?t|can only|only) "
    r"(?:do|handle|take|accept|understand|parse|read|know|support|speak|store|send|eat)s?\b"
)
_JOINS = spoken(r"(?:(?:and|but|because|since|remember|cause|cuz)\b[\s,:]{1,4}){1,2}")


def is_order(sentence: str) -> bool:
    """Return whether a sentence begins with an order of the moment."""
    return bool(_ORDER.match(sentence))


def aside_in(sentence: str) -> str:
    """Return what a sentence says behind its order, after a comma or in parentheses; or ""."""
    order = _ORDER.match(sentence)
    if not order:
        return ""
    ends = [at for mark in _MARKS if (at := sentence.find(mark, order.end())) > 0]
    if not ends or min(ends) > _LONGEST_ORDER:
        return ""
    told = sentence[min(ends) :].lstrip(" ,(").rstrip(" .!)")
    joins = _JOINS.match(told)
    told = told[joins.end() :] if joins else told
    more = _GOES_ON.match(told) or _ORDER.match(told)
    return "" if more or len(told.split()) < _LEAST_WORDS else told


def reason_last(sentence: str) -> tuple[str, str]:
    """Return what a list of details ends with, and its reason: "..., big endian, the hub needs it".

    Two empty strings if it does not end like this.
    """
    *others, detail, reason = ["", "", *sentence.rstrip(" .!").split(", ")][-3:]
    return (detail, reason) if all(others) and _CONSTRAINS.match(reason) else ("", "")


def tells_of_somebody(sentence: str) -> bool:
    """Return whether a sentence states who does what, in few words: "iOS is done by Bitfabrik"."""
    few = _FEW < len(sentence.split()) <= _MANY
    return few and not sentence.endswith("?") and not is_order(sentence)
