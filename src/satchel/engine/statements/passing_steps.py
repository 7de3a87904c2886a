"""Orders of the moment that stand behind a lasting statement. Pure."""

from __future__ import annotations

from satchel.storage.kept_patterns import any_case

#: An order of the moment behind a statement: "60 calls a minute, put a limiter in there".
STEP_LAST = any_case(
    r"(?<=\w)[,;]\s{1,4}(?:so\s+|please\s+|pls\s+){0,2}(?:put|take|add|bump|fix|update|rename|adjust|revert|drop|forget|profile|debug|close)\s+"
    r"(?:it|that|this|them|(?:the|an?)\s+[\w-]{2,30})(?:\s(?!to\b|when\b|if\b|before\b|after\b|instead\b|for\b)[\w-]{1,20}){0,3}$"
)
