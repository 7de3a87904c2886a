"""Rewrites roundabout statements as what they mean: "why do you use npm, it's bun".

One sentence each, apostrophes straight, without case; linear in the sentence, repetitions are
bounded.
"""

from __future__ import annotations

from satchel.application.learning.signals.speech.words import BEGUN
from satchel.storage.kept_patterns import LazyPattern, spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Match

#: "Why are you using npm, it's bun in mobile": what to use, and what not.
_WHY_USING = spoken(
    r"\b(?:why|how come) (?:are|do|did|would) (?:you|u) (?:still )?"
    r"(?:using|use|running|run|calling) (?P<wrong>[\w/@-]{1,40}(?:\.\w{1,20})?)"
    r"(?: (?:here|again))?[,;?]{1,3} (?:it'?s|it is|this is|we use|we(?:'?re| are) on) "
    r"(?P<right>[\w/@-]{1,40}(?:\.\w{1,20})?(?: [\w/@-]{1,40}){0,4})(?=[.,;!\n]|$)"
)
#: "Why did you add a migration by hand, alembic generates them": what not to do, and why.
_WHY_DID = spoken(
    r"\b(?:why|how come) (?:did |do )?(?:you|u) (?P<did>(?:add|use|write|mock|create|edit|put|call"
    r"|change|delete|import|install|catch|copy|run|make|wrap|hardcode|name|rename|log|skip"
    r"|disable)\s[^,;?.]{3,60})[,;?]{1,3} (?=(?:we|it|they|there|the|our|that|those"
    r"|[\w-]{3,30}s? \w{3,20}s)\b)(?!that (?:is|was|looks)|it (?:is )?(?:now|still|broke|fails))"
)
#: "Why are you writing tests in src, they go in tests/": what to stop, and why.
_WHY_DOING = spoken(
    r"\b(?:why|how come) are (?:you|u) (?:still )?(?P<doing>(?!asking|telling|saying|failing"
    r"|getting|seeing|stuck)\w{2,20}ing\s[^,;?.]{3,60})[,;?]{1,3} "
    r"(?=(?:we|they|there|those|the|our|[\w-]{3,30}s) \w)"
)
#: "Can you not use abbreviations", "i hate it when you rename things": what not to do.
_CAN_YOU_NOT = spoken(
    r"(?:^|(?<=[.!?,\n]\s))"
    rf"{BEGUN}"
    r"(?:(?:can|could|would|will) (?:you|we|u) (?:(?:please|pls|just|maybe) )?not"
    r"|(?:i (?:really )?(?:hate|dislike|don'?t like) it"
    r"|it'?s (?:(?:really|so|very|pretty|kinda|super) )?annoying|it annoys me) (?:when|if) "
    r"(?:you|u)) (?!find\b|see\b|hear\b|get\b|be\b|are\b|\w{2,20}ed\b)(?=\w)"
)
#: "How about we never touch it by hand".
_HOW_ABOUT = spoken(r"(?:^|(?<=[.!?,\n]\s))how about we (?=(?:never|always)\b)")
#: "You keep writing long docstrings": what to stop.
_YOU_KEEP = spoken(
    r"(?:^|(?<=[.!?:,\n]\s))(?:you|u) (?:still )?(?:keep|kept) (?:on )?(?=(?!forgetting\b"
    r"|ignoring\b|saying\b|getting\b|asking\b|failing\b|missing\b)\w{2,20}ing\s)"
)
#: "I was wrong about the set in tracking.ts, it has to be a map": what is to be a map.
_WAS_WRONG = spoken(
    rf"\b{BEGUN}"
    r"(?:i|we) (?:was|were) wrong about (?P<what>(?:the|our|that) (?!\d)[^,;?\n]{3,50}), (?:it's"
    r"|it is|its(?= (?:\d|an?\s|the\s|not\s|in\s|on\s|under\s))"
    r"|it (?P<must>has to be|should be|must be|needs to be)) "
)
#: "The vat for CH is wrong, it's 8.1 since 2024": what it is, with a value or a name.
_IS_WRONG = spoken(
    r"(?:^|(?<=[.!?,\n]\s))(?P<what>(?:the|our) (?!\d)[^,;:?!.\n]{2,50}?) (?:is|was) "
    r"(?:(?:still|just|also) )?(?:wrong|incorrect|outdated|stale)[,;] (?:it's|its|it is"
    r"|it (?P<must>should be|must be|has to be)) (?=[\w/:-]{0,40}[\d./])"
)
#: "I was wrong about the tables, they come in utc by now": the subject of the rest.
_WRONG_ABOUT = spoken(
    rf"\b{BEGUN}(?:turns out[\s,.]{{1,4}})?"
    r"(?:i|we) (?:was|were) wrong about (?P<what>(?:the|our|that) (?!\d)[^,;?\n]{3,50}), "
    r"(?=(?:since|they|it|there|now|those|these|that)\b)"
)
#: "sqlc worked out, use it everywhere": what is to be used.
_USE_IT = spoken(
    r"(?:^|(?<=[.!?\n]\s))(?P<what>[\w/@.-]{2,40}) (?:(?:has )?worked (?:out|well|great|fine)"
    r"|works(?: (?:out|great|well|fine|better|nicely))?"
    r"|(?:is|was) (?:great|better|good|nice|nicer|faster|fine))[,;.] (?:so |and |let'?s )?use it\b"
)
#: What only says that a lesson comes: "one thing I should have mentioned: ...", "I'd like you to
#: remember this: ...". Its topic is part of the lesson: "the rule for dates: ...".
_ANNOUNCED = spoken(
    r"(?:^|(?<=[.!?\n]\s))(?!(?:i|we)(?:'ve| have)? (?:already |just )?"
    r"(?:told|said|mentioned|explained|keep)\b)(?=[^:;.?!\n]{0,160}\b(?:i|i'?d|i'?ve|we|you|he|she"
    r"|they|thing|just so)\b)(?:[^:;.?!\n]{0,120}?\b(?:remember|mention(?:ed)?|tell you|told you"
    r"|explain(?:ing|ed)?|discussion|came up|grateful for|keep in mind|you to know"
    r"|should (?:perhaps |probably )?(?:say|have said|add))\b)(?![^:;.?!\n]{0,60}\b"
    r"(?:for|about|regarding) (?!you\b|me\b|us\b|now\b)\w)[^:;.?!\n]{0,60}: (?=(?:\S{1,80} ){3})"
)
#: The same before "that": "the general lesson is that ...", "legal was very clear that ...".
_SAYS_THAT = spoken(
    r"(?:^|(?<=[.!?,\n]\s))"
    rf"{BEGUN}"
    r"(?:(?:i (?:guess|suppose|think)|i'?d say) )?"
    r"(?:(?:the|my|our|one|another) (?:[a-z]{2,12} ){0,2}?(?:(?:lesson|takeaway|moral|outcome"
    r"|conclusion|upshot)\b[^.:;?!\n]{0,60}?|(?:thing|point)\b[^.:;?!\n]{0,60}?\b"
    r"(?:important|remember|know|agreed|mind)\b[^.:;?!\n]{0,80}?),? (?:is|was) that"
    r"|(?:the )?[\w-]{2,20} (?:was|were|is|are) (?:(?:pretty|very|quite|really|super) )?"
    r"(?:clear|adamant|firm|strict|explicit)(?: (?:again|yesterday|last \w{3,9}))? that) "
)
#: "I noticed you imported X there, we're getting rid of it": the report before a lesson.
_NOTICED = spoken(
    r"(?:^|(?<=[.!?\n]\s))i (?:just )?(?:noticed|saw|see) (?:that )?(?:you|u)"
    r"(?:'ve)? (?:\w{2,20}ed|put|made|wrote|took|chose)\b[^,;:.?!\n]{1,60}, "
    r"(?=(?:we|we're|our|the|they|there|everything)\s)"
)
#: "I'd rather we didn't ...", "it would be nicer if you didn't ...": what not to do.
_RATHER_NOT = spoken(
    r"\b(?:i (?:suppose|think|guess) )?(?:(?:i'd|i would) (?:(?:much|really) )?(?:rather(?: if)?"
    r"|prefer it if|be (?:happier|glad|grateful) if|appreciate it if)"
    r"|(?:it'd|it would) be (?:(?:much|a bit|really) )?(?:nicer?|good|better|great|kind|safer"
    r"|best) if) (?:we|you) (?:didn'?t|did not|don'?t) (?=\w)"
)
#: "Would you mind using the names from the header? ...", "might I ask that ...?": an order.
_MIND_USING = spoken(
    r"(?:^|(?<=[.!?,\n]\s))(?:would|do) you mind (?P<verb>using|keeping|putting|running|writing"
    r"|naming|sticking) (?P<what>[^?\n]{3,160})\?"
)
_MAY_I_ASK = spoken(
    r"(?:^|(?<=[.!?,\n]\s))"
    r"(?:might|may|could|can) i (?:please )?ask that (?P<what>[^?\n]{3,160})\?"
)
#: "Next time you rename something, rename it in the docs": when it holds.
_NEXT_TIME = spoken(
    r"(?:^|(?<=[.!?,:\n]\s))(?:the )?next time (?:that )?(?:you|u) "
    r"(?=(?!can\b|could\b|may\b|should\b|will\b|are\b)\w[^,.;?!\n]{2,60},\s)"
)
#: "Careful with the users table, it has triggers": what is so.
_CAREFUL = spoken(
    r"\b(?:(?:be )?(?:very |extra )?careful (?:with|about)|beware of|watch out for) "
    r"(?P<what>(?:the|our|all|any)\s[^,:;?.\n]{2,50}|[\w`.-]{2,30}(?: [\w`.-]{2,20}){0,3}), "
    r"(?=(?:it|they|there|those|these|the|our)\b)"
)
#: "No mail is not encrypted", "no --atomic hides the error": the "no" stands by itself.
_NO_IT_IS = spoken(
    r"(?:^|(?<=[.!?\n]\s))(?:(?:hm+|ok(?:ay)?|well|nah)\b[\s,]{1,4})?no (?=(?:--[\w-]{2,30} "
    r"\w{2,15}s|[\w./-]{2,30} (?:(?:is|are|was) not|isn'?t|aren'?t|can'?t|cannot|doesn'?t"
    r"|won'?t))\b)"
)
_VERBS = {
    "using": "use",
    "keeping": "keep",
    "putting": "put",
    "running": "run",
    "writing": "write",
    "naming": "name",
    "sticking": "stick",
}


def _use(one: Match[str]) -> str:
    return f"{_VERBS[one['verb'].lower()]} {one['what']}."


def _must_be(one: Match[str]) -> str:
    return f"{one['what']} {one['must'] or 'is'} "


#: The replacements, in this order.
_MEANT: tuple[tuple[LazyPattern, str | Callable[[Match[str]], str]], ...] = (
    (_ANNOUNCED, ""),
    (_SAYS_THAT, ""),
    (_NOTICED, ""),
    (_RATHER_NOT, "don't "),
    (_MIND_USING, _use),
    (_MAY_I_ASK, r"\g<what>."),
    (_WHY_USING, r"use \g<right>, not \g<wrong>"),
    (_WHY_DID, r"don't \g<did>: "),
    (_WHY_DOING, r"stop \g<doing>: "),
    (_CAN_YOU_NOT, "don't "),
    (_HOW_ABOUT, ""),
    (_YOU_KEEP, "stop "),
    (_WAS_WRONG, _must_be),
    (_IS_WRONG, _must_be),
    (_WRONG_ABOUT, r"\g<what>: "),
    (_USE_IT, r"use \g<what>"),
    (_NEXT_TIME, "when you "),
    (_CAREFUL, r"careful: \g<what>: "),
    (_NO_IT_IS, "no, "),
)


def meant_by(words: str) -> str:
    """Return a turn's words with roundabout statements put plainly."""
    for pattern, plain in _MEANT:
        words = pattern.sub(plain, words)
    return words
