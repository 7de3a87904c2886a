"""Rewrites roundabout statements as what they mean: "why do you use npm, it's bun".

One sentence each, apostrophes straight, without case; linear in the sentence, repetitions are
bounded.
"""

from __future__ import annotations

from satchel.storage.kept_patterns import LazyPattern, any_case

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Match

_re = any_case

#: "Why are you using npm, it's bun in mobile": what to use, and what not.
_WHY_USING = _re(
    r"\b(?:why|how\s{1,4}come)\s{1,4}(?:are|do|did|would)\s{1,4}(?:you|u)\s{1,4}(?:still\s{1,4})?"
    r"(?:using|use|running|run|calling)\s{1,4}(?P<wrong>[\w/@-]{1,40}(?:\.\w{1,20})?)"
    r"(?:\s{1,4}(?:here|again))?"
    r"[,;?]{1,3}\s{1,4}(?:it'?s|it\s{1,4}is|this\s{1,4}is|we\s{1,4}use|we(?:'?re|\s{1,4}are)\s{1,4}on)\s{1,4}"
    r"(?P<right>[\w/@-]{1,40}(?:\.\w{1,20})?(?:\s{1,4}[\w/@-]{1,40}){0,4})(?=[.,;!\n]|$)"
)
#: "Why did you add a migration by hand, alembic generates them": what not to do, and why.
_WHY_DID = _re(
    r"\b(?:why|how\s{1,4}come)\s{1,4}(?:(?:did|do)\s{1,4})?(?:you|u)\s{1,4}(?P<did>(?:add|use|write|mock|create|edit|put|call"
    r"|change|delete|import|install|catch|copy|run|make|wrap|hardcode|name|rename|log|skip|disable)"
    r"\s[^,;?.]{3,60})[,;?]{1,3}\s{1,4}(?=(?:we|it|they|there|the|our|that|those|[\w-]{3,30}s?\s{1,4}\w{3,20}s)\b)"
    r"(?!that\s{1,4}(?:is|was|looks)|it\s{1,4}(?:is\s{1,4})?(?:now|still|broke|fails))"
)
#: "Why are you writing tests in src, they go in tests/": what to stop, and why.
_WHY_DOING = _re(
    r"\b(?:why|how\s{1,4}come)\s{1,4}are\s{1,4}(?:you|u)\s{1,4}(?:still\s{1,4})?"
    r"(?P<doing>(?!asking|telling|saying|failing|getting|seeing|stuck)\w{2,20}ing\s[^,;?.]{3,60})[,;?]{1,3}\s{1,4}"
    r"(?=(?:we|they|there|those|the|our|[\w-]{3,30}s)\s{1,4}\w)"
)
#: "Can you not use abbreviations", "i hate it when you rename things": what not to do.
_CAN_YOU_NOT = _re(
    r"(?:^|(?<=[.!?,\n]\s))(?:(?:ok(?:ay)?|hey|and|also|so|but|ugh|please|pls)\b[\s,]{1,4}){0,2}(?:(?:can|could|would|will)\s{1,4}(?:you|we|u)\s{1,4}(?:(?:please|pls|just|maybe)\s{1,4})?not"
    r"|(?:i\s{1,4}(?:really\s{1,4})?(?:hate|dislike|don'?t\s{1,4}like)\s{1,4}it"
    r"|it'?s\s{1,4}(?:(?:really|so|very|pretty|kinda|super)\s{1,4})?annoying|it\s{1,4}annoys\s{1,4}me)"
    r"\s{1,4}(?:when|if)\s{1,4}(?:you|u))\s{1,4}(?!find\b|see\b|hear\b|get\b|be\b|are\b|\w{2,20}ed\b)(?=\w)"
)
#: "How about we never touch it by hand".
_HOW_ABOUT = _re(r"(?:^|(?<=[.!?,\n]\s))how\s{1,4}about\s{1,4}we\s{1,4}(?=(?:never|always)\b)")
#: "You keep writing long docstrings": what to stop.
_YOU_KEEP = _re(
    r"(?:^|(?<=[.!?:,\n]\s))(?:you|u)\s{1,4}(?:still\s{1,4})?(?:keep|kept)\s{1,4}(?:on\s{1,4})?"
    r"(?=(?!forgetting\b|ignoring\b|saying\b|getting\b|asking\b|failing\b|missing\b)\w{2,20}ing\s)"
)
#: "I was wrong about the set in tracking.ts, it has to be a map": what is to be a map.
_WAS_WRONG = _re(
    r"\b(?:(?:nah|no|oh|ok(?:ay)?|hm+)\b[\s,]{1,4})?(?:i|we)\s{1,4}(?:was|were)\s{1,4}wrong\s{1,4}about\s{1,4}"
    r"(?P<what>(?:the|our|that)\s{1,4}(?!\d)[^,;?\n]{3,50}),\s{1,4}"
    r"(?:it's|it\s{1,4}is|its(?=\s{1,4}(?:\d|an?\s|the\s|not\s|in\s|on\s|under\s))|it\s{1,4}(?P<must>has\s{1,4}to\s{1,4}be|should\s{1,4}be|must\s{1,4}be|needs\s{1,4}to\s{1,4}be))\s{1,4}"
)
#: "The vat for CH is wrong, it's 8.1 since 2024": what it is, with a value or a name.
_IS_WRONG = _re(
    r"(?:^|(?<=[.!?,\n]\s))(?P<what>(?:the|our)\s{1,4}(?!\d)[^,;:?!.\n]{2,50}?)\s{1,4}(?:is|was)\s{1,4}"
    r"(?:(?:still|just|also)\s{1,4})?(?:wrong|incorrect|outdated|stale)[,;]\s{1,4}"
    r"(?:it's|its|it\s{1,4}is|it\s{1,4}(?P<must>should\s{1,4}be|must\s{1,4}be|has\s{1,4}to\s{1,4}be))\s{1,4}"
    r"(?=[\w/:-]{0,40}[\d./])"
)
#: "I was wrong about the tables, they come in utc by now": the subject of the rest.
_WRONG_ABOUT = _re(
    r"(?:\b(?:ha|nah|no|oh|ok(?:ay)?|hm+|turns\s{1,4}out)\b[\s,.]{1,4}){0,3}\b(?:i|we)\s{1,4}(?:was|were)\s{1,4}wrong\s{1,4}about\s{1,4}"
    r"(?P<what>(?:the|our|that)\s{1,4}(?!\d)[^,;?\n]{3,50}),\s{1,4}(?=(?:since|they|it|there|now|those|these|that)\b)"
)
#: "sqlc worked out, use it everywhere": what is to be used.
_USE_IT = _re(
    r"(?:^|(?<=[.!?\n]\s))(?P<what>[\w/@.-]{2,40})\s{1,4}(?:(?:has\s{1,4})?worked\s{1,4}(?:out|well|great|fine)"
    r"|works(?:\s{1,4}(?:out|great|well|fine|better|nicely))?|(?:is|was)\s{1,4}(?:great|better|good|nice|nicer"
    r"|faster|fine))[,;.]\s{1,4}(?:so\s{1,4}|and\s{1,4}|let'?s\s{1,4})?use\s{1,4}it\b"
)
#: What only says that a lesson comes: "one thing I should have mentioned: ...", "I'd like you to
#: remember this: ...". Its topic is part of the lesson: "the rule for dates: ...".
_ANNOUNCED = _re(
    r"(?:^|(?<=[.!?\n]\s))(?!(?:i|we)(?:'ve|\s{1,4}have)?\s{1,4}(?:already\s{1,4}|just\s{1,4})?"
    r"(?:told|said|mentioned|explained|keep)\b)(?=[^:;.?!\n]{0,160}\b(?:i|i'?d|i'?ve|we|you|he|she|they|thing|just\s{1,4}so)\b)"
    r"(?:[^:;.?!\n]{0,120}?\b(?:remember|mention(?:ed)?|tell\s{1,4}you|told\s{1,4}you|explain(?:ing|ed)?"
    r"|discussion|came\s{1,4}up|grateful\s{1,4}for|keep\s{1,4}in\s{1,4}mind|you\s{1,4}to\s{1,4}know"
    r"|should\s{1,4}(?:perhaps\s{1,4}|probably\s{1,4})?(?:say|have\s{1,4}said|add))\b)"
    r"(?![^:;.?!\n]{0,60}\b(?:for|about|regarding)\s{1,4}(?!you\b|me\b|us\b|now\b)\w)"
    r"[^:;.?!\n]{0,60}:\s{1,4}(?=(?:\S{1,80}\s{1,4}){3})"
)
#: The same before "that": "the general lesson is that ...", "legal was very clear that ...".
_SAYS_THAT = _re(
    r"(?:^|(?<=[.!?,\n]\s))(?:(?:so|and|also|but|ok(?:ay)?|well)\b[\s,]{1,4}){0,2}"
    r"(?:(?:i\s{1,4}(?:guess|suppose|think)|i'?d\s{1,4}say)\s{1,4})?"
    r"(?:(?:the|my|our|one|another)\s{1,4}(?:[a-z]{2,12}\s{1,4}){0,2}?"
    r"(?:(?:lesson|takeaway|moral|outcome|conclusion|upshot)\b[^.:;?!\n]{0,60}?"
    r"|(?:thing|point)\b[^.:;?!\n]{0,60}?\b(?:important|remember|know|agreed|mind)\b[^.:;?!\n]{0,80}?),?"
    r"\s{1,4}(?:is|was)\s{1,4}that"
    r"|(?:the\s{1,4})?[\w-]{2,20}\s{1,4}(?:was|were|is|are)\s{1,4}(?:(?:pretty|very|quite|really|super)\s{1,4})?"
    r"(?:clear|adamant|firm|strict|explicit)(?:\s{1,4}(?:again|yesterday|last\s{1,4}\w{3,9}))?\s{1,4}that)\s{1,4}"
)
#: "I noticed you imported X there, we're getting rid of it": the report before a lesson.
_NOTICED = _re(
    r"(?:^|(?<=[.!?\n]\s))i\s{1,4}(?:just\s{1,4})?(?:noticed|saw|see)\s{1,4}(?:that\s{1,4})?(?:you|u)(?:'ve)?\s{1,4}"
    r"(?:\w{2,20}ed|put|made|wrote|took|chose)\b[^,;:.?!\n]{1,60},\s{1,4}(?=(?:we|we're|our|the|they|there|everything)\s)"
)
#: "I'd rather we didn't ...", "it would be nicer if you didn't ...": what not to do.
_RATHER_NOT = _re(
    r"\b(?:i\s{1,4}(?:suppose|think|guess)\s{1,4})?"
    r"(?:(?:i'd|i\s{1,4}would)\s{1,4}(?:(?:much|really)\s{1,4})?(?:rather(?:\s{1,4}if)?|prefer\s{1,4}it\s{1,4}if"
    r"|be\s{1,4}(?:happier|glad|grateful)\s{1,4}if|appreciate\s{1,4}it\s{1,4}if)"
    r"|(?:it'd|it\s{1,4}would)\s{1,4}be\s{1,4}(?:(?:much|a\s{1,4}bit|really)\s{1,4})?"
    r"(?:nicer?|good|better|great|kind|safer|best)\s{1,4}if)"
    r"\s{1,4}(?:we|you)\s{1,4}(?:didn'?t|did\s{1,4}not|don'?t)\s{1,4}(?=\w)"
)
#: "Would you mind using the names from the header? ...", "might I ask that ...?": an order.
_MIND_USING = _re(
    r"(?:^|(?<=[.!?,\n]\s))(?:would|do)\s{1,4}you\s{1,4}mind\s{1,4}(?P<verb>using|keeping|putting|running|writing"
    r"|naming|sticking)\s{1,4}(?P<what>[^?\n]{3,160})\?"
)
_MAY_I_ASK = _re(
    r"(?:^|(?<=[.!?,\n]\s))(?:might|may|could|can)\s{1,4}i\s{1,4}(?:please\s{1,4})?ask\s{1,4}"
    r"that\s{1,4}(?P<what>[^?\n]{3,160})\?"
)
#: "Next time you rename something, rename it in the docs": when it holds.
_NEXT_TIME = _re(
    r"(?:^|(?<=[.!?,:\n]\s))(?:the\s{1,4})?next\s{1,4}time\s{1,4}(?:that\s{1,4})?(?:you|u)\s{1,4}"
    r"(?=(?!can\b|could\b|may\b|should\b|will\b|are\b)\w[^,.;?!\n]{2,60},\s)"
)
#: "Careful with the users table, it has triggers": what is so.
_CAREFUL = _re(
    r"\b(?:(?:be\s{1,4})?(?:very\s{1,4}|extra\s{1,4})?careful\s{1,4}(?:with|about)|beware\s{1,4}of|watch\s{1,4}out\s{1,4}for)\s{1,4}"
    r"(?P<what>(?:the|our|all|any)\s[^,:;?.\n]{2,50}),\s{1,4}(?=(?:it|they|there|those|these)\b)"
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
)


def meant_by(words: str) -> str:
    """Return a turn's words with roundabout statements put plainly."""
    for pattern, plain in _MEANT:
        words = pattern.sub(plain, words)
    return words
