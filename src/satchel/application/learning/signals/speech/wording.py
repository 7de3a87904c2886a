"""What is removed from a lesson's wording: remarks, "please", smileys.

One sentence each, apostrophes straight, without case; linear in the sentence, repetitions are
bounded.
"""

from __future__ import annotations

from satchel.application.learning.signals.own_words import begun_with_a_capital
from satchel.storage.kept_patterns import any_case

_re = any_case

#: Parentheses at the end belong to a lesson, but do not make one.
REMARK = _re(r"\s\([^()\n]{1,60}\)[.!;]?$")
DROP_WORDS = _re(
    r"(?:^(?:i\s+(?:said|told\s+you)\s+(?:that\s+)?))|\s{1,3}(?:please|pls|plz)"
    r"(?=\s{0,3}(?:[,;.!(]|$)|\s{1,3}(?:even|when|if|unless|everywhere)\b)"
    r"|,?\s{1,3}(?:s'il\s+(?:te|vous)\s+pla\u00eet|por\s+favor|per\s+favore|bitte|alsjeblieft)(?=\s{0,3}(?:[,;.!?]|$))"
    # "The speed alone pays for it" says something; "use uv for this" does not.
    r"|(?<!ask)(?<!asks)(?<!pay)(?<!pays)(?<!paid)(?<!wait)(?<!waits)(?<!look)(?<!looks)(?<!made)"
    r"(?<!built)(?<!care)(?<!cares)(?<!stands)\s{1,3}for\s+(?:it|this|that)(?=\s{0,3}(?:[,;.]|$))"
    r"|[,;]\s{1,3}(?:as\s+)?i\s+(?:already\s+)?(?:said|told\s+you|mentioned|wrote)"
    r"(?:\s+(?:that|this|it|so|before|already|earlier|twice|on|last|yesterday|\w{3,6}day|week|time)){0,4}\s{0,3}$"
    r"|,\s+you\s+[^,;]{1,40}\s+again\s{0,3}$"
    r"|,\s{1,3}if\s+you\s+don'?t\s+mind(?=\s{0,3}(?:,|$))"
    r"|,\s{1,3}(?:just\s+do\s+it|period|full\s+stop|that'?s\s+it|thanks|thank\s+you|thx|stop\s+(?:it|that)|i"
    r"(?:'?m|\s+am)\s+(?:not\s+(?:kidding|joking)|serious))\s{0,3}$|[\s,]{1,3}"
    r"(?:btw|by\s+the\s+way|fyi)(?=\s{0,3}(?:[,;.!]|$))"
    r"|[\s,;:.-]{1,4}(?:(?:and|so)\s+)?(?:please\s+)?"
    r"(?:(?:it\s+)?would\s+be\s+(?:good|nice|great)\s+if\s+you(?:'d|\s+would|\s+could)?\s+)?(?:remember|note|don'?t\s+forget|keep)\s+"
    r"(?:that|this|it)"
    r"(?:\s+(?:down|in\s+mind))?(?:\s+please)?[\s.!]{0,3}$"
    r"|[,;]\s{1,3}i\s+(?:really\s+)?(?:don'?t|do\s+not|never)\s+(?:want|like|need)\s+(?:that|this|it|them|those)"
    r"(?:\s+(?:here|at\s+all|anymore|any\s+more|in\s+(?:this|our|the)\s+\w+))?\s{0,3}$"
    # Spellings corrected in passing.
    r"|[,;]\s{1,3}(?:the\s+)?(?:(?:claude|agents|gemini|readme)\.md|readme|docs?|wiki)\s+(?:is|are)\s+(?:just\s+|still\s+|a\s+bit\s+)?"
    r"(?:outdated|out\s+of\s+date|old|wrong|stale)\s{0,3}$"
)
SMILES = _re(r" ?(?::[)|(/DP]|;\)|[\U0001f300-\U0001faff\u2600-\u27bf]\ufe0f?)+ ?$")
#: What is typed short.
SHORT = _re(
    r"(?<![\w`/.-])(?-i:u|ur|w/|abt|bc|tmrw)(?=\s)"
    r"|(?<=\w\s)(?<!in\s)(?<!use\s)(?-i:r)(?=\s(?:in|on|always|never|not|all|only|the|fine"
    r"|\w{2,20}ed)\b)"
)
SPELLED = {
    "u": "you",
    "ur": "your",
    "w/": "with",
    "abt": "about",
    "bc": "because",
    "r": "are",
    "tmrw": "tomorrow",
}
#: An order of the moment before the rule that it follows: "rename it to x, all our names end so".
STEP_FIRST = _re(
    r"^(?:rename|move|change|put|fix|make|set|call|name|use|take|leave|add|drop|remove)\s+"
    r"(?:the|this|that|it)\b[^,;]{0,60}[,;]\s{1,4}"
    r"(?=(?:all|every|each)\s|we\s+(?:always|never|only)\s|our\s+\w{1,30}s\s)"
)
#: The order that made somebody think of the rule: "commit please, conventional commits".
COMMIT_FIRST = _re(
    r"^(?:commit|push)(?:\s{1,4}(?:it|this|that|them))?,\s{1,4}(?:but\s{1,4})?"
    r"(?!(?:then|and|but|so|or|not|if|when|because|with|don'?t|never|always|only)\b)(?=\S{3,40}\s{1,4}\S)"
)
#: An order about what is on the screen before the lesson: "take it out, sleeps are forbidden".
STEP_ON_IT = _re(
    r"^(?:then\s{1,4})?(?:take|throw|pull|rip|get|move|batch|split|cache|drop|remove|delete|rename|revert|undo"
    r"|fix|change|merge|skip|wrap|extract|inline)\s{1,4}(?:it|that|this|them|those)\b"
    r"(?:\s{1,4}(?:then|out|back|away|up|off|in|there|over|down|please|too|again|instead)){0,2},\s{1,4}"
    r"(?!(?:not|never|and|or|but|then|to|with|in|into|on|from|so|as|because|since|if|when|before|after|unless)\b)"
    r"(?=(?:\S{1,80}\s{1,4}){3,12}\S)"
)
#: "Put ines there, she owns the finance marts": who she is.
WHO_DOES = _re(
    r"^(?:put|make|ask|add|use|ping|assign|set)\s+(?P<who>[a-z]\w{1,20})\b[^,;]{0,40}[,;]\s{1,4}"
    r"(?:she|he|they)\s+(?=(?:owns?|has|have|handles?|does|do|runs?|knows?|maintains?|takes?|reviews?|approves?|leads?)\b)"
)
#: What is typed without its apostrophe.
CONTRACTED = _re(
    r"(?<![\w`/.-])(?P<head>do|does|did|is|are|was|were|could|should|would|have|has|had|ca|wo)nt(?![\w`/.-])"
)
#: The rest of "I told you not to ...".
NOT_TO = _re(r"^not\s+to\s+(?=\w)")
#: "From here" says where, and would leave a hole: "never deploy from, use the pipeline".
HERE = _re(
    r"(?:\s{1,3}(?:in|over|around))?(?<!\bnot)(?<!\bfrom)(?<!\bto)(?<!\binto)(?<!\bof)(?<!\bat)"
    r"\s{1,3}here(?=\s{0,3}(?:[,.;!]|$))"
)
#: "That's the gateway, it's in the platform repo": what "it" is.
THATS_THE = _re(
    r"^that(?:'?s|\s{1,4}is)\s{1,4}(?P<thing>(?:the|our|an?)\s{1,4}[\w./-]{2,30}(?:\s{1,4}[\w./-]{2,30}){0,2})"
    r"[,;]\s{1,4}(?:it'?s|its|it\s{1,4}is)\s{1,4}(?=\w)"
)
#: Whoever reads a shared rule is not who said "I".
I_PREFER = _re(
    r"^i\s{1,3}(?:really\s{1,3}|strongly\s{1,3}|generally\s{1,3}|usually\s{1,3})?(?=prefer\s)"
)
#: Polite ways to say what to do: "I'd avoid malloc", "it'd be good to always check".
POLITELY = _re(
    r"^(?:i(?:'d|\s+would)\s+(?=(?:avoid|hold\s+off|refrain)\b)"
    r"|it(?:'d|\s+would)\s+be\s+(?:good|nice|kind|better|great|best|helpful)\s+(?:of\s+you\s+)?to\s+)"
)
#: "It's pnpm in web/, never npm" is about nothing said before.
IT_IS_THERE = _re(
    r"^it(?:'?s|\s{1,3}is)\s{1,3}(?=[\w.+#/-]{2,30}\s{1,3}(?:in|for|on|under)\s{1,3}[\w./-]{2,40},"
    r"\s{1,3}(?:never|not|no)\s)"
)


def wording_of(rest: str) -> str:
    """Return a sentence as a standalone line: no lead-in, no "here", no full stop."""
    plain = STEP_FIRST.sub("", DROP_WORDS.sub("", SMILES.sub("", rest)))
    plain = STEP_ON_IT.sub("", COMMIT_FIRST.sub("", plain))
    plain = WHO_DOES.sub(r"\g<who> ", plain)
    plain = NOT_TO.sub("don't ", plain)
    plain = CONTRACTED.sub(r"\g<head>n't", plain)
    plain = THATS_THE.sub(r"\g<thing> is ", plain)
    plain = IT_IS_THERE.sub("", POLITELY.sub("", I_PREFER.sub("", plain)))
    return begun_with_a_capital(_trimmed(" ".join(HERE.sub("", plain).split())))


def _trimmed(text: str) -> str:
    """Return a sentence without the marks around it; a name that ends with a hyphen keeps it."""
    bare = text.rstrip(" ,;:.!?").lstrip(" ,;:-.!?")
    return bare if bare[-2:-1].isalnum() else bare.rstrip(" ,;:-.!?")
