"""Cues: how people decide, correct, prefer and inform, as patterns for one sentence.

A cue says by its form for which labels it speaks and against which; how loudly is in `weights`,
learnt from labelled turns (docs/decisions/0026-signals.md). Cues of a question weigh less, unless
they are `asked`: who asks has not decided. Every pattern is linear in the sentence.
"""

from __future__ import annotations

from satchel.application.learning.signals.values import CORRECTION, DECISION, FACT, PREFERENCE
from satchel.core.values import NamedTuple
from satchel.storage.kept_patterns import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.storage.kept_patterns import LazyPattern

LABELS = (CORRECTION, DECISION, FACT, PREFERENCE)
_LETTERS = {"d": DECISION, "c": CORRECTION, "p": PREFERENCE, "f": FACT}


class Cue(NamedTuple):
    """A cue. `speaks` are the labels it counts for, `against` those it counts against."""

    name: str
    speaks: tuple[str, ...]
    against: tuple[str, ...]
    pattern: LazyPattern
    asked: bool = False


def _cue(name: str, sides: str, pattern: str, *, asked: bool = False) -> Cue:
    """Return a cue; `sides` are first letters of labels: for it, then after `-` against it."""
    speaks, _, against = sides.partition("-")
    compiled = spoken(pattern)
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
    r"|continue|figure|find|investigate|debug|test|run|verify|explore|consider|understand|have a"
    r"|get back|go (?:over|through|back|ahead)|take a|do a|work (?:on|through))"
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
    r"|(?:create|make|draft|update) (?:an? |the )?(?:new |draft )*(?:pr|pull|branch|commit))"
)
_NOT = r"(?:n['o]?t| not| never|nt)"

CUES: tuple[Cue, ...] = (
    # ---- settling --------------------------------------------------------------------------
    _cue("let us", "dp-f", rf"\blet'?s (?:(?:just|then|also|first|now|rather|definitely|completely|maybe|not|only|instead) )*(?!{_LOOKING}\b)[a-z]"),
    _cue("let us look", "-d", rf"\blet'?s (?:(?:just|then|also|first|now|rather) )*{_LOOKING}\b"),
    _cue("goes with", "d", r"\b(?:go(?:ing)?|went|stick(?:ing)?|stay(?:ing)?|proceed|start) with\b|\b(?:go|opt|aim) for\b", asked=True),
    _cue("we should", "dc", rf"\b(?:we|it|this|that|they|there|these|those) (?:(?:probably|really|then|just|also|definitely|only|always|do) )*(?:should|must|need(?:s)? to|ha(?:ve|s) to)\b(?! (?:{_LOOKING}|have)\b)"),
    _cue("ought to be", "dcp", r"\b(?:should|must|needs? to|ha[sv]e? to) (?:(?:always|only|just|also|then|still|not|never) )*(?:be|use|have|show|return|contain|go|get|say|stay|work|do|happen|print|point|live)\b"),
    _cue("I want", "dp-f", r"\bI ?(?:'d| would| do)? ?(?:(?:also|really|just|actually|only|still) )*(?:want|like (?:to|it|us|you|this|the|that to)|love to)\b|\bi'?d like\b"),
    _cue("I prefer", "dp", r"\b(?:I|we|I'd|we'd|my|would) (?:(?:would|think|'d|much|strongly|really|definitely) )*(?:prefer\w*|rather|favou?r)\b|\bpreferabl[ey]\b|\bideally\b", asked=True),
    _cue("I like", "dp", r"\bI (?:(?:really|do|quite|also|don't|dont|do not|always) )*(?:like|love|hate|dislike|enjoy)\b(?! to\b)"),
    _cue("option", "d", r"\b(?:option|approach|variant|choice|solution|proposal|alternative|suggestions?)s? ?#?(?:\d|[a-e]\b|one|two|three)|\bthe (?:first|second|third|last|latter|former) (?:one|two|three|option|approach|variant)"),
    _cue("is fine", "d", r"(?<!not\s)(?<!n't\s)\b(?:is|are|'s|be|sounds?|looks?|seems?|feels?|works?) (?:(?:also|totally|perfectly|more|the|a|probably|just|pretty|already) )*(?:fine|good|great|right|better|best|ok(?:ay)?|acceptable|enough|sufficient|reasonable|awesome|perfect|redundant|obsolete|overkill)\b|\b(?:will|should|would) suffice\b|\bmakes? sense\b|\bworks for me\b|\bgood idea\b"),
    _cue("I think", "dc", r"\b(?:I|I'd|we) (?:(?:still|also|really|do) )*(?:think|feel|believe|guess|suppose|reckon|say|suggest|assume)\b"),
    _cue("for now", "d", r"\bfor (?:now|the (?:first cut|moment|time being)|this release)\b|\b(?:out of scope|follow[-\s]?up|later on|come back to|not worth|future (?:exercise|work|pr|task))\b|\blater ?[.!]*$|\bin (?:a separate|another|the next) (?:pr|task|issue)\b"),
    _cue("leaves out", "d", rf"{_LEAD}(?:skip|leave|ignore|drop|defer|park|postpone|scrap|forget)\b"),
    _cue("never mind", "d", r"\bnever ?mind\b|\bforget (?:it|about (?:it|that|this))\b"),
    _cue("no need", "dc", r"\b(?:don'?t|do not|doesn'?t|no longer|not) (?:really )?(?:need|needed|want|care)\b|\bno need\b|\b(?:can|should) go away\b|\bget(?:ting)? rid of\b"),
    _cue("we decided", "d", r"\b(?:we|I|they|they've|we've|I've|team) (?:(?:have|had|all|finally|already|just) )*(?:decided|chose|opted|agreed|settled|went|signed off|adopted) (?:on|to|for|with|against|over|that|the|not)\b|\bdecision made\b|\bit is decided\b"),
    _cue("decided", "df", r"\b(?:decided|decision|chosen|chose|opted|agreed|settled|signed off|adopt(?:ed|ing)?)\b"),
    _cue("we will", "d", r"\b(?:we|I)(?:'ll| will) (?!see\b|need\b|be\b|have\b|also need)[a-z]+|\b(?:we|I)(?:'re| are|'m| am) (?:going to|getting|changing|switching|dropping|keeping|replacing)\b"),
    _cue("says to change", "dp-f", rf"{_LEAD}(?:then |only |maybe )?{_CHANGE}\b(?! ?:)"),
    _cue("rather than", "dcp", r"\b(?:instead|rather than|in favou?r of|in place of)\b"),
    _cue("replace", "dc", r"\b(?:replace|change|rename|switch|move|convert|invert|swap)\b.{1,80}\b(?:with|to|into|by|for)\b|\s[-=]>\s"),
    _cue("the reason", "df", r"\b(?:because|since|so that|that way|so we|which means|otherwise)\b"),
    _cue("all of it", "d", rf"{_LEAD}(?:(?:fix|do|address|implement|add|remove|take|handle|include|apply) )?(?:both|all|them|neither|the (?:first|second|third|last|latter|former|rest|\w+ums|fix)|\d+(?: ?(?:,|and|\+|&) ?\d+)+)\b"),
    _cue("says yes", "d-c", r"^(?:(?:ok(?:ay)?|so|and|ah|oh|uhh?|hmm+)[\s,.!]+)?(?:yes|yeah|yep|yup|yea|sure|exactly|agreed|go for it|do it|sounds good)\b", asked=True),
    _cue("files it", "d", r"\b(?:log|file|create|open|add|write|put) (?:\w+ ){0,4}(?:issue|ticket|bug|card|improvement|comment)\b"),
    _cue("implement", "d", r"\b(?:implement|do|apply|try|fix) (?:this|that|it|these|them|all|both|the (?:fix|same|change)s?|\d|option|approach)\b"),
    # ---- objecting -------------------------------------------------------------------------
    _cue("no", "c", r"^(?:no|nope|nah)\b(?! (?:problem|worries|need|rush|response|idea|idea))"),
    _cue("halts", "c-d", r"^(?:wait|hold on|stop|hmm+|hm|huh|umm*|uh+|erm*|emm*|eh+|ugh|argh+|oops|whoops|mh+|weird|again|sorry)\b", asked=True),
    _cue("but", "c-d", r"^(?:(?:and|ok(?:ay)?|yes|yeah|sure|hmm+|right)[\s,]+)?but\b", asked=True),
    _cue("is wrong", "c", r"\b(?:is|are|was|were|'s|looks?|seems?|sounds?|feels?|am|got|gets|have|has) (?:(?:still|just|completely|totally|a bit|now|clearly|this|that|it|them|the|kind of|pretty|really|somehow|getting|probably) ){0,3}(?:wrong|incorrect|inaccurate|misleading|confusing|inconsistent|backwards?|strange|weird|odd|off|messy|broken|misnamed|duplicated|outdated|irrelevant|gone|lost|missing|blank|empty|twice)\b", asked=True),
    _cue("names a wrong", "c", r"\b(?:wrong(?:ly)?|incorrect(?:ly)?|inaccurate|misleading|inconsistent|weird(?:ness)?|broken?|duplicated|redundant|outdated|obsolete|twice)\b"),
    _cue("that is not", "c", r"^(?:(?:and|but|so|no|hmm+|ok(?:ay)?|yes|yeah|sure|wait|um+|well|ah|oh|again|also|still)[\s,.]+){0,3}(?:that|this|it|those|these|they|the \S+(?: \S+)?)(?:'s)? (?:\S+ ){0,3}?(?:not|only|just|still|never|wrong|n't)\b|^(?:(?:and|but|so|no|hmm+)[\s,]+)?(?:that|this|it|those|these|they) (?:\S+ )?\w+n't\b"),
    _cue("quotes to object", "c", r"\s<-+\s|^you (?:wrote|said|also said)\b", asked=True),
    _cue("I see", "c", r"\bI(?:'m| am)? (?:(?:still|now|also|only|just|again) )*(?:see(?:ing)?|get(?:ting)?|notic(?:e|ed|ing))\b|\bnone of\b|\bwas (?:it )?there before\b|\bwe had (?:this|that|it) before\b|\b(?:we seem|seems?) to\b"),
    _cue("is not right", "c", r"\b(?:not|n't|nt) (?:(?:fully|quite|really|entirely|actually|at all|necessarily|sound|seem|look|feel|be|the|a|still|always|sure (?:it|this|that)) )*(?:right|rigth|correct|true|accurate|the case|good|great|enough|what|useful|helpful|helping|helps?|clear|perfect(?:ly)?|complete|proper(?:ly)?|robust|realistic|feasible|consistent)\b", asked=True),
    _cue("does not", "c-d", rf"\b(?:do|does|did|is|are|was|were|has|have|had|can|could|would|it's){_NOT} (?:(?:really|actually|even|still|yet|seem to|be|been|show|all|always) )*(?:work\w*|seem|look|show\w*|fix\w*|match\w*|happen\w*|appear\w*|chang\w*|compil\w*|com(?:e|ing)|contain\w*|includ\w*|reflect\w*|handl\w*|cover\w*|check\w*|sav\w*|creat\w*|clear\w*|add\w*|see(?:ing)?|test\w*|fir(?:e|ing)|help\w*|address\w*|get\w*|trigger\w*|updat\w*|do(?:ing)?)\b"),
    _cue("still", "c", r"\bstill (?!need|want|have to|fine|ok|keep|think)[a-z]+|\bagain\b ?[,.!]|\bnothing (?:is )?happen\w*|\b(?:no|zero|without any) \w+ (?:\w+ )?(?:is|are|was|were|shown|created|there)\b"),
    _cue("expected", "c", r"\b(?:expect(?:ed|ing)?|supposed to|meant to be|should(?:n't)? (?:not )?have|in theory|was the idea|would have thought|hoped)\b", asked=True),
    _cue("I meant", "c", r"\bI (?:(?:actually|mostly|also|just|only) )*(?:meant|mean)\b|\bmy point\b|\bto clarify\b|\bclarification\b|\bwhat I (?:actually )?(?:want|meant|asked|said)\b|\bI was (?:less|more|not|talking)\b|\bI (?:(?:did not|didn't) (?:ask|mean|want|say)|(?:never )?asked (?:for|you)|(?:never|already) (?:said|told)|told you)\b|\bnot what I\b", asked=True),
    _cue("not so but so", "c", r"\bnot (?:as )?(?:an? |the |just |only )?\S+(?: \S+){0,6}?,? but\b|, not (?:the|a|an|just|only|you|in|on|as|from|for)\b|\bit(?:'s| is) not\b|\bonly (?:validates?|checks?|shows?|works?|contains?|lists?|has|does)\b"),
    _cue("you did", "c", r"\byou(?:'ve| have)? (?:(?:still|also|just|already|only|again) )*(?:missed|forgot|forget|didn'?t|did not|should(?:n't)? (?:not )?have|broke|removed|deleted|ignored|skipped|misunderstood|misread|keep \w+ing|changed|called|attached|put|added|said|wrote|told|used|(?:are|'re) (?:wrong|reading|looking at|mixing|missing|not)|haven't|weren't|don't need)\b"),
    _cue("why did you", "c", r"\b(?:why (?:exactly )?(?:did|didn't|do|don't|are|aren't|have|haven't|would)|how did) you\b", asked=True),
    _cue("why is it", "c", r"\bwhy (?:exactly )?(?:did|are|do|have|would|were|is|was|does|can|has|aren|didn|don|isn|couldn|can)(?:'?n?'?t)? (?:you|we|it|this|that|the|there|one|not)\b|\bhow (?:many times|is (?:it|that) possible|can (?:we|it) be)\b|\bwhy not\b", asked=True),
    _cue("is it not", "c", r"\b(?:should|is|was|are|were|would|does|do|did|has|have|had|could|can)n'?t (?:we|it|this|that|these|those|you|the|there|they)\b", asked=True),
    _cue("undo", "c", r"\b(?:revert|undo|roll ?back|put (?:it|that|this|them) back|bring (?:it|that|this|them)\b.{0,20}\bback|remove (?:this|that|it) again|back out|take (?:it|that) out|(?<!to\s)(?:remove|take|put|bring|move|convert|switch|delete)\s.{1,60}\s(?:again|back))\b", asked=True),
    _cue("look again", "c", r"\b(?:check|look|try|read|count|test)\b.{0,60}\bagain\b|\bare you (?:really )?sure\b", asked=True),
    _cue("actually", "c", r"\b(?:actually|technically|in fact|in reality|for real)\b"),
    _cue("I doubt", "c", r"\bI(?:'m| am)? (?:(?:also|still|pretty|not|don't|do not|just) )*(?:doubt\w*|sure|certain|challeng\w+|question\w+|concerned|confused|worried|disagree|agree with|see (?:why|how|any|the|it)|understand why|convinced|sold)\b|\bI (?:don't|do not|dont) (?:think|believe|see|get|understand|recall|agree|know (?:that )?I)\b"),
    _cue("a fault", "c", r"\b(?:fails?|failing|failed|bug|error|issue|problem|missing|missed|forgot|regression|typo|crash\w*|hangs?|leak\w*|mistake|blowing|throws?|stale|stuck|overwhelm\w*)\b"),
    _cue("already", "cf", r"\balready\b"),
    _cue("tried it", "c", r"\b(?:when|if|where) (?:I|we|you) (?!want|need|think|look\b|use\b|write\b|see\b)[a-z]+|\bfor me\b|\bon my \w+|\b(?:I|we) (?:tried|ran|tested|opened|clicked)\b|\blocally\b"),
    _cue("now it", "c", r"^(?:(?:and|but|so|ok(?:ay)?|hmm+|oh|wait|yes|yeah)[\s,]+)*(?:now (?:it|this|that|the|they|all|everything|nothing|there)\b|(?:it|this|that|they) (?:\w+ )?(?:now|always|only|just|sometimes|twice|all)\b)"),
    _cue("denies", "c", r"\w(?:n't|\snot)(?= ?[,.;!]| ?$)|^not (?!yet|sure|now|bad|needed|necessary|really)\w+"),
    _cue("though", "c", r"\b(?:though|tho|however) ?[.!]?$|, ?but\b|\b(?:completely|totally|way|twice)\b"),
    _cue("lost", "c", r"\bwhere (?:did|has|have|is|are) .{1,40}\b(?:go|gone)\b|\b(?:nothing|nobody|none)\b|\binstead of\b|\b(?:disappear\w*|vanish\w*|overlaps?|covers?|hides?|breaks?|touches)\b"),
    _cue("too much", "cp", r"\b(?:too|to|overly|unnecessarily) (?:verbose|long|complex|complicated|much|many|generic|noisy|strict|aggressive|clever|specific|big|eager|hard)\b|\b(?:overkill|unnecessary|yuck|clutter\w*)\b"),
    # ---- how to work -----------------------------------------------------------------------
    _cue("always", "p", r"\b(?:always|never|every time|each time|whenever|wherever|everywhere|from now on|going forward|in (?:the )?future|by default|as a (?:general )?rule|in general|in principle|overriding)\b"),
    _cue("always do", "p", rf"(?:{_LEAD}|\b(?:should|must|you|we|I) )(?:always|never) (?:{_CHANGE}|run|write|commit|push|ask|check|test|create|start|prefer|follow|edit|touch|install|mock|read)\b|\b(?:from now on|as a (?:general )?rule|going forward)\b|\b(?:do not|don't|dont) ever\b"),
    _cue("each thing", "p", r"\bfor (?:each|every|all)\b|\b(?:each|every) (?:one|test|file|commit|pr|comment|function|method|agent|case)\b"),
    _cue("make sure", "p", r"\b(?:make|making) sure\b|\bensure\b|\bbe (?:careful|critical|consistent|explicit|thorough|concise|brief|honest)\b|\bcareful(?:ly)?\b"),
    _cue("do not act", "pc", r"^(?:(?:please|and|but|so|ok|just)[\s,]+)*(?:do not|don't|dont|never|stop) (?:ever )?(?!worry|think|know|mind|have\b|forget|understand|see\b)[a-z]+"),
    _cue("way of working", "p", r"\b(?:tdd|tests?[-\s](?:driven|first)|(?:write|do|start with) (?:a |the |failing )*tests? first|small(?:er)? commits?|separate commits?|individual commits?|feature branch|commit messages?|workflow|step by step|one (?:by one|at a time)|before (?:you|continuing|changing|considering|committing))\b"),
    _cue("of style", "p", r"\b(?:prefix|suffix|naming|style|convention|spelling|english|tabs?|spaces|snake|camel|kebab|literal(?:ly|s)?|comments? (?:directly|inline)|inline|table[-\s]driven|table tests?|constants?|types? instead|strong types?|format|wording|tone|plain|friendl\w+|readab\w+|consistent\w*|multiline)\b"),
    _cue("plainly", "p", r"\b(?:keep|make|be|as) (?:it|them|this|things|that|your|the \w+)? ?(?:short|simple|concise|brief|minimal|terse|consistent|explicit|small|obvious|clean|lightweight)\b|\b(?:simplest|nothing (?:fancy|exotic|clever)|nice and|simple as|lightweight|more flexible|less (?:verbose|noisy)|easier to (?:read|grok|understand|maintain|test)|hard to read)\b"),
    _cue("as it is done", "p", r"\bfollow(?:s|ing)? (?:the|our|my|this|that|same|existing|it)\b|\bstick (?:to|with)\b|\bsame (?:pattern|style|way|approach|convention)\b|\blike we (?:do|did)\b|\bas (?:we|usual|before)\b", asked=True),
    _cue("instruction file", "p", r"\b(?:claude|agents|gemini|beans|memory|contributing)(?:\.local)?\.md\b|\b(?:memori[sz]e|remember) (?:this|that|to|also)\b|\bkeep (?:in mind|our|your)\b|\bguidance\b", asked=True),
    _cue("use this not that", "p", r"\buse\b.{1,50}\b(?:and not|not|instead|rather)\b|\bplease (?:use|keep|always|only|make|avoid|don't|do not)\b|\b(?:directly|only) (?:to|in|use|via)\b"),
    # ---- telling ---------------------------------------------------------------------------
    _cue("for your information", "f-c", r"\b(?:fyi|btw|by the way|for context|note that|(?:keep|have|bear) in mind|just so you know|heads up|for reference|(?:some|more|a bit of) (?:context|background)|confirmed|remember now|turn(?:s|ed)? out)\b"),
    _cue("I did", "f-d", r"(?:^(?:(?:ah|oh|ok(?:ay)?|yes|yeah|no|hmm+|um+|sorry|so|well|also|now|and|but|then|since|because|actually|uh|fyi|btw|in (?:the|this) \w+)\b[\s,.:!]*){0,3}|, ?(?:and|but|so|since)? ?|\b(?:and|but|so|because|since|though|was that) )(?:I|we) ?(?:'ve| have| had)? (?:(?:just|also|only|now|actually|recently|already|did|accidentally|then|only recently) )*(?:did|had|made|got|ran|run|went|saw|seen|put|reset|started|moved|switched|upgraded|migrated|installed|updated|merged|removed|added|changed|replaced|fixed|checked|messed|noticed|found|created|built|tried|introduced|restarted|used|was able to|(?!(?:need|proceed|succeed|embed|want|expect|ask|decid|agre|lik|prefer|assum|hop)(?:ed)?\b)[a-z]+ed)\b"),
    _cue("somebody did", "f", r"\b(?:coworker|colleague|co-worker|somebody|someone|he|she|marketing|sales|customers|partners|our (?:\w+ )?(?:users|customers|team|vendor|clients|contracts?)|the (?:\w+ )?(?:team|vendor|other (?:dev|repo|machine|branch)|user|users|author|customer|client)|upstream|production|internal discussion|we got a report)\b"),
    _cue("has changed", "f", r"\b(?:the|that|this|our|main|upstream) (?:[\w-]+ ){0,3}(?:altered|changed|removed|added|renamed|introduced|replaced|merged|released|deployed|landed|moved|broke|gone|happened)\b"),
    _cue("at a time", "f", r"\b(?:yesterday|this morning|last (?:week|night|month|year|spring|summer|release|(?:mon|tues|wednes|thurs|fri)day)|(?:minutes?|hours?|days?|weeks?|months?|years?|while) ago|for a while|(?:twice|three times|several times|many times)\b|(?:since|until|in|on|from) (?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|q[1-4])|since (?:the (?:last|new)|last|we|I|then)|in the last \w+|(?:every|each) (?:night|morning|day|week|month))\b"),
    _cue("was done", "f", r"\b(?:was|were|got|gets?|has been|have been|had been|(?:is|are) only|(?:is|are) (?:handed|entered|edited|managed|owned|maintained|generated|deployed|hosted|shared)) (?:just |only |already |recently )?(?!wrong|unable|confused|supposed)(?:\w+ed|taken|put|shut|built|made|given|written|sent|rolled|run|set|out|handed|kept)\b"),
    _cue("there is", "f", r"\bthere(?:'s| is| are| was| were)\b|\bthere's\b"),
    _cue("we have", "f", r"\b(?:we|our \w+|I) (?:(?:currently|always|already|only|still|also|now|explicitly) )*(?:use[sd]?|ha(?:ve|d|s) (?:an?|one|two|no|the|some|\d+)|don'?t have|do not have|didn'?t have|run|deploy|support|call|store|keep|ship)\b"),
    _cue("it is so", "fc", r"^(?:(?:and|but|so|ah|oh|ok(?:ay)?|right|now|currently|also|hmm+|no|yes|since|because)[\s,]+)*(?:the|our|this|that|these|those|it|they|both|[`\"]?(?-i:[A-Z])[\w.-]+[`\"]?)(?:'s)? (?:\S+ ){0,4}?(?:is|are|was|were|has|have|had|does|lives?|uses?|means?|belongs?|comes?|contains?|happens?|exists?|writes?|keeps?|adds?|stores?|sends?|sits?|needs?|runs?|returns?)\b"),
    _cue("the thing is so", "fc", r"^(?:(?:and|but|so|ah|oh|ok(?:ay)?|now|currently|also|hmm+|no|yes|since|because|fyi)[\s,]+)*(?:the|our|my|this|that|each|every|[`\"]?(?-i:[A-Z])[\w.-]+[`\"]?) (?!(?:is|are|was|were|should|would)\b)\S+(?: \S+){0,5}? (?:is|are|was|were|has|have|lives?|uses?|means|belongs?|comes?|contains?|happens|exists?|writes|keeps?|adds|stores?|sends|sits|needs|runs?|returns|listens|expires|requires?|supports?|works?|depends?|expects?|ships?|deploys?|triggers|points)\b"),
    _cue("as things stand", "fc", r"\b(?:right now|currently|at the moment|until recently|recently|nowadays|these days|anymore|any more|so far|in the meantime)\b"),
    _cue("the cause", "f", r"\b(?:the (?:root )?(?:cause|reason|issue|problem|bug|error) (?:is|was)\b|that(?:'s| is) why|it was (?:caused|because)|figured out|found (?:out|it)|I (?:think )?(?:messed|forgot)|my (?:bad|mistake|fault))"),
    _cue("a figure", "f", r"(?<![\w.,])\d[\d.,]{0,20} ?(?:%|ms|s\b|sec|seconds?|min|minutes?|hours?|days?|[kmg]b|rows|users|commits|lines|usd|eur)"),
    # ---- asking for work of the moment -------------------------------------------------------
    _cue("asks for it", "-dcfp", r"^(?:(?:and|but|so|ok(?:ay)?|hmm+|also|now|question|q)[\s,:]+)*(?:can|could|would|will|may|should) (?:you|we|I)\b", asked=True),
    _cue("a chore", "-dcf", rf"{_LEAD}{_CHORE}\b"),
    _cue("handed on", "-dcf", r"\b(?:got|some|have|this|following|pr|review|new) (?:an? |the )?(?:new |review |pr )*(?:feedback|comments?|findings?|reviews?)\b|\bseverity\b|\bconsider \w+ing\b"),
    _cue("asks what", "-dcf", r"^(?:(?:and|but|so|ok(?:ay)?|hmm+|also|now|question|q)[\s,:]+)*(?:what|where|which|how|when (?:is|are|was|were|do|does|did|will|can|should|would)|who|is there|are there|do we|does)\b", asked=True),
)  # fmt: skip
