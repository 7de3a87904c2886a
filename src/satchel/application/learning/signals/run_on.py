"""Sets the marks that run-on speech lacks, as it is dictated or typed in haste. Pure.

"I see you used moment again we got rid of that please use luxon" is three sentences. Only a stretch
of many words without any mark is changed, and only before words that hardly go on with it.
"""

from __future__ import annotations

from satchel.storage.kept_patterns import LazyPattern, spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match

#: Fewest words without a mark that run on.
_RUNS_ON = 14
#: Of many characters; "3.12" and "src/a.ts" have no mark.
_STRETCH = LazyPattern(r"(?:[^.,;:!?()\n\u2026\u2013\u2014\"`]|[.,:](?=\w)){40,2000}")
_ITEM = LazyPattern(r"\s*(?:[-*+>#\u2022|]|\d{1,2}[.)])\s")
#: Says nothing: "uh", "it has like eighty rows", "ok" at the end.
_FILLERS = spoken(
    r"\b(?:u+h+|u+m+|uhm+|erm+|h+m+)\b ?"
    r"|\blike (?=(?:\d|an? (?:hundred|thousand|million)|two|three|four|five|six|seven|eight|nine"
    r"|ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|half)\b)"
    r"|(?<=\w) (?:ok(?:ay)?|alright) ?$"
)
#: "That's wrong because ...": why it is.
_WRONG_BECAUSE = spoken(
    r"^(?P<said>\W{0,4}(?:\w{2,8} ){0,3}?(?:that|this|it)(?:'?s| is)"
    r" (?:not (?:quite )?(?:right|correct|true)|(?:still )?(?:wrong|incorrect))) (?:because|since) "
)
#: Is all of a sentence: "that's not how we do it", "before we go on".
_WHOLE = spoken(
    r"\b(?P<said>(?:that|this)(?:'?s| is) (?:(?:still )?wrong|incorrect|not (?:it|true|(?:quite )?"
    r"(?:right|correct)|how (?:we|it|this) \w{2,10}(?: (?:it|that|this|here))?"
    r"|what i (?:meant|want(?:ed)?|said|asked for)))|(?:you )?did (?:it|that) again"
    r"|(?:one (?:quick|more|last) thing )?before (?:we|you) (?:start|begin|go on|continue)"
    r"|first thing|told you (?:this|that)(?: (?:yesterday|before|already))?"
    r"|(?:like|want|need) (?:that|this)(?= (?:i|we) (?:want|prefer|need)\b)) "
    r"(?!(?:because|since|and|but|or|if|when|for|in|at|on|to|with|then|yet|here|anymore|though|so"
    r"|already|yesterday|is|was)\b)(?=(?:\S{1,80} ){2})"
)
#: "Why do you put it there we have services for that": asks nothing.
_WHY = spoken(
    r"\bwhy (?:do|did|are|would) you (?:\S{1,60} ){2,12}?"
    r"(?=(?:we (?:have|use|keep|put|never|always)|there'?s|there is"
    r"|it'?s|they (?:go|live|belong)|that'?s) )"
)
#: What to do instead: "never call php directly use make php".
_INSTEAD = spoken(
    r"\b(?:never|don'?t|do not) (?!use\b|want\b|need\b|have\b)(?:\S{1,60} ){1,8}?"
    r"(?P<before>(?!to\b|and\b|or\b|you\b|we\b|i\b|not\b|always\b|please\b|then\b|they\b)[\w'/.-]{1,60})"
    r" (?=(?:always )?(?:use|run|call) \S)"
)
_BEFORE = r"(?P<before>[\w'/.@+-]{1,60})"
_JOINS = r"(?:(?:oh|and|so|but|then|also) ){0,3}"
#: Begins a sentence, wherever it stands.
_NEW = spoken(
    rf"{_BEFORE} (?={_JOINS}(?:by the way|btw|fyi|just so you know|one more thing"
    r"|for (?:future reference|the record)) (?!so )(?:\S{1,80} ){2}"
    rf"|{_JOINS}(?:can|could|would|will) (?:you|we) (?:\S{{1,80}} )?\S"
    r"|(?:so |and |then |ok(?:ay)? ){0,2}(?:let'?s|lets) \w"
    r"|ok(?:ay)? (?:i|we|so) \w|(?:and )?oh (?:and|the|our|we|i|it|you|please|don'?t|never)\b"
    # An order of the moment behind what it is based on: "... so adjust the plan".
    r"|so (?:please )?(?:add|adjust|build|change|create|delete|fix|ignore|implement|make|redo"
    r"|remove|rename|rerun|restart|revert|update|write) (?:the|that|this|these|it|an?)\b"
    r"|(?:and )?(?:from now on|going forward|in the future) (?:\S{1,80} ){2}"
    r"|but (?:we|our) (?:use|only|never|always|don'?t|have|do|run)\b"
    r"|that'?s (?:not (?:how|what|it|right|correct)|wrong)\b)"
)
_NEW_GOES_ON = frozenset(
    (
        "how what where when why who which fast much many often that so and or then but yes ok "
        "okay also you oh if hey hi alright just because think"
    ).split()
)
_PLEASE = spoken(
    rf"{_BEFORE} (?=(?:and |but |then )?please"
    r" (?!(?:also|and|or|my|the|this|that|it|i|we|thanks)\b)\S{1,80} \S)"
)
_PLEASE_GOES_ON = frozenset(
    ("so and but or then you can could would will yes no ok okay also").split()
)
#: Begins one behind a word that ends what was said: "... again we got rid of that".
_CLOSED = spoken(
    r"\b(?P<said>again|anymore|already|ago|before(?! (?:it|they|there|every|all|the) )|first"
    r"|month|week|year|today|yesterday|either|here|there|everywhere|yet|right|up|off|gone"
    r"|like (?:that|this)"
    r"|(?:got rid|out) of (?:that|it)"
    r"|(?!(?:only|basically|actually|really|probably|apparently|usually|generally|normally|currently"
    r"|honestly|seriously|originally|previously|obviously|family|supply|apply|reply)\b)"
    r"[a-z]{3,20}ly) "
    r"(?=(?:we (?:use|only|never|always|don'?t|got|have|bill|keep|run|do|moved|had)"
    r"|(?:i|we) (?:want|prefer|don'?t|told|can|know)|you (?:have to|need to|must|can'?t)"
    r"|(?:it|they|there) \w{2,20}|every(?:thing)? \w{2,20}|all (?:of )?(?:our|the)"
    r"|(?:don'?t|never|always) (?!before|after|on|in|at|with|for|the)\w{2,20}"
    r"|(?:and )?(?:tomorrow|next time|next week) (?:we|i|you)"
    r"|the \w{2,20} (?:is|are|has|comes?|lives?|runs?|goes|has to|have to)) )"
)
#: Goes on behind a comma: "... not an integer it's got leading zeros so you can't cast it".
_MORE = spoken(
    rf"{_BEFORE} (?=(?:it|there|they|he|she)(?:'(?:s|re)| (?:is|are|has|have)) |s?he \w{{2,12}}s "
    r"|so (?:never|always|don'?t|do not|no|please|if|from now on|the|we|you|they|anything"
    r"|everything|it|i|just|leave|convert|use|keep|put) "
    r"|not (?:an?|the|per|by|with|in|from|on) \S"
    r"|never (?:an?|the|by|with|in|from|on|(?:\w{2,20} )?\w{3,20}ing)\b)"
)
_MORE_GOES_ON = frozenset(
    (
        "so and but or if when whenever wherever whether that because where while unless until "
        "since as then think say says said what which how why sure see know hope guess means mean "
        "case though although before after once like time than i we you they he she it is are was "
        "were to will would should can could has have had of on in at to for with from by under "
        "over behind around thing reason way place moment file just hey hi ok okay right well "
        "yeah alright now also not"
    ).split()
)


#: Begins a sentence if so many words were said before it.
_AND_WE = spoken(r"(?<=\w) (?=and (?:we|there|you) \w)")
_MUCH = 10
#: Begins one within a sentence that is longer than anybody says in one breath.
_IN_PASSING = spoken(
    r"(?<=\w) (?=(?:and|but) (?:then|when (?!can\b)|whenever|if|for|the|i|we|you|there)\b"
    r"|so (?:when|whenever|if)\b|first of all|now (?:what|the|we|i)\b"
    r"|(?<!and\s)(?<!so\s)(?<!but\s)(?<!what\s)(?<!that\s)(?<!because\s)"
    r"(?:i (?:talked|spoke|learned|learnt|need|want|looked)|we (?:always|never)|nobody) )"
)
_ONE_BREATH = 24


def with_marks(text: str) -> str:
    """Return a turn with full stops and commas where its speech runs on without any."""
    if len(text.split(maxsplit=_RUNS_ON)) < _RUNS_ON:
        return text
    return "\n".join(
        line if _ITEM.match(line) else _STRETCH.sub(_marked, line) for line in text.split("\n")
    )


def _marked(stretch: Match[str]) -> str:
    if len(stretch[0].split()) < _RUNS_ON:
        return stretch[0]
    said = _WRONG_BECAUSE.sub(r"\g<said>. ", _FILLERS.sub("", stretch[0]))
    said = _NEW.sub(lambda one: _ended(one, _NEW_GOES_ON, "."), said)
    said = _PLEASE.sub(lambda one: _ended(one, _PLEASE_GOES_ON, "."), said)
    said = _WHY.sub(_with_comma, _INSTEAD.sub(_with_comma, said))
    said = _CLOSED.sub(_closed, _WHOLE.sub(r"\g<said>. ", said))
    said = _MORE.sub(lambda one: _ended(one, _MORE_GOES_ON, ","), said)
    said = _AND_WE.sub(_ended_if_long, said)
    return ". ".join(
        _IN_PASSING.sub(". ", one) if len(one.split()) > _ONE_BREATH else one
        for one in said.split(". ")
    )


def _ended_if_long(one: Match[str]) -> str:
    before = one.string[: one.start()].rpartition(". ")[2]
    return ". " if len(before.split()) >= _MUCH else one[0]


def _closed(one: Match[str]) -> str:
    """Return what was said with its mark: what one has to do goes on with why."""
    goes_on = one.string[one.end() : one.end() + 4].lower() == "you "
    return f"{one['said']}{',' if goes_on else '.'} "


def _with_comma(one: Match[str]) -> str:
    return f"{one[0].rstrip()}, "


def _ended(one: Match[str], goes_on: frozenset[str], mark: str) -> str:
    """Return a word with a mark behind it, unless it goes on with the next."""
    before = one["before"]
    whole = before.endswith(".") or before.lower() in goes_on
    return one[0] if whole else f"{before}{mark} "
