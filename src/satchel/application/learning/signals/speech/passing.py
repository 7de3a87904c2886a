"""Patterns of questions, and of what follows a report of a problem. Linear in the sentence."""

from __future__ import annotations

from satchel.storage.kept_patterns import spoken

#: A question whatever follows: "how does the template get its input".
ASKS = spoken(
    r"(?:how (?:(?:i|we) (?:can|could|do|should)|does|do|did|is|are|was|were|can|could|should"
    r"|would|many|much|long|often)|what(?:'?s| (?:is|are|was|were|does|do|did|happens|ends))"
    r"|where's|(?:where|when) (?:is|are|was|were|does|do|did)|who(?:'s| (?:is|was|are))"
    r"|which (?:is|are|one|of (?:the|these|those|them))\b"
    r"|which \w{1,40} (?:is|was|are|do|does|did|should)"
    r"|i (?:do |just )?wonder (?:if|whether|why|how|what)|why (?:is|are|was|were"
    r"|do(?! (?:you|u)\b)|does|did|not|must|should|would|can'?t|won'?t|has|have)|what (?:if|about)"
    r"|how about|(?:can|could|would|will|do|does|did) (?:you|ya|u|we|i|they)"
    r"|(?:tell|show|remind|explain to) (?:me|us),? (?:how|what|which|where|why|who)"
    r"|(?:is|are|was|were|has|have|does|did) (?:there|it|this|that|these|the|we|you|they|anyone"
    r"|anybody|any)|(?:is|are) [^,;.]{1,60} (?:still|or)\s[^,;.]{1,60}"
    r"|(?:does|did|doesn'?t|didn'?t|isn'?t|aren'?t|wasn'?t|weren'?t) [^\s,;.]+"
    r"|(?:is|are|was|were) [^,;.]{1,60} (?:an? option|possible|allowed|ok(?:ay)?|enough|supported"
    r"|available|done|working|deployed|merged|covered|tested|needed|necessary|normal)$)\b"
)
#: "Stripe events don't show up any more, what was the thing again", "..., any idea".
ASKS_BACK = spoken(
    r", any (?:ideas?|clues?|thoughts|hints?)\b[^,.;:]{0,30}$|, (?:and )?"
    r"(?:whats|(?:what|how|where|who|why) (?:was|were|is|did|do|does|should))\b[^,.;:]{0,60}$"
)
#: Nobody knows it for certain, "i remember 7 cent or so", or it is on somebody's own list.
RECALLED = spoken(r"^i (?:believe|remember|guess|suppose|assume)\s(?!to\b)|^my (?:to-?do|list)\b")
#: Asks about what the sentence began with: "the text for "ride", is it Fahrt or Reise?".
ASKS_OF_IT = spoken(
    r"(?:is|are|was|were|does|do|did|can|could|should|would|will"
    r"|has) (?:it|this|that|they|those)\b[^?]{0,120}\? ?$"
)
#: Something that does not work, which the next sentence asks about.
FAILS = spoken(
    r"\b(?:[45]\d\d|errors?|fails?|crash(?:es)?|comes? back|empty|missing|slow|wrong|twice)\b"
)
#: Asks about what was just said: "it comes back with 413. where is that limit?".
ASKS_OF_THAT = spoken(
    r"(?:where|who|which|when|how|what)\b[^?]{0,60}\b(?:it|that|this|they|those)\b[^?]{0,40}\? ?$"
)
#: Ends with an order to look into what it reports: "the job takes 40 minutes, profile it".
LOOK_LAST = spoken(
    r"[,;] (?:(?:please|pls|can you|could you|and|so|let'?s) ){0,3}"
    r"(?:(?:profile|debug|investigate)\b|(?:take|have) a look|find out|figure out"
    r"|(?:look (?:at|into)|check) (?:it|that|this|them)\b|fix (?:it|that|this|them|the)\b"
    r"|see (?:if|why|what|whether)\b)[^,;]{0,60}$"
)
#: Follows a report of a current problem, to be looked into.
LOOK_INTO = spoken(
    # "Put it behind /admin": the sentence before is a request.
    r"(?:please )?"
    r"(?:put|add|make|build|write|do|expose|place|call|name|show) (?:it|that|this|them)\b"
    r"|(?:(?:please|pls|can you|could you|and|so|let'?s) ){0,3}(?:(?:take|have) a look"
    r"|look (?:at|into)|check\b|fix\b|find out|investigate|debug|figure out"
    r"|see (?:if|why|what|whether)|any ideas?|why\b"
    r"|(?:would|do|could) you (?:perhaps |maybe )?(?:have|know|see|think)\b"
    r"|what (?:could|might|would)\b|what(?:'?s| is) (?:wrong|going on|up))\b"
)
