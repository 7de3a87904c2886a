"""What is removed from a lesson's wording: remarks, "please", smileys.

One sentence each, apostrophes straight, without case; linear in the sentence, repetitions are
bounded.
"""

from __future__ import annotations

from satchel.storage.kept_patterns import spoken

#: Parentheses at the end belong to a lesson, but do not make one.
REMARK = spoken(r"\s\([^()\n]{1,60}\)[.!;]?$")
DROP_WORDS = spoken(
    r"(?:^(?:i (?:said|told you) (?:that )?))| (?:please|pls|plz)"
    r"(?= ?(?:[,;.!(]|$)| (?:even|when|if|unless|everywhere)\b)"
    r"|,? (?:s'il (?:te|vous) pla\u00eet|por favor|per favore|bitte|alsjeblieft)(?= ?(?:[,;.!?]|$))"
    # "The speed alone pays for it" says something; "use uv for this" does not.
    r"|(?<!ask)(?<!asks)(?<!pay)(?<!pays)(?<!paid)(?<!wait)(?<!waits)(?<!look)(?<!looks)(?<!made)"
    r"(?<!built)(?<!care)(?<!cares)(?<!stands) for (?:it|this|that)(?= ?(?:[,;.]|$))"
    r"|[,;] (?:as )?i (?:already )?(?:said|told you|mentioned|wrote)(?: (?:that|this|it|so|before"
    r"|already|earlier|twice|on|last|yesterday|\w{3,6}day|week|time)){0,4} ?$"
    r"|, you [^,;]{1,40} again ?$|, if you don'?t mind(?= ?(?:,|$))"
    r"|, (?:just do it|period|full stop|that'?s it|thanks|thank you|thx|stop (?:it|that)"
    r"|i(?:'?m| am) (?:not (?:kidding|joking)|serious)) ?$"
    r"|[\s,]{1,3}(?:btw|by the way|fyi)(?=[\s,;.!]|$)"
    r"|[\s,;:.-]{1,4}(?:(?:and|so) )?(?:please )?"
    r"(?:(?:it )?would be (?:good|nice|great) if you(?:'d| would| could)? )?(?:remember|note"
    r"|don'?t forget|keep) (?:that|this|it)(?: (?:down|in mind))?(?: please)?[\s.!]{0,3}$"
    r"|[,;] i (?:really )?(?:don'?t|do not|never) (?:want|like|need) (?:that|this|it|them|those)"
    r"(?: (?:here|at all|anymore|any more|in (?:this|our|the) \w+))? ?$"
    # Spellings corrected in passing.
    r"|[,;] (?:the )?(?:(?:claude|agents|gemini|readme)\.md|readme|docs?"
    r"|wiki) (?:is|are) (?:just |still |a bit )?(?:outdated|out of date|old|wrong|stale) ?$"
)
#: Says in another language that a lesson comes, or that something is wrong: "merk dir: ...".
LED_ABROAD = spoken(
    r"^(?:merke? dir(?: bitte)?[:,] ?|(?:zur|pour) info[:,] ?|n'oublie(?:z)? pas que "
    r"|por cierto[:,] ?|souviens-toi que |recuerda(?:d)? que |no olvides que "
    r"|lembre-se (?:de )?que |onthoud dat |ricorda(?:ti)? che |(?:nicht so|das hatten wir schon"
    r"|das (?:ist|war) falsch|(?:das )?hab(?:e)? ich (?:doch )?(?:schon )?gesagt|c'est faux"
    r"|(?:non,? )?pas comme \u00e7a|as\u00ed no|est\u00e1 mal|ya te (?:lo )?dije)[:,.] ?)"
)
SMILES = spoken(r" ?(?::[)|(/DP]|;\)|[\U0001f300-\U0001faff\u2600-\u27bf]\ufe0f?)+ ?$")
#: What is typed short.
SHORT = spoken(
    r"(?<![\w`/.-])(?-i:u|ur|w/|abt|bc|tmrw)(?=\s)|(?<=\w\s)(?<!in\s)(?<!use\s)(?-i:r)"
    r"(?=\s(?:in|on|always|never|not|all|only|the|fine|\w{2,20}ed)\b)"
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
STEP_FIRST = spoken(
    r"^(?:rename|move|change|put|fix|make|set|call|name|use|take|leave|add|drop"
    r"|remove) (?:the|this|that|it)\b[^,;]{0,60}[,;] (?=(?:all|every|each)\s"
    r"|we (?:always|never|only)\s|our \w{1,30}s\s)"
)
#: The order that made somebody think of the rule: "commit please, conventional commits".
COMMIT_FIRST = spoken(
    r"^(?:commit|push)(?: (?:it|this|that|them))?, (?:but )?(?!(?:then|and|but|so|or|not"
    r"|if|when|because"
    r"|with|don'?t|never|always|only)\b)(?=\S{3,40} \S)"
)
#: An order about what is on the screen before the lesson: "take it out, sleeps are forbidden".
STEP_ON_IT = spoken(
    r"^(?:then )?(?:take|throw|pull|rip|get|move|batch|split|cache|drop|remove|delete|rename"
    r"|revert|undo|fix|change|merge|skip|wrap|extract"
    r"|inline) (?:it|that|this|them|those)(?: (?:ones?|check|test|warning|step))?\b"
    r"(?: (?:then|out|back|away|up|off|in|there|over|down"
    r"|please|too|again|instead)){0,2}, (?!(?:not|never|and|or|but|then|to|with|in|into|on|from|so"
    r"|as|because|since|if|when|before|after|unless)\b)(?=(?:\S{1,80} ){3,12}\S)"
)
#: "Put ines there, she owns the finance marts": who she is.
WHO_DOES = spoken(
    r"^(?:put|make|ask|add|use|ping|assign|set) (?P<who>[a-z]\w{1,20})\b[^,;]{0,40}[,;] "
    r"(?:she|he|they) (?=(?:owns?|has|have|handles?|does|do|runs?|knows?|maintains?|takes?"
    r"|reviews?|approves?|leads?)\b)"
)
#: What is typed without its apostrophe.
CONTRACTED = spoken(
    r"(?<![\w`/.-])(?P<head>do|does|did|is|are|was|were|could|should|would|have|has|had|ca"
    r"|wo)nt(?![\w`/.-])"
)
#: The rest of "I told you not to ...".
NOT_TO = spoken(r"^not to (?=\w)")
#: "From here" says where, and would leave a hole: "never deploy from, use the pipeline".
HERE = spoken(
    r"(?: (?:in|over|around))?(?<!\bnot)(?<!\bfrom)(?<!\bto)(?<!\binto)(?<!\bof)"
    r"(?<!\bat) here(?= ?(?:[,.;!]|$))"
)
#: "That's the gateway, it's in the platform repo": what "it" is.
THATS_THE = spoken(
    r"^that(?:'?s| is) (?P<thing>(?:the|our|an?) [\w./-]{2,30}(?: [\w./-]{2,30}){0,2})[,;] "
    r"(?:it'?s|its|it is) (?=\w)"
)
#: Whoever reads a shared rule is not who said "I".
I_PREFER = spoken(r"^i (?:really |strongly |generally |usually )?(?=prefer\s)")
#: Polite ways to say what to do: "I'd avoid malloc", "it'd be good to always check".
POLITELY = spoken(
    r"^(?:i(?:'d| would) (?=(?:avoid|hold off|refrain)\b)"
    r"|it(?:'d| would) be (?:good|nice|kind|better|great|best|helpful) (?:of you )?to )"
)
#: "It's pnpm in web/, never npm" is about nothing said before.
IT_IS_THERE = spoken(
    r"^it(?:'?s| is) (?=[\w.+#/-]{2,30} (?:in|for|on|under) [\w./-]{2,40}, (?:never|not|no)\s)"
)


def wording_of(rest: str) -> str:
    """Return a sentence as a standalone line: no lead-in, no "here", no full stop."""
    plain = LED_ABROAD.sub("", DROP_WORDS.sub("", SMILES.sub("", rest)))
    plain = STEP_FIRST.sub("", plain)
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


def begun_with_a_capital(text: str) -> str:
    """Return a sentence with a capital first letter, unless it begins with a name in code."""
    first = text.split(maxsplit=1)[0].rstrip(",:;'") if text.strip() else ""
    is_word = first.replace("'", "").isalpha() and first[1:] == first[1:].lower()
    return text[:1].upper() + text[1:] if is_word else text
