"""Patterns of questions, and of what follows a report of a problem. Linear in the sentence."""

from __future__ import annotations

from satchel.storage.kept_patterns import any_case

_re = any_case

#: A question whatever follows: "how does the template get its input".
ASKS = _re(
    r"(?:how\s{1,4}(?:(?:i|we)\s{1,4}(?:can|could|do|should)|does|do|did|is|are|was|were|can|could|should|would|many|much|long|often)|what"
    r"(?:'?s|\s{1,4}(?:is|are|was|were|does|do|did|happens|ends))"
    r"|where's|(?:where|when)\s{1,4}(?:is|are|was|were|does|do|did)|who(?:'s|\s{1,4}(?:is|was|are))"
    r"|which\s{1,4}(?:is|are|one|of\s{1,4}(?:the|these|those|them))\b|which\s{1,4}\w{1,40}\s{1,4}(?:is|was|are|do|does|did|should)"
    r"|i\s{1,4}(?:do\s{1,4}|just\s{1,4})?wonder\s{1,4}(?:if|whether|why|how|what)"
    r"|why\s{1,4}(?:is|are|was|were|do(?!\s{1,4}(?:you|u)\b)|does|did|not|must|should|would|can'?t|won'?t|has|have)|what\s{1,4}(?:if|about)|how\s{1,4}about"
    r"|(?:can|could|would|will|do|does|did)\s{1,4}(?:you|ya|u|we|i|they)"
    r"|(?:is|are|was|were|has|have|does|did)\s{1,4}(?:there|it|this|that|these|the|we|you|they|anyone|anybody|any)"
    r"|(?:is|are)\s{1,4}[^,;.]{1,60}\s{1,4}(?:still|or)\s[^,;.]{1,60}"
    r"|(?:does|did|doesn'?t|didn'?t|isn'?t|aren'?t|wasn'?t|weren'?t)\s{1,4}[^\s,;.]+"
    r"|(?:is|are|was|were)\s{1,4}[^,;.]{1,60}\s{1,4}(?:an?\s{1,4}option|possible|allowed|ok(?:ay)?|enough"
    r"|supported|available|done|working|deployed|merged|covered|tested|needed|necessary|normal)$)\b"
)
#: "Stripe events don't show up any more, what was the thing again", "..., any idea".
ASKS_BACK = _re(
    r",\s{1,4}any\s{1,4}(?:ideas?|clues?|thoughts|hints?)\b[^,.;:]{0,30}$|"
    r",\s{1,4}(?:and\s{1,4})?(?:whats|(?:what|how|where|who|why)\s{1,4}"
    r"(?:was|were|is|did|do|does|should))\b[^,.;:]{0,60}$"
)
#: Nobody knows it for certain, "i remember 7 cent or so", or it is on somebody's own list.
RECALLED = _re(
    r"^i\s{1,4}(?:believe|remember|guess|suppose|assume)\s(?!to\b)|^my\s{1,4}(?:to-?do|list)\b"
)
#: Asks about what the sentence began with: "the text for "ride", is it Fahrt or Reise?".
ASKS_OF_IT = _re(
    r"(?:is|are|was|were|does|do|did|can|could|should|would|will|has)\s{1,4}(?:it|this|that|they|those)\b[^?]{0,120}\?\s*$"
)
#: Something that does not work, which the next sentence asks about.
FAILS = _re(
    r"\b(?:[45]\d\d|errors?|fails?|crash(?:es)?|comes?\s{1,4}back|empty|missing|slow|wrong|twice)\b"
)
#: Asks about what was just said: "it comes back with 413. where is that limit?".
ASKS_OF_THAT = _re(
    r"(?:where|who|which|when|how|what)\b[^?]{0,60}\b(?:it|that|this|they|those)\b[^?]{0,40}\?\s*$"
)
#: Ends with an order to look into what it reports: "the job takes 40 minutes, profile it".
LOOK_LAST = _re(
    r"[,;]\s{1,4}(?:(?:please|pls|can\s{1,4}you|could\s{1,4}you|and|so|let'?s)\s{1,4}){0,3}"
    r"(?:(?:profile|debug|investigate)\b|(?:take|have)\s{1,4}a\s{1,4}look|find\s{1,4}out"
    r"|figure\s{1,4}out|(?:look\s{1,4}(?:at|into)|check)\s{1,4}(?:it|that|this|them)\b|fix\s{1,4}(?:it|that|this|them|the)\b|see\s{1,4}(?:if|why|what|whether)\b)"
    r"[^,;]{0,60}$"
)
#: Follows a report of a current problem, to be looked into.
LOOK_INTO = _re(
    # "Put it behind /admin": the sentence before is a request.
    r"(?:please\s{1,4})?(?:put|add|make|build|write|do|expose|place|call|name|show)\s{1,4}"
    r"(?:it|that|this|them)\b|(?:(?:please|pls|can\s{1,4}you|could\s{1,4}you|and|so|let'?s)\s{1,4}){0,3}"
    r"(?:(?:take|have)\s{1,4}a\s{1,4}look|look\s{1,4}(?:at|into)|check\b|fix\b|find\s{1,4}out"
    r"|investigate|debug|figure\s{1,4}out|see\s{1,4}(?:if|why|what|whether)|any\s{1,4}ideas?|why\b"
    r"|(?:would|do|could)\s{1,4}you\s{1,4}(?:perhaps\s{1,4}|maybe\s{1,4})?(?:have|know|see|think)\b|what\s{1,4}(?:could|might|would)\b"
    r"|what(?:'?s|\s{1,4}is)\s{1,4}(?:wrong|going\s{1,4}on|up))\b"
)
