"""Cues: how people decide, correct, prefer and inform, as patterns for one sentence.

A cue says by its form for which labels it speaks and against which; how loudly is in `weights`,
learnt from labelled turns (docs/decisions/0026-signals.md). Cues of a question weigh less, unless
they are `asked`: who asks has not decided. Every pattern is linear in the sentence.
"""

from __future__ import annotations

import re

from satchel.application.learning.signals.values import CORRECTION, DECISION, FACT, PREFERENCE
from satchel.core.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern

LABELS = (CORRECTION, DECISION, FACT, PREFERENCE)
_LETTERS = {"d": DECISION, "c": CORRECTION, "p": PREFERENCE, "f": FACT}


class Cue(NamedTuple):
    """A cue. `speaks` are the labels it counts for, `against` those it counts against."""

    name: str
    speaks: tuple[str, ...]
    against: tuple[str, ...]
    pattern: Pattern[str]
    asked: bool = False


def _cue(name: str, sides: str, pattern: str, *, asked: bool = False) -> Cue:
    """Return a cue; `sides` are first letters of labels: for it, then after `-` against it."""
    speaks, _, against = sides.partition("-")
    compiled = re.compile(pattern, re.IGNORECASE)
    return Cue(name, labels_in(speaks), labels_in(against), compiled, asked)


def labels_in(letters: str) -> tuple[str, ...]:
    """Return the labels for letters: `dc` is decision and correction."""
    return tuple(_LETTERS[letter] for letter in letters)


#: Words that only lead to what is said.
_LEAD = (
    r"^(?:(?:ok(?:ay)?|yes|yeah|yep|yup|sure|alright|great|cool|nice|right|perfect|and|so|then|but"
    r"|hmm+|well|also|now|actually|please|just|no|oh|ah|first|next)\b[\s,.!:]*){0,4}"
)
#: Verbs by which somebody looks, waits or moves on: "let's see" decides nothing about the work.
_LOOKING = (
    r"(?:examine|say|summari[sz]e|respond|look|see|check|discuss|think|talk|review|recap|wait|move"
    r"|continue|figure|find|investigate|debug|test|run|verify|explore|consider|understand|have\s+a"
    r"|get\s+back|go\s+(?:over|through|back|ahead)|take\s+a|do\s+a|work\s+(?:on|through))"
)
_CHANGE = (
    r"(?:use|keep|add|remove|drop|rename|store|make|set|put|change|switch|replace|skip|leave|call"
    r"|implement|revert|merge|move|sort|show|print|return|write|default|stick|split|avoid|preserve"
    r"|ignore|delete|update|allow|include|extract|document|support|handle|treat|adjust|ensure"
    r"|simplify|bump|bring|limit|fix|address|capture|try|log|do|go)"
)
#: Work of the moment, done the same whatever was decided.
_CHORE = (
    r"(?:commit|push|merge|rebase|run|re-?run|open|launch|review|check|look|explain|show|list|have"
    r"|read|respond|reply|pull|fetch|close|continue|retry|summari[sz]e|give|tell|git|find|branch"
    r"|(?:create|make|draft|update)\s+(?:an?\s+|the\s+)?(?:new\s+|draft\s+)*"
    r"(?:pr|pull|branch|commit))"
)
_NOT = r"(?:n['o]?t|\s+not|\s+never|nt)"

CUES: tuple[Cue, ...] = (
    # ---- settling --------------------------------------------------------------------------
    _cue("let us", "dp-f", rf"\blet'?s\s+(?:(?:just|then|also|first|now|rather|definitely|completely|maybe|not|only|instead)\s+)*(?!{_LOOKING}\b)[a-z]"),
    _cue("let us look", "-d", rf"\blet'?s\s+(?:(?:just|then|also|first|now|rather)\s+)*{_LOOKING}\b"),
    _cue("goes with", "d", r"\b(?:go(?:ing)?|went|stick(?:ing)?|stay(?:ing)?|proceed|start)\s+with\b|\b(?:go|opt|aim)\s+for\b", asked=True),
    _cue("we should", "dc", rf"\b(?:we|it|this|that|they|there|these|those)\s+(?:(?:probably|really|then|just|also|definitely|only|always|do)\s+)*(?:should|must|need(?:s)?\s+to|ha(?:ve|s)\s+to)\b(?!\s+(?:{_LOOKING}|have)\b)"),
    _cue("ought to be", "dcp", r"\b(?:should|must|needs?\s+to|ha[sv]e?\s+to)\s+(?:(?:always|only|just|also|then|still|not|never)\s+)*(?:be|use|have|show|return|contain|go|get|say|stay|work|do|happen|print|point|live)\b"),
    _cue("I want", "dp-f", r"\bI\s*(?:'d|\s+would|\s+do)?\s*(?:(?:also|really|just|actually|only|still)\s+)*(?:want|like\s+(?:to|it|us|you|this|the|that\s+to)|love\s+to)\b|\bi'?d\s+like\b"),
    _cue("I prefer", "dp", r"\b(?:I|we|I'd|we'd|my|would)\s+(?:(?:would|think|'d|much|strongly|really|definitely)\s+)*(?:prefer\w*|rather|favou?r)\b|\bpreferabl[ey]\b|\bideally\b", asked=True),
    _cue("I like", "dp", r"\bI\s+(?:(?:really|do|quite|also|don't|dont|do\s+not|always)\s+)*(?:like|love|hate|dislike|enjoy)\b(?!\s+to\b)"),
    _cue("option", "d", r"\b(?:option|approach|variant|choice|solution|proposal|alternative|suggestions?)s?\s*#?(?:\d|[a-e]\b|one|two|three)|\bthe\s+(?:first|second|third|last|latter|former)\s+(?:one|two|three|option|approach|variant)"),
    _cue("is fine", "d", r"(?<!not\s)(?<!n't\s)\b(?:is|are|'s|be|sounds?|looks?|seems?|feels?|works?)\s+(?:(?:also|totally|perfectly|more|the|a|probably|just|pretty|already)\s+)*(?:fine|good|great|right|better|best|ok(?:ay)?|acceptable|enough|sufficient|reasonable|awesome|perfect|redundant|obsolete|overkill)\b|\b(?:will|should|would)\s+suffice\b|\bmakes?\s+sense\b|\bworks\s+for\s+me\b|\bgood\s+idea\b"),
    _cue("I think", "dc", r"\b(?:I|I'd|we)\s+(?:(?:still|also|really|do)\s+)*(?:think|feel|believe|guess|suppose|reckon|say|suggest|assume)\b"),
    _cue("for now", "d", r"\bfor\s+(?:now|the\s+(?:first\s+cut|moment|time\s+being)|this\s+release)\b|\b(?:out\s+of\s+scope|follow[- ]?up|later\s+on|come\s+back\s+to|not\s+worth|future\s+(?:exercise|work|pr|task))\b|\blater\s*[.!]*$|\bin\s+(?:a\s+separate|another|the\s+next)\s+(?:pr|task|issue)\b"),
    _cue("leaves out", "d", rf"{_LEAD}(?:skip|leave|ignore|drop|defer|park|postpone|scrap|forget)\b"),
    _cue("never mind", "d", r"\bnever\s*mind\b|\bforget\s+(?:it|about\s+(?:it|that|this))\b"),
    _cue("no need", "dc", r"\b(?:don'?t|do\s+not|doesn'?t|no\s+longer|not)\s+(?:really\s+)?(?:need|needed|want|care)\b|\bno\s+need\b|\b(?:can|should)\s+go\s+away\b|\bget(?:ting)?\s+rid\s+of\b"),
    _cue("we decided", "d", r"\b(?:we|I|they|they've|we've|I've|team)\s+(?:(?:have|had|all|finally|already|just)\s+)*(?:decided|chose|opted|agreed|settled|went|signed\s+off|adopted)\s+(?:on|to|for|with|against|over|that|the|not)\b|\bdecision\s+made\b|\bit\s+is\s+decided\b"),
    _cue("decided", "df", r"\b(?:decided|decision|chosen|chose|opted|agreed|settled|signed\s+off|adopt(?:ed|ing)?)\b"),
    _cue("we will", "d", r"\b(?:we|I)(?:'ll|\s+will)\s+(?!see\b|need\b|be\b|have\b|also\s+need)[a-z]+|\b(?:we|I)(?:'re|\s+are|'m|\s+am)\s+(?:going\s+to|getting|changing|switching|dropping|keeping|replacing)\b"),
    _cue("says to change", "dp-f", rf"{_LEAD}(?:then\s+|only\s+|maybe\s+)?{_CHANGE}\b(?!\s*:)"),
    _cue("rather than", "dcp", r"\b(?:instead|rather\s+than|in\s+favou?r\s+of|in\s+place\s+of)\b"),
    _cue("replace", "dc", r"\b(?:replace|change|rename|switch|move|convert|invert|swap)\b.{1,80}\b(?:with|to|into|by|for)\b|\s[-=]>\s"),
    _cue("the reason", "df", r"\b(?:because|since|so\s+that|that\s+way|so\s+we|which\s+means|otherwise)\b"),
    _cue("all of it", "d", rf"{_LEAD}(?:(?:fix|do|address|implement|add|remove|take|handle|include|apply)\s+)?(?:both|all|them|neither|the\s+(?:first|second|third|last|latter|former|rest|\w+ums|fix)|\d+(?:\s*(?:,|and|\+|&)\s*\d+)+)\b"),
    _cue("says yes", "d-c", r"^(?:(?:ok(?:ay)?|so|and|ah|oh|uhh?|hmm+)[\s,.!]+)?(?:yes|yeah|yep|yup|yea|sure|exactly|agreed|go\s+for\s+it|do\s+it|sounds\s+good)\b", asked=True),
    _cue("files it", "d", r"\b(?:log|file|create|open|add|write|put)\s+(?:\w+\s+){0,4}(?:issue|ticket|bug|card|improvement|comment)\b"),
    _cue("implement", "d", r"\b(?:implement|do|apply|try|fix)\s+(?:this|that|it|these|them|all|both|the\s+(?:fix|same|change)s?|\d|option|approach)\b"),
    # ---- objecting -------------------------------------------------------------------------
    _cue("no", "c", r"^(?:no|nope|nah)\b(?!\s+(?:problem|worries|need|rush|response|idea|idea))"),
    _cue("halts", "c-d", r"^(?:wait|hold\s+on|stop|hmm+|hm|huh|umm*|uh+|erm*|emm*|eh+|ugh|argh+|oops|whoops|mh+|weird|again|sorry)\b", asked=True),
    _cue("but", "c-d", r"^(?:(?:and|ok(?:ay)?|yes|yeah|sure|hmm+|right)[\s,]+)?but\b", asked=True),
    _cue("is wrong", "c", r"\b(?:is|are|was|were|'s|looks?|seems?|sounds?|feels?|am|got|gets|have|has)\s+(?:(?:still|just|completely|totally|a\s+bit|now|clearly|this|that|it|them|the|kind\s+of|pretty|really|somehow|getting|probably)\s+){0,3}(?:wrong|incorrect|inaccurate|misleading|confusing|inconsistent|backwards?|strange|weird|odd|off|messy|broken|misnamed|duplicated|outdated|irrelevant|gone|lost|missing|blank|empty|twice)\b", asked=True),
    _cue("names a wrong", "c", r"\b(?:wrong(?:ly)?|incorrect(?:ly)?|inaccurate|misleading|inconsistent|weird(?:ness)?|broken?|duplicated|redundant|outdated|obsolete|twice)\b"),
    _cue("that is not", "c", r"^(?:(?:and|but|so|no|hmm+|ok(?:ay)?|yes|yeah|sure|wait|um+|well|ah|oh|again|also|still)[\s,.]+){0,3}(?:that|this|it|those|these|they|the\s+\S+(?:\s+\S+)?)(?:'s)?\s+(?:\S+\s+){0,3}?(?:not|only|just|still|never|wrong|n't)\b|^(?:(?:and|but|so|no|hmm+)[\s,]+)?(?:that|this|it|those|these|they)\s+(?:\S+\s+)?\w+n't\b"),
    _cue("quotes to object", "c", r"\s<-+\s|^you\s+(?:wrote|said|also\s+said)\b", asked=True),
    _cue("I see", "c", r"\bI(?:'m|\s+am)?\s+(?:(?:still|now|also|only|just|again)\s+)*(?:see(?:ing)?|get(?:ting)?|notic(?:e|ed|ing))\b|\bnone\s+of\b|\bwas\s+(?:it\s+)?there\s+before\b|\bwe\s+had\s+(?:this|that|it)\s+before\b|\b(?:we\s+seem|seems?)\s+to\b"),
    _cue("is not right", "c", r"\b(?:not|n't|nt)\s+(?:(?:fully|quite|really|entirely|actually|at\s+all|necessarily|sound|seem|look|feel|be|the|a|still|always|sure\s+(?:it|this|that))\s+)*(?:right|rigth|correct|true|accurate|the\s+case|good|great|enough|what|useful|helpful|helping|helps?|clear|perfect(?:ly)?|complete|proper(?:ly)?|robust|realistic|feasible|consistent)\b", asked=True),
    _cue("does not", "c-d", rf"\b(?:do|does|did|is|are|was|were|has|have|had|can|could|would|it's){_NOT}\s+(?:(?:really|actually|even|still|yet|seem\s+to|be|been|show|all|always)\s+)*(?:work\w*|seem|look|show\w*|fix\w*|match\w*|happen\w*|appear\w*|chang\w*|compil\w*|com(?:e|ing)|contain\w*|includ\w*|reflect\w*|handl\w*|cover\w*|check\w*|sav\w*|creat\w*|clear\w*|add\w*|see(?:ing)?|test\w*|fir(?:e|ing)|help\w*|address\w*|get\w*|trigger\w*|updat\w*|do(?:ing)?)\b"),
    _cue("still", "c", r"\bstill\s+(?!need|want|have\s+to|fine|ok|keep|think)[a-z]+|\bagain\b\s*[,.!]|\bnothing\s+(?:is\s+)?happen\w*|\b(?:no|zero|without\s+any)\s+\w+\s+(?:\w+\s+)?(?:is|are|was|were|shown|created|there)\b"),
    _cue("expected", "c", r"\b(?:expect(?:ed|ing)?|supposed\s+to|meant\s+to\s+be|should(?:n't)?\s+(?:not\s+)?have|in\s+theory|was\s+the\s+idea|would\s+have\s+thought|hoped)\b", asked=True),
    _cue("I meant", "c", r"\bI\s+(?:(?:actually|mostly|also|just|only)\s+)*(?:meant|mean)\b|\bmy\s+point\b|\bto\s+clarify\b|\bclarification\b|\bwhat\s+I\s+(?:actually\s+)?(?:want|meant|asked|said)\b|\bI\s+was\s+(?:less|more|not|talking)\b|\bI\s+(?:(?:did\s+not|didn't)\s+(?:ask|mean|want|say)|(?:never\s+)?asked\s+(?:for|you)|(?:never|already)\s+(?:said|told)|told\s+you)\b|\bnot\s+what\s+I\b", asked=True),
    _cue("not so but so", "c", r"\bnot\s+(?:as\s+)?(?:an?\s+|the\s+|just\s+|only\s+)?\S+(?:\s+\S+){0,6}?,?\s+but\b|,\s+not\s+(?:the|a|an|just|only|you|in|on|as|from|for)\b|\bit(?:'s|\s+is)\s+not\b|\bonly\s+(?:validates?|checks?|shows?|works?|contains?|lists?|has|does)\b"),
    _cue("you did", "c", r"\byou(?:'ve|\s+have)?\s+(?:(?:still|also|just|already|only|again)\s+)*(?:missed|forgot|forget|didn'?t|did\s+not|should(?:n't)?\s+(?:not\s+)?have|broke|removed|deleted|ignored|skipped|misunderstood|misread|keep\s+\w+ing|changed|called|attached|put|added|said|wrote|told|used|(?:are|'re)\s+(?:wrong|reading|looking\s+at|mixing|missing|not)|haven't|weren't|don't\s+need)\b"),
    _cue("why did you", "c", r"\b(?:why\s+(?:exactly\s+)?(?:did|didn't|do|don't|are|aren't|have|haven't|would)|how\s+did)\s+you\b", asked=True),
    _cue("why is it", "c", r"\bwhy\s+(?:exactly\s+)?(?:did|are|do|have|would|were|is|was|does|can|has|aren|didn|don|isn|couldn|can)(?:'?n?'?t)?\s+(?:you|we|it|this|that|the|there|one|not)\b|\bhow\s+(?:many\s+times|is\s+(?:it|that)\s+possible|can\s+(?:we|it)\s+be)\b|\bwhy\s+not\b", asked=True),
    _cue("is it not", "c", r"\b(?:should|is|was|are|were|would|does|do|did|has|have|had|could|can)n'?t\s+(?:we|it|this|that|these|those|you|the|there|they)\b", asked=True),
    _cue("undo", "c", r"\b(?:revert|undo|roll\s*back|put\s+(?:it|that|this|them)\s+back|bring\s+(?:it|that|this|them)\b.{0,20}\bback|remove\s+(?:this|that|it)\s+again|back\s+out|take\s+(?:it|that)\s+out|(?<!to\s)(?:remove|take|put|bring|move|convert|switch|delete)\s.{1,60}\s(?:again|back))\b", asked=True),
    _cue("look again", "c", r"\b(?:check|look|try|read|count|test)\b.{0,60}\bagain\b|\bare\s+you\s+(?:really\s+)?sure\b", asked=True),
    _cue("actually", "c", r"\b(?:actually|technically|in\s+fact|in\s+reality|for\s+real)\b"),
    _cue("I doubt", "c", r"\bI(?:'m|\s+am)?\s+(?:(?:also|still|pretty|not|don't|do\s+not|just)\s+)*(?:doubt\w*|sure|certain|challeng\w+|question\w+|concerned|confused|worried|disagree|agree\s+with|see\s+(?:why|how|any|the|it)|understand\s+why|convinced|sold)\b|\bI\s+(?:don't|do\s+not|dont)\s+(?:think|believe|see|get|understand|recall|agree|know\s+(?:that\s+)?I)\b"),
    _cue("a fault", "c", r"\b(?:fails?|failing|failed|bug|error|issue|problem|missing|missed|forgot|regression|typo|crash\w*|hangs?|leak\w*|mistake|blowing|throws?|stale|stuck|overwhelm\w*)\b"),
    _cue("already", "cf", r"\balready\b"),
    _cue("tried it", "c", r"\b(?:when|if|where)\s+(?:I|we|you)\s+(?!want|need|think|look\b|use\b|write\b|see\b)[a-z]+|\bfor\s+me\b|\bon\s+my\s+\w+|\b(?:I|we)\s+(?:tried|ran|tested|opened|clicked)\b|\blocally\b"),
    _cue("now it", "c", r"^(?:(?:and|but|so|ok(?:ay)?|hmm+|oh|wait|yes|yeah)[\s,]+)*(?:now\s+(?:it|this|that|the|they|all|everything|nothing|there)\b|(?:it|this|that|they)\s+(?:\w+\s+)?(?:now|always|only|just|sometimes|twice|all)\b)"),
    _cue("denies", "c", r"\w(?:n't|\snot)(?=\s*[,.;!]|\s*$)|^not\s+(?!yet|sure|now|bad|needed|necessary|really)\w+"),
    _cue("though", "c", r"\b(?:though|tho|however)\s*[.!]?$|,\s*but\b|\b(?:completely|totally|way|twice)\b"),
    _cue("lost", "c", r"\bwhere\s+(?:did|has|have|is|are)\s+.{1,40}\b(?:go|gone)\b|\b(?:nothing|nobody|none)\b|\binstead\s+of\b|\b(?:disappear\w*|vanish\w*|overlaps?|covers?|hides?|breaks?|touches)\b"),
    _cue("too much", "cp", r"\b(?:too|to|overly|unnecessarily)\s+(?:verbose|long|complex|complicated|much|many|generic|noisy|strict|aggressive|clever|specific|big|eager|hard)\b|\b(?:overkill|unnecessary|yuck|clutter\w*)\b"),
    # ---- how to work -----------------------------------------------------------------------
    _cue("always", "p", r"\b(?:always|never|every\s+time|each\s+time|whenever|wherever|everywhere|from\s+now\s+on|going\s+forward|in\s+(?:the\s+)?future|by\s+default|as\s+a\s+(?:general\s+)?rule|in\s+general|in\s+principle|overriding)\b"),
    _cue("always do", "p", rf"(?:{_LEAD}|\b(?:should|must|you|we|I)\s+)(?:always|never)\s+(?:{_CHANGE}|run|write|commit|push|ask|check|test|create|start|prefer|follow|edit|touch|install|mock|read)\b|\b(?:from\s+now\s+on|as\s+a\s+(?:general\s+)?rule|going\s+forward)\b|\b(?:do\s+not|don't|dont)\s+ever\b"),
    _cue("each thing", "p", r"\bfor\s+(?:each|every|all)\b|\b(?:each|every)\s+(?:one|test|file|commit|pr|comment|function|method|agent|case)\b"),
    _cue("make sure", "p", r"\b(?:make|making)\s+sure\b|\bensure\b|\bbe\s+(?:careful|critical|consistent|explicit|thorough|concise|brief|honest)\b|\bcareful(?:ly)?\b"),
    _cue("do not act", "pc", r"^(?:(?:please|and|but|so|ok|just)[\s,]+)*(?:do\s+not|don't|dont|never|stop)\s+(?:ever\s+)?(?!worry|think|know|mind|have\b|forget|understand|see\b)[a-z]+"),
    _cue("way of working", "p", r"\b(?:tdd|tests?[- ](?:driven|first)|(?:write|do|start\s+with)\s+(?:a\s+|the\s+|failing\s+)*tests?\s+first|small(?:er)?\s+commits?|separate\s+commits?|individual\s+commits?|feature\s+branch|commit\s+messages?|workflow|step\s+by\s+step|one\s+(?:by\s+one|at\s+a\s+time)|before\s+(?:you|continuing|changing|considering|committing))\b"),
    _cue("of style", "p", r"\b(?:prefix|suffix|naming|style|convention|spelling|english|tabs?|spaces|snake|camel|kebab|literal(?:ly|s)?|comments?\s+(?:directly|inline)|inline|table[- ]driven|table\s+tests?|constants?|types?\s+instead|strong\s+types?|format|wording|tone|plain|friendl\w+|readab\w+|consistent\w*|multiline)\b"),
    _cue("plainly", "p", r"\b(?:keep|make|be|as)\s+(?:it|them|this|things|that|your|the\s+\w+)?\s*(?:short|simple|concise|brief|minimal|terse|consistent|explicit|small|obvious|clean|lightweight)\b|\b(?:simplest|nothing\s+(?:fancy|exotic|clever)|nice\s+and|simple\s+as|lightweight|more\s+flexible|less\s+(?:verbose|noisy)|easier\s+to\s+(?:read|grok|understand|maintain|test)|hard\s+to\s+read)\b"),
    _cue("as it is done", "p", r"\bfollow(?:s|ing)?\s+(?:the|our|my|this|that|same|existing|it)\b|\bstick\s+(?:to|with)\b|\bsame\s+(?:pattern|style|way|approach|convention)\b|\blike\s+we\s+(?:do|did)\b|\bas\s+(?:we|usual|before)\b", asked=True),
    _cue("instruction file", "p", r"\b(?:claude|agents|gemini|beans|memory|contributing)(?:\.local)?\.md\b|\b(?:memori[sz]e|remember)\s+(?:this|that|to|also)\b|\bkeep\s+(?:in\s+mind|our|your)\b|\bguidance\b", asked=True),
    _cue("use this not that", "p", r"\buse\b.{1,50}\b(?:and\s+not|not|instead|rather)\b|\bplease\s+(?:use|keep|always|only|make|avoid|don't|do\s+not)\b|\b(?:directly|only)\s+(?:to|in|use|via)\b"),
    # ---- telling ---------------------------------------------------------------------------
    _cue("for your information", "f-c", r"\b(?:fyi|btw|by\s+the\s+way|for\s+context|note\s+that|(?:keep|have|bear)\s+in\s+mind|just\s+so\s+you\s+know|heads\s+up|for\s+reference|(?:some|more|a\s+bit\s+of)\s+(?:context|background)|confirmed|remember\s+now|turn(?:s|ed)?\s+out)\b"),
    _cue("I did", "f-d", r"(?:^(?:(?:ah|oh|ok(?:ay)?|yes|yeah|no|hmm+|um+|sorry|so|well|also|now|and|but|then|since|because|actually|uh|fyi|btw|in\s+(?:the|this)\s+\w+)\b[\s,.:!]*){0,3}|,\s*(?:and|but|so|since)?\s*|\b(?:and|but|so|because|since|though|was\s+that)\s+)(?:I|we)\s*(?:'ve|\s+have|\s+had)?\s+(?:(?:just|also|only|now|actually|recently|already|did|accidentally|then|only\s+recently)\s+)*(?:did|had|made|got|ran|run|went|saw|seen|put|reset|started|moved|switched|upgraded|migrated|installed|updated|merged|removed|added|changed|replaced|fixed|checked|messed|noticed|found|created|built|tried|introduced|restarted|used|was\s+able\s+to|(?!(?:need|proceed|succeed|embed|want|expect|ask|decid|agre|lik|prefer|assum|hop)(?:ed)?\b)[a-z]+ed)\b"),
    _cue("somebody did", "f", r"\b(?:coworker|colleague|co-worker|somebody|someone|he|she|marketing|sales|customers|partners|our\s+(?:\w+\s+)?(?:users|customers|team|vendor|clients|contracts?)|the\s+(?:\w+\s+)?(?:team|vendor|other\s+(?:dev|repo|machine|branch)|user|users|author|customer|client)|upstream|production|internal\s+discussion|we\s+got\s+a\s+report)\b"),
    _cue("has changed", "f", r"\b(?:the|that|this|our|main|upstream)\s+(?:[\w-]+\s+){0,3}(?:altered|changed|removed|added|renamed|introduced|replaced|merged|released|deployed|landed|moved|broke|gone|happened)\b"),
    _cue("at a time", "f", r"\b(?:yesterday|this\s+morning|last\s+(?:week|night|month|year|spring|summer|release|(?:mon|tues|wednes|thurs|fri)day)|(?:minutes?|hours?|days?|weeks?|months?|years?|while)\s+ago|for\s+a\s+while|(?:twice|three\s+times|several\s+times|many\s+times)\b|(?:since|until|in|on|from)\s+(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|q[1-4])|since\s+(?:the\s+(?:last|new)|last|we|I|then)|in\s+the\s+last\s+\w+|(?:every|each)\s+(?:night|morning|day|week|month))\b"),
    _cue("was done", "f", r"\b(?:was|were|got|gets?|has\s+been|have\s+been|had\s+been|(?:is|are)\s+only|(?:is|are)\s+(?:handed|entered|edited|managed|owned|maintained|generated|deployed|hosted|shared))\s+(?:just\s+|only\s+|already\s+|recently\s+)?(?!wrong|unable|confused|supposed)(?:\w+ed|taken|put|shut|built|made|given|written|sent|rolled|run|set|out|handed|kept)\b"),
    _cue("there is", "f", r"\bthere(?:'s|\s+is|\s+are|\s+was|\s+were)\b|\bthere's\b"),
    _cue("we have", "f", r"\b(?:we|our\s+\w+|I)\s+(?:(?:currently|always|already|only|still|also|now|explicitly)\s+)*(?:use[sd]?|ha(?:ve|d|s)\s+(?:an?|one|two|no|the|some|\d+)|don'?t\s+have|do\s+not\s+have|didn'?t\s+have|run|deploy|support|call|store|keep|ship)\b"),
    _cue("it is so", "fc", r"^(?:(?:and|but|so|ah|oh|ok(?:ay)?|right|now|currently|also|hmm+|no|yes|since|because)[\s,]+)*(?:the|our|this|that|these|those|it|they|both|[`\"]?(?-i:[A-Z])[\w.-]+[`\"]?)(?:'s)?\s+(?:\S+\s+){0,4}?(?:is|are|was|were|has|have|had|does|lives?|uses?|means?|belongs?|comes?|contains?|happens?|exists?|writes?|keeps?|adds?|stores?|sends?|sits?|needs?|runs?|returns?)\b"),
    _cue("the thing is so", "fc", r"^(?:(?:and|but|so|ah|oh|ok(?:ay)?|now|currently|also|hmm+|no|yes|since|because|fyi)[\s,]+)*(?:the|our|my|this|that|each|every|[`\"]?(?-i:[A-Z])[\w.-]+[`\"]?)\s+(?!(?:is|are|was|were|should|would)\b)\S+(?:\s+\S+){0,5}?\s+(?:is|are|was|were|has|have|lives?|uses?|means|belongs?|comes?|contains?|happens|exists?|writes|keeps?|adds|stores?|sends|sits|needs|runs?|returns|listens|expires|requires?|supports?|works?|depends?|expects?|ships?|deploys?|triggers|points)\b"),
    _cue("as things stand", "fc", r"\b(?:right\s+now|currently|at\s+the\s+moment|until\s+recently|recently|nowadays|these\s+days|anymore|any\s+more|so\s+far|in\s+the\s+meantime)\b"),
    _cue("the cause", "f", r"\b(?:the\s+(?:root\s+)?(?:cause|reason|issue|problem|bug|error)\s+(?:is|was)\b|that(?:'s|\s+is)\s+why|it\s+was\s+(?:caused|because)|figured\s+out|found\s+(?:out|it)|I\s+(?:think\s+)?(?:messed|forgot)|my\s+(?:bad|mistake|fault))"),
    _cue("a figure", "f", r"(?<![\w.,])\d[\d.,]{0,20}\s*(?:%|ms|s\b|sec|seconds?|min|minutes?|hours?|days?|[kmg]b|rows|users|commits|lines|usd|eur)"),
    # ---- asking for work of the moment -------------------------------------------------------
    _cue("asks for it", "-dcfp", r"^(?:(?:and|but|so|ok(?:ay)?|hmm+|also|now|question|q)[\s,:]+)*(?:can|could|would|will|may|should)\s+(?:you|we|I)\b", asked=True),
    _cue("a chore", "-dcf", rf"{_LEAD}{_CHORE}\b"),
    _cue("handed on", "-dcf", r"\b(?:got|some|have|this|following|pr|review|new)\s+(?:an?\s+|the\s+)?(?:new\s+|review\s+|pr\s+)*(?:feedback|comments?|findings?|reviews?)\b|\bseverity\b|\bconsider\s+\w+ing\b"),
    _cue("asks what", "-dcf", r"^(?:(?:and|but|so|ok(?:ay)?|hmm+|also|now|question|q)[\s,:]+)*(?:what|where|which|how|when\s+(?:is|are|was|were|do|does|did|will|can|should|would)|who|is\s+there|are\s+there|do\s+we|does)\b", asked=True),
)  # fmt: skip
