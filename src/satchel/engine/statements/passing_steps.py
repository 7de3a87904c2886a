"""Orders of the moment that stand behind a lasting statement. Pure."""

from __future__ import annotations

from satchel.storage.kept_patterns import spoken

#: An order of the moment behind a statement: "60 calls a minute, put a limiter in there".
STEP_LAST = spoken(
    r"(?<=\w)[,;] (?:so |please |pls ){0,2}(?:put|take|add|bump|fix|update|rename|adjust|revert"
    r"|drop|forget|profile|debug|close) (?:it|that|this|them|(?:the|an?) [\w-]{2,30})"
    r"(?:\s(?!to\b|when\b|if\b|before\b|after\b|instead\b|for\b)[\w-]{1,20}){0,3}$"
)
