"""Patterns of what is asked, ordered or pasted in passing, whatever its form.

One sentence each, linear in the sentence.
"""

from __future__ import annotations

from satchel.application.learning.signals.speech.lazy_pattern import LazyPattern

_re = LazyPattern

#: A question whatever follows: "how does the template get its input".
ASKS = _re(
    r"(?:how\s{1,4}(?:does|do|did|is|are|was|were|can|could|should|would|many|much|long|often)|what"
    r"(?:'s|\s{1,4}(?:is|are|was|were|does|do|did|happens|ends))"
    r"|where(?:'s|\s{1,4}(?:is|are|was|were|does|do|did))|who(?:'s|\s{1,4}(?:is|was|are))"
    r"|which\s{1,4}\w{1,40}\s{1,4}(?:is|was|are|do|does|did|should)"
    r"|why\s{1,4}(?:is|are|was|were|does|did|not)|what\s{1,4}(?:if|about)|how\s{1,4}about|(?:can|could|would|will)\s{1,4}(?:you|we|i))\b"
)
#: "Stripe events don't show up any more, what was the thing again".
ASKS_BACK = _re(
    r",\s{1,4}(?:and\s{1,4})?(?:what|how|where|who|why)\s{1,4}"
    r"(?:was|were|is|did|do|does|should)\b[^,.;:]{0,60}$"
)
#: What a program said as it failed, pasted into a sentence.
ERROR_TEXT = _re(
    r"(?-i:\b\w*(?:Error|Exception)|\bnpm\s+ERR!|^(?:fatal|panic)|\berror"
    r"(?:\s+TS\d+|\[E\d+\])?)\s{0,2}:\s{1,3}\S"
    r"|\bnpm\s+ERR!"
)
#: Asks for a step, points back at what was just said, or tells how a text still reads.
OF_THE_TASK = _re(
    r"^(?:ok(?:ay)?[\s,]{1,4})?(?:next|todo|now)(?:\s{1,4}(?:up|one|task|step|thing))?\s{0,4}[:,]|"
    r"^there(?:'?s|\s{1,4}is|\s{1,4}are)\s{1,4}(?:an?|another|some|still)\s{1,4}"
    r"(?:\w{1,40}\s{1,4}){0,2}(?:bug|typo|error|issue|problem)s?\b|"
    # What the agent did: what it is to do, the sentence does not say.
    r"^(?:(?:hm+|huh|uh+|hey|argh+|ugh)\b[\s,.!]{0,4})you\s{1,4}(?:just\s{1,4})?"
    r"(?!should|need|must|have|always|never)\w{1,20}ed\b"
    r"(?!.{0,200}\b(?:always|never|should|must|instead)\b)|"
    r"^(?!.{0,400}\b(?:always|every|each|never|when\w*|before|after)\b).{0,200}\b"
    r"(?:write|give|show|get|send|fetch|find)\s{1,4}me\s{1,4}(?:an?|the|some|all)\b|"
    r"^(?:please\s+)?\w+\s+(?:them|these|those)\s+(?:but|and)\b|^still\s+"
    r"(?:reads?|looks?|says?|shows?|sounds?|feels?|gets?|gives?)\b"
    r"|\bso\s+(?:that\s+)?(?:i|we|you|they)\s+can\s+"
    r"(?:choose|decide|compare|discuss|make\s+an?\s+(?:choice|decision))\b"
    r"|\b(?:can|could)\s+(?:you|u|ya)\s+(?:please\s+|pls\s+)?(?:(?:have|take)\s+a\s+)?"
    r"(?:look|check|help|fix)(?:\s+(?:it|that|into\s+it))?(?:\s+(?:please|pls))?[.!?]*$"
    # What this turn is to leave alone, to replace or to do in an order, and which one is meant.
    r"|^(?:do\s+not|don'?t)\s+\w{1,20}\s+anything\b[^,;.]{0,60}[,;.]\s{0,4}(?:just|only)\b"
    r"|^replace\s+the\b(?!.*\b(?:every\w*|always|any|when\w*)\b)|\bfirst,?\s+so\s+(?:that\s+)?"
    r"(?:i|we|you)\b"
    r"|\bi'?d\s+like\s+to\b.{3,200}\band\s+then\b|^(?:no,?\s+)?the\s+(?:one|ones|other)\s+"
    r"(?:in|on|at|from|with)\b"
    r"|^(?:the|this|that)\b[^,;]{3,50},\s{1,4}(?:make|move|put|change|rename|set|turn|give)\s{1,4}(?:it|them)\b"
    r"|^(?!.{0,400}\b(?:always|every|each|never|when\w*|if|before|after)\b).{5,200},\s{1,4}"
    r"(?:add|fix|change|create|write|make|remove|update)\s{1,4}(?:one|it|them|that|those)\W{0,3}$"
    # What others are said to say.
    r"|^(?:someone|somebody|people|some\s{1,4}(?:guy|people|folks))\b.{0,40}?\b(?:says?|said|told|wrote)\b"
    # What somebody thinks of it, and what did not come.
    r"|^ha(?:ha)+\b|^(?:lol|hehe)\b|^never\s+change\W*$|^i\s+meant\s+\S{1,40}\s+not\s+\S{1,40}$"
    r"|\bis\s+(?:a\s+)?(?:bit\s+of\s+a\s+)?(?:stretch|weird|odd|annoying|strange)[.!]*$|\b"
    r"(?:i|we)\s+never\s+(?:got|heard|saw|said|knew|found)\b"
)
