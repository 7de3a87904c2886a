"""Patterns of what people say to agents: lead-ins, lasting statements, momentary ones.

One sentence each, apostrophes straight, without case. Linear in the sentence: repetitions are
bounded. Used by `speech_forms` alone.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match, Pattern


class LazyPattern:
    """A pattern compiled on first use, because a hook uses few of them.

    Args:
        source: the pattern; case does not count.
    """

    __slots__ = ("_pattern", "source")

    def __init__(self, source: str) -> None:
        self.source = source
        self._pattern: Pattern[str] | None = None

    @property
    def compiled(self) -> Pattern[str]:
        """Return the compiled pattern."""
        if self._pattern is None:
            self._pattern = re.compile(self.source, re.IGNORECASE)
        return self._pattern

    def match(self, text: str) -> Match[str] | None:
        """Match at the beginning of a text."""
        return self.compiled.match(text)

    def search(self, text: str) -> Match[str] | None:
        """Search a text."""
        return self.compiled.search(text)

    def sub(self, by: str, text: str) -> str:
        """Replace matches."""
        return self.compiled.sub(by, text)


_re = LazyPattern


_GAP = r"[\s,.:!\u2013\u2014-]{1,60}"
#: Words that only lead up to what is said.
FILLER = _re(
    rf"(?:(?:ok(?:ay)?|so|and|but|yeah|yes|yep|sure|well|also|now|then|hey|hi|hm+|oh|ah|please|pls|plz|just|ugh|look|alright|right"
    rf"|great|nice|cool|good|thanks|thank\s+you|sorry|one\s+more\s+thing|another\s+thing|by\s+the\s+way|basically|generally|guys"
    rf"|th(?:at|is|ats)(?:'s|\s+is)?\s+(?:only\s+|just\s+)?because|the\s+way\s+it\s+works\s+is(?:\s+that)?|the\s+thing\s+is(?:\s+that)?|i\s+think(?:\s+that)?|i\s+mean|i\s+(?:disagree|don't\s+agree)|you\s+know|yet|once\s+more|as\s+far\s+as\s+i\s+know|afaik|before\s+you\s+(?:go\s+on|continue|start)|just\s+to\s+be\s+clear|to\s+be\s+clear|one\s+thing|come\s+on|listen"
    rf"|und|aber|bitte|mais|pero|por\s+favor)\b{_GAP})"
)
#: Says that what was done or believed is not so.
OBJECTION = _re(
    r"(?:(?:no,?\s+wait|wait,?\s+(?:no|actually)|actually,?\s+no|scratch\s+that|nein|nee|non|não|нет|nej|nem)\b[,.:!\u2014-]{1,6}\s*(?:(?:bitte|por\s+favor|пожалуйста|lütfen)\b[\s,]{1,4})?|(?:no(?:pe)?|nah|(?:still\s+)?(?:wrong|incorrect)(?:\s+again)?|false|actually|not\s+quite|again|seriously|stop|wait|hold\s+on|argh|dude|man|rejected|denied)\b[,.:!\u2014-]{1,60}\s*|(?:actually|seriously)\s+|(?:no(?:pe)?|nah)\s+(?=(?:no\b|nope|we|use|that|it|it's|its|don't|dont|the|this|you|always|never|please|put|i|wrong|not)\b)"
    r"|(?:no,?\s+)?(?:that|this|it)(?:['\u2019]?s|\s+is|\s+was)(?:n['\u2019]?t|\s+not)?\s+(?:\w{1,40}\s+){0,2}?(?:wrong|incorrect|false|right|correct|true|what\s+i\s+\w{1,40}(?:\s+for)?|how\s+(?:we|i|it)\b[\w\s]{0,30}?|the\s+way\s+we\b[\w\s]{0,30}?)\s*[,.:;!\u2014-]{1,60}\s*"
    r"|(?:i|you)\s+(?:was|were|am|are)\s+(?:wrong|mistaken)(?:\s+(?:yesterday|earlier|before|there|about\s+(?:that|this|it)))?\s*[,.:;!\u2014-]{1,60}\s*|(?:that|this|your)\s+\w{1,20}\s+(?:is|was)\s+(?:wrong|incorrect|outdated|stale)\s*[,.:;!\u2014-]{1,60}\s*"
    r"|(?:like|as)\s+i\s+(?:already\s+)?(?:said|told\s+you|mentioned)(?:\s+(?:before|already|earlier|yesterday|last\s+time))?\s*[,:]?\s+"
    r"|i(?:['\u2019]ve|\s+have)?\s+(?:already\s+|just\s+)?(?:told|said|asked|mentioned|explained)\s+(?:(?:you|this|it|to\s+you)\b[\s,]{1,4})*(?:already|before|twice|many\s+times|again|once)?[\s,:.]*(?:that\s+|to\s+)?"
    r"|(?:for\s+the\s+\w{1,40}\s+time|how\s+(?:many\s+times|often)\b[^,:;?!]{0,60}|once\s+again)\s*[,:?!]\s*"
    r"|i\s+keep\s+(?:telling|saying|asking|repeating)\b[^,:;]{0,20}[,:]\s*(?:that\s+)?|(?:didn't|did)\s+i\s+(?:not\s+)?(?:say|tell\s+you|ask(?:\s+for)?|mention)\b[\s,:]*(?:that\s+)?|(?:come\s+on|we(?:'ve|\s+have)\s+been\s+(?:over|through)\s+this)\b[\s,.:]*|i\s+meant?\s+(?:that\s+)?|you\s+(?:got|have)\s+(?:it|that|this)\s+(?:backwards?|wrong|the\s+wrong\s+way\s+round)\s*[,.:]\s*|wrong\s+(?:approach|command|directory|folder|place|tool|table|library|name)\s*[,.:]\s*|you\s+(?:keep|always)\s+(?:forget\w{0,40}|ignor\w{0,40})\s+(?:that|to)\s+|you\s+(?:forgot|ignored)\s+that\s+)"
)
#: Says on purpose that something is worth keeping.
MARKER = _re(
    r"(?:(?:important|note|nb|n\.b\.|fyi|btw|psa|gotcha|tip|hint|reminder|warning|caution|careful|remember|attention|beware|context|info|fact|heads[- ]?up"
    r"|lesson(?:\s+learn(?:ed|t))?|rule(?:\s+of\s+thumb)?|convention|policy|til|pro\s*tip|side\s?note|quick\s+note|small\s+note|known\s+issue|caveat|memo|style|preference)\s*[:\u2013\u2014-]{1,60}\s*"
    r"|(?:fyi|btw|by\s+the\s+way|heads[- ]?up|reminder|psa|gotcha|watch\s+out|beware|careful|attention)\b[\s,:.!]*(?:that\s+|here[\s,:]{1,60}|with\s+this[\s,:]{1,60}|about\s+this[\s,:]{1,60})?"
    r"|for\s+(?:(?:your|my|the|future)\s+)*(?:reference|context|record|information|info|next\s+time)\b[\s,:]*"
    r"|(?:just\s+)?(?:so\s+(?:that\s+)?you(?:['\u2019]re|\s+are)?\s+(?:know|aware)|to\s+let\s+you\s+know)\b[\s,:]*(?:that\s+)?"
    r"|(?:please\s+)?(?:(?:always\s+)?(?:keep|bear|have)\s+in\s+mind|be\s+aware|note(?:\s+down)?|remember|(?:take|make)\s+(?:a\s+)?note|mind(?:\s+you)?|don['\u2019]?t\s+forget|do\s+not\s+forget|never\s+forget|be\s+advised)[\s,:]{1,60}(?:that\s+|also\s+)*(?=\w)"
    r"|you\s+(?:should|need\s+to|have\s+to|must|ought\s+to)\s+know[\s,:]{1,60}(?:that\s+)?|did\s+you\s+know[\s,:]{1,60}(?:that\s+)?"
    r"|(?:one\s+|some\s+|the\s+|a\s+)?(?:important\s+|other\s+)?(?:things?|details?|quirks?)\s+(?:to\s+(?:know|note|remember|keep\s+in\s+mind)|worth\s+knowing)(?:\s+(?:is|here))?[\s,:]*(?:that\s+)?"
    r"|(?:it(?:['\u2019]s|\s+is)\s+)?worth\s+(?:knowing|noting|remembering)[\s,:]{1,60}(?:that\s+)?"
    r"|(?:the|our|my|a)\s+(?:\w{1,40}\s+)?(?:rule|convention|policy|agreement|standard)(?:\s+(?:here|is))*\s*(?:[:,]\s*|\s+that\s+)"
    r"|be\s+(?:very\s+|extra\s+)?careful\s+(?=(?:with|about|when|around)\b)"
    r"|(?:it\s+)?turn(?:s|ed)?\s+out(?:\s+that)?[\s,:]{1,60}|lesson\s+learn(?:ed|t)[\s,:]{1,60}"
    r"|(?:(?:i|we)\s+)?(?:(?:found|got|nailed|solved)\s+it|figured\s+it\s+out|tracked\s+it\s+down)\s*[,:\u2013\u2014-]{1,6}\s*(?:that\s+)?"
    r"|(?:(?:i|we)\s+)?(?:found|figured\s+out)\s+(?:the|why|what)\b[^,:]{0,40}[:\u2013\u2014]\s*"
    r"|(?:the\s+)?(?:(?:actual|real|root)\s+)?(?:problem|bug|issue|cause|culprit|reason)\s+(?:was|turned\s+out\s+to\s+be)\s+that\s+"
    r"|(?:save|store|memori[sz]e|write\s+(?:down|to\s+memory)|add\s+to\s+(?:memory|claude\.md|agents\.md))(?:\s+(?:this|that))?\s*[:,]\s*)"
)
GENERAL_LEAD = _re(
    r"(?:unless\s+(?:i|we|told|stated|someone)\b[^,]{0,30}(?=,)|(?:from\s+(?:now|here|today)\s+on(?:wards?)?|from\s+now\s+onwards?|going\s+forwards?|moving\s+forwards?|in\s+(?:the\s+)?future|in\s+general|as\s+a\s+(?:general\s+)?rule(?:\s+of\s+thumb)?"
    r"|by\s+default|next\s+time|for\s+(?:the\s+)?next\s+time|around\s+here|generally|usually|normally|starting\s+(?:now|today)|for\s+(?:the\s+)?future(?:\s+\w{1,40})?"
    r"|in\s+(?:this|our|the)\s+(?:repo(?:sitory)?|project|codebase|code\s+base|monorepo|team|company|org|app|workspace))\b)[\s,:]*"
)
PRAISE = _re(
    r"(?:(?:perfect|great|excellent|exactly|yes|nice|lovely|awesome|good|beautiful|brilliant)\b[\s,.!]*)*(?:(?:that|this|it)(?:['\u2019]s|\s+is)\s+)?(?:exactly\s+)?(?:just\s+|exactly\s+)?(?:like\s+(?:that|this)[\s,.]{1,60})?"
    r"(?:(?:that|this|it)(?:['\u2019]s|\s+is)\s+)?(?:exactly\s+|just\s+|precisely\s+)?(?:how|the\s+way|what|the\s+(?:style|kind|format|level|tone)(?:\s+of\s+[\w\s]{1,30})?)\s+(?:i|we)\s+(?:always\s+)?(?:like|want|prefer|love|expect)(?:\s+(?:it|them|to\s+(?:see|have)))?\b\s*"
)
DECIDES = _re(
    r"(?:(?:final\s+)?(?:decision|decided|agreed|settled|verdict|change\s+of\s+plans?)\b(?:\s+(?:made|is))?\s*[:,\u2013\u2014-]{1,60}\s*(?:that\s+)?|(?:the\s+)?(?:final\s+)?decision\s+(?:is|was)\s+(?:that\s+|to\s+)?)"
)


# ---- words of a developer's sentence -------------------------------------------------------

_VERB = (
    r"(?:use|run|write|put|keep|make|add|remove|delete|drop|rename|store|set|change|switch|replace|skip|leave|call|implement|revert|merge|move|sort"
    r"|show|print|return|default|stick|split|avoid|preserve|ignore|update|allow|include|extract|document|support|handle|treat|adjust|ensure|simplify"
    r"|bump|limit|fix|address|capture|try|log|do|go|name|prefix|format|commit|push|deploy|build|test|check|ask|tell|explain|give|start|stop|wrap|cast"
    r"|mock|import|export|declare|define|create|generate|regenerate|install|read|open|follow|prefer|pin|lock|cache|fetch|parse|validate|escape|reuse"
    r"|rebase|squash|tag|sign|reference|link|translate|answer|reply|respond|speak|be|have|get|take|mark|group|order|indent|quote|throw|raise|catch|edit"
    r"|touch|assume|copy|inject|pass|load|save|send|work|stay|think|verify|review|mention|annotate|type|confirm|clean|close|disable|enable|expose|hardcode"
    r"|render|restart|target|wait|cite|let|only|state|query|configure|convert|rely|bring|lint|seed|inline|persist|emit|exit|fail|assert|aim|choose|pick|summari[sz]e"
    r"|apologi[sz]e|guess|refactor|reformat|rewrite|restructure|touch|modify|overwrite|truncate|depend|introduce|nest|swallow|suppress|bypass|expect|consider|truncate)"
)
_BE = r"(?:is|are|'s|'re|was|were|will\s+be)"
_DONT = r"(?:don'?t|do\s+not|dont|never|don't\s+ever|do\s+not\s+ever|dont\s+ever|must\s+not|mustn't|should\s+not|shouldn't|shouldnt)"
#: The moment: one place, one time, the work at hand.
NOW = _re(
    r"\b(?:right\s+now|for\s+(?:now|the\s+moment)|at\s+the\s+moment|just\s+now|this\s+time|today|tomorrow|tonight|later|yet|meanwhile|in\s+a\s+(?:sec|minute|moment)|still(?!\s+(?:uses?|needs?|requires?|expects?|supports?|depends|relies|runs?\s+on))|already|first\s+(?:one|two)"
    r"|on\s+line\s+\d+|line\s+\d+|step\s+\d+|(?:the|this|that)\s+(?:first|second|third|last|next|other|above|previous)\s+(?:\w{1,40})|this\s+(?:pr|branch|file|function|line|test|bug|issue|commit|change|variable|one|script|ticket|task|error|screen|page|button|session)|these\s+\w{1,40}s"
    r"|you\s+just\s+(?:made|did|wrote|changed|added|showed|created)|i\s+(?:just\s+)?(?:sent|pasted|made|wrote|pushed|merged|changed)|when\s+(?:you(?:'re|\s+are)|i'm|i\s+am|it'?s)\s+(?:done|finished|ready|back)|whenever\s+you're|once\s+(?:you're|that's|it's|done)|before\s+we\s+continue|an?\s+hour)\b"
)
#: How the work stands, not how things are.
STATUS = _re(
    r"\b(?:works?\s+(?:now|fine|great|again|like)|(?:is|are|'s|was|were|looks?|seems?|feels?|got|gets|getting)\s+(?:(?:still|now|all|also|just|completely|totally|a\s+bit|pretty|so|too|really|kind\s+of|not|very|much|finally|almost)\s+)*"
    r"(?:broken|failing|wrong|missing|blank|empty|gone|good|fine|great|nice|perfect|better|ok(?:ay)?|ready|done|finished|green|red|passing|off|weird|odd|strange|slow|stuck|back|there|it|correct|right|enough|misaligned|cut\s+off|overlapping|clear|cool|awesome|interesting|funny|annoying|confusing|undefined|null|not\s+working|working|in\s+the\s+way|too\s+\w{1,40})\s*(?:[.,!?;]|$|\b(?:now|again|on|in|at|after|when|since|here|with|and)\b)"
    r"|\b(?:crash(?:es|ed|ing)|broke|hangs?|freezes?|typo|stack\s*trace|doesn'?t\s+(?:work|do\s+anything|show|open|load|compile|build|start|help)|not\s+working|isn'?t\s+working|is\s+(?:failing|crashing)|fail(?:s|ed)?\s*(?:$|[.,!]|with\b|again|now|on\s+(?:my|the|ci)))|all\s+(?:the\s+)?tests\s+pass|tests?\s+(?:now\s+)?pass(?:es)?\b"
    r"|(?:sorted|shown|displayed|rendered|aligned|calculated|parsed)\s+(?:wrong|incorrectly|twice)|(?:shows?|got|getting|get|see|seeing|gives?|throws?)\s+(?:me\s+)?(?:an?|this|the|some|these|no)\s+(?:\w{1,40}\s+){0,3}(?:error|exception|warning|500|404|old|wrong|value|failure)|merge\s+conflicts?|there(?:'s|\s+is)\s+(?:a|an|still|another)\s+(?:\w{1,40}\s+)?(?:failing|broken|missing|bug|typo|error|issue|problem|warning|mistake))\b"
)
I_DID = _re(
    r"^(?:we(?:'ve|\s+have)?\s+(?:(?:just|also|now|only|already|then|finally)\s+)*(?:need|made|got|ran|saw|fixed|found|forgot|added|tried|tested|done|should)\b|i(?:'ve|'m|'ll|'d|\s+am|\s+have|\s+will|\s+had)?\s+(?:(?:just|also|now|only|already|still|then|finally|quickly|even)\s+)*"
    r"(?:did|made|got|ran|went|saw|put|reset|pushed|merged|updated|changed|added|removed|fixed|restarted|checked|tried|tested|found|noticed|forgot|started|seen|done|get|see|test|need|check|try|wonder|understand|know|guess|let|have\s+a\s+(?:look|bug|question|problem)|fix|(?:want|like|love)\s+(?:to\s+(?!see\s+the\s+plan)|it|a|an)|'?m\s+not)\b)"
)
QUESTION = _re(
    r"^(?:can|could|should|would|will|shall|do(?!\s+not|n)|does|did|is|are|was|were|isn't|aren't|doesn't|don't\s+(?:we|you)|didn't|what|what's|why|how|where|when(?=\s+(?:is|are|do|does|did|will|was))|which|who|any|have\s+you|has|may)\b"
)
#: What stands in parentheses at the end belongs to a lesson, but makes none.
REMARK = _re(r"\s\([^()\n]{1,60}\)[.!;]?$")
#: Said beside what was decided: "one coupon per order, decided with Jana".
DECIDED_WITH = _re(r"\b(?:decided|agreed)\s{1,4}(?:with|by|on\s{1,4}with)\s{1,4}\w")
#: What the agent did not do, and is to do the next time.
SHOULD_HAVE_USED = _re(
    r"^you\s+(?:should|could|ought\s+to|were\s+supposed\s+to|were\s+meant\s+to)\s+(?:have\s+)?(?:used|use|asked|called|followed|checked|reused|read|imported|run)\s+\S{1,60}\s+\S"
)
#: Asked like a question, meant like a rule.
ASKED_RULE = _re(
    r"^(?:can|could|would|will)\s+(?:you|we)\s+(?:please\s+|pls\s+|just\s+)*(?=(?:always|never|from\s+now\s+on|stop|not\b|in\s+(?:the\s+)?future|use\b.{1,40}\b(?:instead|not|rather)))"
)
SMALL_TALK = _re(
    r"^(?:thanks?|thank\s+you|looks?\s+good|lgtm|sounds?\s+good|never\s*mind|forget\s+it|good\s+(?:morning|point|catch|idea|job)|got\s+it|makes?\s+sense|no\s+(?:problem|worries|rush|idea|that'?s)|not\s+(?:bad|yet|now|sure|this\s+one)|don'?t\s+(?:worry|bother)|hold\s+on|let\s+me|let's\s+(?:see|move|continue|do\s+(?:it|that|this|the)|try|start|fix|debug|look|check|go\s+back|merge|commit|wait|talk|discuss|test|run|get|take)|show\s+me|tell\s+me|give\s+me\s+a|always\s+(?:the\s+same|happy|nice)|never\s+(?:seen|had|heard)|whatever|almost|close)\b"
)

# ---- what makes a sentence last ---------------------------------------------------------------

ALWAYS = _re(
    r"\b(?:always|never|every\s?time|each\s+time|whenever|from\s+now\s+on|going\s+forward|in\s+(?:the\s+)?future|as\s+a\s+(?:general\s+)?rule|by\s+default|in\s+general|at\s+all\s+times|without\s+exception|under\s+no\s+circumstances|no\s+matter\s+what|everywhere|ever\s+again|anymore|any\s+more|only\s+ever|unless\s+(?:i|we|you|told|asked)|around\s+here|no\s+exceptions"
    r"|without\s+(?:asking|approval|permission|my|telling|a\s+\w{1,40}|consulting)|in\s+(?:this|our)\s+(?:repo|repository|project|codebase|code\s+base|monorepo|team|company|org))\b"
)
GOES_ON = _re(
    r"\b(?:it|that|this|which|he|she|i|they|page|button|we)\s+(?:just\s+|almost\s+)?(?:always|never)\s+(?!want|like|prefer|review|ask|use|commit|push|put|write|do\b|run|deploy|merge|log|want\s+you|throw|import|mock|store|edit|touch|return|call|squash|rebase)\w{1,40}|\balways\s+(?:the\s+same|fails?|get)\b|\b(?:can|could)\s+always\b|\bnever\s+(?:mind|\w{1,40}ed\b|actually)|\b(?:function|method|class|command|server|build|test|field|value)\s+(?:always|never)\s+\w{1,40}s\b|\b(?:are|is)\s+(?:never|always)\s+\w{1,40}(?:ed|wn)\s+(?:to|in|on)\b|\b(?:was|were|been)\s+(?:always|never)\b"
)
CONTRAST = _re(
    r"\b(?:use|used|run|call|prefer|want|need|do|take|import|write|put|say|pick|pass|return|install|edit|change|keep|called|(?:it's|its)(?!\s+not\b))\b.{0,80}?(?:,?\s+(?:and\s+)?(?:not|never|no)\s+(?!yet|now|sure|all|only|every|working|found|helping|that\b|this\b|it\b|the\s+(?:first|second|third|last|other))(?:the\s+|a\s+|an\s+|with\s+|in\s+|from\s+|as\s+|by\s+|to\s+|via\s+|next\s+to\s+)?[\w`\"./@'-]{1,60})"
    r"|\b(?:is|are|with|in|to|live|lives|go|goes|belongs?|we|on|under|via|through|from|by|as|be|for|at|into|uses?|needs?|means|than|only|\w{1,40}s)\b.{0,80}?(?:,\s*(?:and\s+)?(?:not|never)\s+(?!yet|now|sure|only)\S|\s+and\s+not\s+\S)"
    r"|\b(?:instead\s+of|rather\s+than|in\s+favou?r\s+of|in\s+place\s+of|as\s+opposed\s+to)\s+\w|\bprefer\w{0,40}\b.{1,60}\b(?:over|to)\b|^not?\b(?!\s+the\s+(?:other|one)).{1,50}?[,;]\s*(?:but\s+|use\s+|it's\s+|we\s+)?\w|\buse\b.{1,60}\b(?:instead|rather)\b|\buse\b.{1,50}?,\s*\S.{0,40}?\s+(?:is|are)\s+(?:enough|fine|deprecated|banned|forbidden|dead|gone)\b|^[\w./-]{1,60}(?:\s+[\w./-]{1,60})?,\s*(?:not|never)\s+\S"
    r"|^(?!(?:this|that|it|why|how|do|does|is|are|was|if|or|but|i|we|you|they)\b)[\w./-]{1,60}\s+not\s+(?!yet|now|sure|only|all)[\w./-]{1,60}(?=$|[,;.!]|\s+(?:here|for|in)\b)"
)
#: A contrast of this moment: numbers, sides, options, one thing above another.
SMALL_CONTRAST = _re(
    r"\binstead\s+of\s+(?:\d+|the\s+(?:first|second|last|other)|this|that)\b|\b(?:make|use|set)\s+(?:it\s+|this\s+)?\d+\b|\b(?:above|below|previous)\b\s*$|\b(?:option|the)\s+(?:\d|first|second|third|other|one)\b|^replace\b|^change\b|^rename\b|^make\s+(?:it|the|this|that)\b|^not\s+(?:this|that|the)\s+(?:one|other)"
)
HABIT = _re(
    r"(?<!\bway\s)(?<!\bhow\s)(?<!\blike\s)\b(?:we|our\s+team|this\s+(?:project|repo|codebase|team|company)|everyone|everybody|the\s+(?:team|company|whole\s+team))\s+(?:(?:always|never|only|usually|generally|all|just|also|currently|explicitly|deliberately|intentionally|normally|already|still|mostly|do)\s+)*(?:(?:don't|do\s+not|dont|doesn't|can't|cannot|can\s+not|cant|won't|will\s+not|wont|aren't|are\s+not|are\s+not\s+allowed\s+to|may\s+not)\s+(?:\w{1,40}ly\s+|ever\s+)?(?!know|think|see|have\s+(?:time|a\b)|understand|care|want\s+to|need\s+to)\w{1,40}"
    r"|(?:use[sd]?|keep|keeps|put|puts|name|names|write|writes|deploy|deploys|run|runs|prefer|prefers|follow|follows|avoid|avoids|commit|store|stores|log|return|call|say|squash|rebase|merge|release|ship|target|support|supports|pin|format|lint|test|mock|host|document|generate|import|throw|wrap|version|require|requires|treat|assume|tag|group|split|review|build|sort|validate|translate|cache|handle|do|stick|only|spell|pay|own|maintain|serve|encrypt|track|hardcode|reuse|bundle|fix|work|publish|distinguish|auto\w{1,40})\b(?!\s+(?:to|that)\b)"
    r"|have\s+(?:two|three|several|our\s+own|no|different|multiple|strict|separate|\d+)\s+(?!bug|problem|issue|error|meeting|question|test|conflict|failing|broken|more|idea|choice|time)\w{1,40})"
)
PROHIBITS = _re(
    rf"^(?:you\s+|we\s+|tests\s+)?(?:{_DONT}|do\s+not\s+ever|no\s+longer|cannot|can't|stop|quit|avoid|refrain\s+from|no\s+more)\s+(?:ever\s+|just\s+|please\s+|to\s+)*(?!worry|forget|think|know|mind|bother|understand|see\b|get\s+(?:it|why|this)|that\b|it\b|this\b|here\b|there\b|now\b|yet\b|the\s+server|have\s+to|need\s+to|want\b)(?!(?!call\b)\w{{1,40}}\s+(?:anything|it|this|that|them)\b)\w{{1,40}}"
)
FORBIDS_THING = _re(
    r"^(?:no|zero)\s+(?:more\s+)?(?!problem|worries|need\b|idea|rush|that|it|this|the\b|i\b|we\b|you\b|not\b|just\b|but\b|one\b|luck|change|way\b|thanks|matter)[\w`-]{2,}|\b(?:is|are)\s+(?:forbidden|not\s+allowed|banned|off[- ]limits|prohibited|a\s+no-?go|deprecated|frozen|discouraged|mandatory|required|optional|preferred)\b|\bno\s+[\w-]{1,60}(?:\s+[\w-]{1,60}){0,3}\s+(?:please|allowed|anywhere|in\s+(?:\w{1,40}\s+)?(?:code|tests|commits?|components|controllers|comments|messages)\b)"
)
#: Several, any or kinds of a thing: not the one at hand.
_KINDS = (
    r"(?:any|every|each|all|new|public|private|existing|our(?:\s+own)?|other\s+people's|user[- ]facing|generated|integration|production)\s+[\w-]{1,60}"
    r"|(?!the\b|this\b|these\b|those\b|it's\b|its\b|details\b|changes\b|errors\b|logs\b|docs\b|users\b|orders\b|settings\b|results\b|options\b|steps\b)(?:(?:similar|small|large|long|simple|complex|optional|required|shared|slow|async|external|internal|database|http|test|unit|error|log|commit|config)\s+)?[a-z][\w-]{2,40}s\b(?<!ss)(?<!us)(?<!is)(?<!as)(?!\s+(?:page|list|table|file|button|service|module|folder|screen|view|function|class)\b)|code\b|sql\b|css\b"
)
_GENERIC = (
    r"(?:any|every|each|all|no|new|public|private|both\s+kinds\s+of|other\s+people's|such|existing|our(?:\s+own)?|my|your|user[- ]facing|unrelated|generated|integration|unit|e2e|external|secret|personal)\s+[\w-]{1,60}|an?\s+(?!look|second|sec|bit|moment|minute|button|try|test|script|function|comment|branch|pr\b|page|new\s+branch|summary|helper|file\s+that|unit\s+test)[\w-]{1,60}"
    r"|(?!the\b|this\b|these\b|those\b|tests\b|it's|its\b|let's|changes\b|errors\b|logs\b|dependencies\b|merge\b)[a-z][\w-]{2,40}s\b(?<!ss)(?<!us)(?<!is)(?<!as)|code\b|sql\b|css\b|data\b|business\s+logic"
)
DIRECTIVE = _re(
    rf"^(?:only\s+|always\s+|never\s+|please\s+|just\s+|make\s+sure\s+(?:to\s+|you\s+|that\s+you\s+|that\s+)*|be\s+sure\s+to\s+|try\s+to\s+|remember\s+to\s+)*{_VERB}\b"
)
#: "Also remember that ...", "for future reference: ...": whoever asks for it means it.
ASKED_TO_REMEMBER = _re(
    r"^\W{0,8}(?:\w{1,12}[\s,]{1,4}){0,2}(?:remember(?:\s+that\b|\s*:)|don't\s+forget(?:\s+that\b|\s*:)|(?:for\s+(?:future\s+reference|the\s+record)|make\s+a\s+note|take\s+note|note\s+down)\b)"
)
REMEMBER_TO = _re(r"^(?:to|adding|running|using|updating)\s+\w{1,40}")
SCOPED = _re(
    rf"^(?:when(?:ever)?|if|before|after|for|on|in|unless|while|every\s+time)\s+(?:you\s+(?!are\b|'re|done|finish|want|can\b|get\s+stuck|see\b|have\s+time)\w{{1,40}}|(?!that|this|it\b|the\b|i\b|we\s+continue|now\b)\w{{1,40}}ing\b|{_GENERIC}|changing|touching|adding|renaming)\b"
)
SCOPED_END = _re(
    rf"\b(?:when(?:ever)?|before|after|while)\s+(?:you\s+(?!are\b|'re|done|finish|want|can\b)\w{{1,40}}|(?!continuing\b)\w{{1,40}}ing\b(?!\s+(?:this|it|that)\b)|{_GENERIC})|\b(?:for|in|to|with|on|across|of|from)\s+(?:{_KINDS})"
)
OUGHT = _re(
    r"\b(?:must|should|shall|ha(?:s|ve)\s+to|need(?:s)?\s+to|ought\s+to|may\s+only|may\s+not|can\s+only|can't|cannot|can\s+never)\s+(?:(?:always|never|only|not|also|all|ever|still)\s+)*[a-z]{1,60}"
)
GENERIC_SUBJECT = _re(
    rf"^(?:(?:also|in\s+\w{{1,40}}|for\s+\w{{1,40}}),?\s+)?(?:{_GENERIC}|(?-i:[A-Z]{{2}}[A-Z_]{{1,60}})|`[^`]{{1,60}}`|you\b|everything|everybody|everyone|nothing|nobody|whoever|commit\s+messages?|all\b)(?:\s+(?!is\b|are\b)[\w`./-]{{1,60}}){{0,6}}?\s+(?:must|should|shall|ha(?:s|ve)\s+to|need|ought|may|can(?:'t|not)|(?<!you\s)can\s+only)\b"
)
PREFERS = _re(
    r"\b(?:i|we|my\s+team)(?:'d|\s+would)?\s+(?:(?:usually|always|really|generally|strongly|much|personally|definitely|do|would|just|normally|also|typically)\s+)*(?:prefer|rather|favou?r|hate|dislike|like|love|can't\s+stand|don't\s+like|dont\s+like|do\s+not\s+like|don't\s+want|dont\s+want|do\s+not\s+want|never\s+want|want|care\s+about|expect|insist)\b"
    r"|\bmy\s+(?:\w{1,40}\s+)?(?:preference|favou?rite|style|rule)\b|\b(?:it(?:'s|\s+is)\s+)?(?:really\s+)?important\s+to\s+(?:me|us)\b|\bpreferabl[ey]\b|\bi(?:'m|\s+am)\s+(?:not\s+a\s+(?:big\s+)?fan|a\s+(?:big\s+)?fan|allergic)\b"
)
PREFERS_THIS = _re(
    r"\b(?:prefer|like|love|hate|want|dislike|rather|expect)\s+(?:(?:to\s+(?!see\s+the\s+plan)\w{1,40}|you\s+to\b|(?:see|add|have|do|implement|fix|change|know|try|go|build|make|create|use\s+the)\b(?!\s+(?:the\s+plan|a\s+plan|\w{1,40}s\s+before)))|(?:the|this|that|these|those|your)\s+\w{1,40}|it\b(?!\s+when)|this\b|that\b|them\b|a\s+(?!failing\s+test)\w{1,40}|an\s+\w{1,40})"
)
MANNER = _re(
    r"^(?:be|stay|keep|make|give|answer|reply|write|respond|speak)\s+(?:(?:it|things|this|your|the|all|me|functions?|methods?|answers?|explanations?|responses?|comments?|commits?|messages?|code|files|names|it|prs?|\w{1,40}s)\s+){0,3}(?:always\s+|as\s+|more\s+|very\s+|a\s+bit\s+)*(?:short|brief|concise|terse|simple|small|minimal|explicit|consistent|honest|direct|readable|boring|english|german|plain|flat|pure|focused|separate|in\s+(?:english|german|french|spanish)|under\s+\d+|below\s+\d+|stateless|typed|idempotent|the\s+code\s+only)\b"
)
DECISION = _re(
    r"\b(?:we|they)(?:'ve|\s+have)?\s+(?:got|gotten|getting)\s+rid\s+of\b|\b(?:the\s+)?(?:team|product|legal|management|ops|security|client|customer|cto|boss|architects?)\s+(?:voted|wants?|decided|picked|chose|requires?|insists?|agreed|said)\b|^(?:let'?s|lets)\s+(?:not\s+)?settle\s+on\b|^(?:i\s+think\s+|maybe\s+)?(?:let'?s|lets)\s+(?:(?:just|definitely|rather|not|instead|all|only|always|also|simply|then)\s+)*(?:go|use|keep|stick|stay|drop|switch|standardi[sz]e|adopt|avoid|ditch|replace|move\s+(?:away|from|everything|to\s+(?!the\s+next))|support|store|put|write|name|make\s+\w{1,40}\s+(?:the\s+default|mandatory)|treat|split|pin|deprecate|skip|have|not)\b"
    r"|\b(?:we|i|they|the\s+(?:team|client|customer|cto|boss))(?:'ve|'re|'ll|\s+have|\s+are|\s+had|\s+will)?\s+(?:(?:all|finally|now|already|just|not|never|also|officially)\s+)*(?:decided|chose|chosen|picked|opted|agreed|settled|went\s+with|going\s+(?:with|for|back\s+to|to\s+(?:use|keep|support|stay|drop|switch|move|go\s+back\s+to))|sticking|staying|stick|stay|dropp(?:ed|ing)|switch(?:ed|ing)|mov(?:ed|ing)\s+(?:away|from|off|to|everything)|migrat(?:ed|ing)|standardi[sz](?:e|ed|ing)|adopt(?:ed|ing)?|abandon(?:ed|ing)?|keep(?:ing)?|replac(?:ed|ing)|deprecat(?:ed|ing)|use|drop|support|store|go\s+with|signed\s+off)\b"
    r"|^(?:going|we're\s+going|went|go)\s+with\b|\bwon't\s+(?:do|support|use|add|have|build|migrate)\b|^(?:scrap|ditch|drop|abandon|kill)\s+(?:the|all|our)\b.{3,}|\bthe\s+plan\s+is\s+(?:to|that)\b|\b(?:that's|thats|is|are)\s+final\b|\b(?:will|shall)\s+be\b.{1,60}\b(?:instead\s+of|rather\s+than|not|so\s+that|because)\b"
)
DECIDES_NOTHING = _re(
    r"\b(?:option|approach|the\s+(?:first|second|third|other|next|last))\s*#?(?:\d|[a-e]\b|one\b|option|approach)?\s*[.!]?$|^(?:let'?s|lets)\s+(?:keep\s+(?:going|it|this|that)|go\s+(?:back|on|ahead|over|home)|(?:use|go\s+with|skip|drop|put|split)\s+(?:it|that|this|the\s+(?:first|second|other))|put\s+(?:it|this|that|the)\b)|^(?:we|i)(?:'ll|\s+will)\s+(?:see|check|look|come|test|try|move|go|fix|talk|need|be)\b|^i(?:'ve|\s+have)?\s+(?:dropped|switched|moved|replaced|kept|use|drop|support|store|keep|stay|merged)\b"
)
_STATE_VERB = r"(?:is|are|'s|has|have|lives?|uses?|means|belongs?|comes?|contains?|exists?|writes?|keeps?|stores?|needs?|runs?|returns?|listens?|expires?|requires?|supports?|works?|depends?|expects?|ships?|deploys?|resets?|breaks?|only|goes|go|starts?|happens?|gets?|sends?|strips?|caches?|lags?|hits?|(?:in|ex)cludes?|restarts?|updates?|buffers?|says|owns?|differs?|retr(?:y|ies)|doubles?|triggers?|rewrites?|swallows?|assumes?|blocks?|kills?|times?\s+out|rotates?|wraps?|shares?|reads?|allows?|rejects?|accepts?|limits?|costs?|takes?|applies|apply|calls?|loads?|follows?|points?|serves?|handles?|generates?|builds?|syncs?|maps?|deletes?|creates?|removes?|writes?|mirrors?|wins?|owns?|fires?|checks?|forbids?|locks?|wipes?|delivers?|gets|pays?|drops?|throws?|ignores?|rounds?|converts?|logs?|emits?|listens|polls?|retries|validates?|signs?|encrypts?|redirects?|forwards?|overrides?|inherits?|imports?|exports?|mounts?|injects?|provides?|replaces?|collects?|aggregates?|must|can't|cannot|can|don't|doesn't|do\s+not|does\s+not|aren't|isn't|hasn't|won't|should)"
THE_THING = _re(
    rf"^(?:currently\s+|also\s+|in\s+(?:prod(?:uction)?|staging|ci|dev|tests?|the\s+\w{{1,40}})\s*,?\s+|on\s+\w{{1,40}}\s*,?\s+|behind\s+\w{{1,40}}\s+)?(?:(?:the|our|my|your|their|its|each|every|all|any|both|some|most|that|this|only|an?)\s+(?:[\w`'./@-]{{1,60}}\s+){{1,6}}?|(?:[a-z][\w-]*\s+){{0,3}}[a-z][\w-]{{1,60}}s\s+(?:\w{{1,40}}\s+){{0,5}}?|(?:[A-Z][\w.-]*|`[^`]{{1,60}}`|[\w-]{{1,60}}\s+\d+|[a-z]{{1,60}}|[a-z]{{1,60}}\s+[a-z]{{1,60}}|[a-z]{{1,60}}\s+[a-z]{{1,60}}\s+[a-z]{{1,60}}|\w{{1,40}}[_.]\w{{1,40}})\s+)(?:only\s+|also\s+|always\s+|never\s+|currently\s+|still\s+|all\s+|automatically\s+|usually\s+|just\s+)*{_STATE_VERB}\b"
)
EXISTS = _re(
    r"^we(?:'re|\s+are)\s+(?:still\s+)?on\s+[\w.+-]{1,40}\s+v?\d|^we\s+(?:always\s+|only\s+|also\s+)?have\s+an?\s+(?!bug|problem|issue|error|meeting|question|conflict|bit)|^there(?:'s|\s+is|\s+are|\s+isn't|\s+are\s+no|\s+is\s+no|\s+aren't)\s+(?:only\s+|also\s+)?(?:an?|no|two|three|one|several|some|already\s+an?)?\s*[\w-]{1,60}(?:\s+\S{1,80}){2,}|^(?:the\s+only|only)\s+\S{1,80}|^you\s+(?:can't|cannot|have\s+to|need\s+to|must|can\s+only|need|only\s+need|don't\s+need|may)\b|^i(?:'m|\s+am)\s+(?!done|back|ready|sure|going|pushing|not\b|getting)\w{1,40}(?:\s+\w{1,40})?,?\s+(?:so|which\s+means)\b|^to\s+(?:run|deploy|build|release|test|start|debug|regenerate|update|reset|publish|connect|install|get|log)\b[^,]{0,60},?\s+(?:use|run|you|push|call|set|do|start|open|we|go|just|the)\b|^it\s+only\s+works\b|^i(?:'m|\s+am)?\s+(?:only\s+|always\s+|usually\s+|mostly\s+)?(?:use|on\b|work|develop|run|have\s+(?:no|only|an?\s+\w{1,40}\s+(?:mac|laptop|machine)))\b|^the\s+reason\b|^(?:everything|nothing)\s+\w{1,40}|^(?:it|its|it's|they)\s+(?:is|are|must|has\s+to|have\s+to)?\s*(?:called|spelled|named|written|generated|owned)\b"
)
#: What projects are about, for months.
WORLD = _re(
    r"\b(?:staging|prod(?:uction)?|dev\b|sandbox|ci\b|cd\b|pipelines?|deploy(?:s|ed|ment|ments|ing)?|data\s?bases?|db\b|schema|migrations?|api|apis|endpoints?|servers?|services?|teams?|customers?|clients?|users?\s+table|releases?|branch(?:es)?|main\b|master\b|tests?|suite|ports?|config\w{0,40}|secrets?|tokens?|keys?|vpn|docker|kubernetes|k8s|cron|queues?|workers?|index|cache[sd]?|redis|postgres|mysql|sqlite|s3|aws|gcp|azure|tables?|columns?|ids?|timestamps?|timezones?|utc|currenc\w{1,40}|cents|invoices?|orders?|payments?|tenants?|accounts?|sessions?|tokens?|jobs?|scripts?|repos?(?:itory)?|monorepo|packages?|folders?|director\w{1,40}|files?|env\w{0,40}|variables?|flags?|project|codebase|generated|deprecated|vendor|legacy|proxy|gateway|auth\w{0,40}|login|permissions?|licen[sc]e|limits?|quota|backups?|logs?|logging|metrics|alerts?|certificates?|mobile|frontend|backend|ui\b|admin|docs?|makefile|make\b|npm|node|python|java|go\b|rust|sdk|orm|library|module|plugin|version|fixtures?|seeds?|mocks?|hooks?|lint\w{0,40}|compliance|gdpr|contract|approvals?|pull\s+requests?|prs?\b|tickets?|jira|slack|channel|compiler|parser|scheduler|exports?|imports?|machines?|laptop|windows|linux|macs?|gpu|memory|bundle\w{0,40}|locale|requests?|replicas?|webhooks?|emails?|domains?|names?|strings?|commits?|dates?|prices?|amounts?|money|passwords?)\b"
)
HOLDS = _re(
    r"\b(?:every|each|all|any|daily|nightly|hourly|weekly|on\s+(?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|weekends?)|only|because|since|otherwise|so\s+(?:never|don't|dont|that|we|it|no|the|our|be|use|please|only)|unless|without|even\s+(?:though|if)|except|at\s+(?:most|least)|automatically|by\s+hand|per\s+\w{1,40}|behind|from\s+the|by\s+the|never|always|must|ha(?:s|ve)\s+to|can't|cannot|may\s+only|for\s+\w{1,40}\s+(?:seconds|minutes|hours|days|weeks|years)|limited\s+to|owned\s+by|managed\s+by|generated|shared|frozen|pinned|read[- ]only|case[- ]sensitive|stored|lives?|belongs?|listens?|expires?|resets?|requires?|needs?|strings?|in\s+(?:utc|cents|seconds|milliseconds|ms|bytes|a\s+different)|not\s+\w{1,40}|which|but|both|are\s+called|is\s+called|located|used\s+by|built|hosted|protected|two|three|once)\b|\d"
)
NAMED = _re(
    r"`[^`]{1,60}`|(?<![\w/])[\w.@~-]{0,60}/[\w./-]{1,60}|(?<!\w)--?[a-z][\w-]{1,60}|\b\w{1,40}\.(?:py|ts|tsx|js|jsx|go|rs|rb|java|md|json|ya?ml|toml|sh|sql|lock|env|cfg|ini|css|html|proto)\b|\b[a-z]{1,40}_[a-z_]\w{0,60}|(?-i:\b[A-Z]{2}[A-Z_]{0,60}\b|\b[a-z]{1,60}[A-Z]\w{1,40}|\b[A-Z][a-z]{1,60}[A-Z]\w{0,40})|\b\w{1,40}\(\)|(?<!\w)\.env\b"
)
ELLIPTIC = _re(
    r"^(?:(?:one|two|three|four|single|double|conventional|semantic|signed|atomic|max(?:imum)?|min(?:imum)?|strict|at\s+most|at\s+least|only|snake_case|camelcase|kebab-case|pascalcase|named|small(?:er)?|absolute|relative|early|british|american|english)\s+[\w-]{1,60}.{0,60}\b(?:in|for|per|everywhere|over|of|is|are|please|only|always|at\s+a\s+time|returns?|imports?|commits?|exports?|spelling)\b"
    r"|.{3,60}\b(?:everywhere|only,?\s+please|at\s+all\s+times|no\s+exceptions)\s*[.!]?$|(?:[\w-]{1,60}s|[\w-]{1,60}\s+[\w-]{1,60}s?)\s+(?:in|go(?:es)?\s+(?:in|into|to|under|through|via)|belongs?\s+(?:in|to|under)|lives?\s+(?:in|under)|come\s+from|start\s+with|end\s+with)\s+\S{1,80})"
)
WHY = _re(
    r"\b(?:because|since|so\s+that|so\s+we|otherwise|as\s+it|the\s+reason|to\s+avoid|in\s+order\s+to|cause|bc|which\s+means)\b"
)
#: A condition or a consequence at the end of a sentence.
CONDITION = _re(
    r"(?<=\w)(?:\s+(?:when|if|while|unless|whenever|without)|,?\s+(?:otherwise|or\s+else|or\s+(?:it|they|you|we|the)\b))\s+"
)
#: "Takes about ten minutes": known the next time, too.
TAKES_LONG = _re(
    r"\b(?:takes?|lasts?)\s+(?:(?:about|around|roughly|up\s+to|over|nearly|almost|at\s+least)\s+)?(?:\d[\d.]{0,6}|an?|a\s+few|some|two|three|four|five|ten|fifteen|twenty|thirty|forty)\s*(?:s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b"
)
#: "Nobody pushes to release but the bot."
RESERVED = _re(
    r"^(?:nobody|no[-\s]one)\s+(?:but\s+\S{1,40}\s+|ever\s+){0,2}(?:pushes|merges|deploys|edits|touches|releases|writes|changes|commits|approves|calls|imports|reads|uses)\b"
)
#: What to do about a message that comes now and then.
TROUBLE = _re(
    rf"^(?:if|when(?:ever)?)\s+(?!it\b|this\b|that\b).{{3,60}}?\b(?:says?|complains?|fails?\s+with|prints?|throws?|errors?\s+with)\b.{{3,80}}?[\s,](?:just\s+|then\s+)?{_VERB}\s+\S"
)
IN_DOUBT = _re(
    r"^(?:if|when(?:ever)?)\s+(?:you(?:'re|\s+are)\s+|in\s+)(?:unsure|uncertain|not\s+sure|doubt)\b"
)
#: It holds until something changes, and says why.
FOR_NOW = _re(
    r"^for\s+now\s+we\s+(?:stay|stick|keep|use|only|don't|dont|do\s+not)\b.{3,}\b(?:because|since|until|as\s+long\s+as)\b"
)
#: Something ended, and something else is used: "it's uv now", "Grafana instead of Datadog".
ENDED = _re(
    r"^(?:we(?:'ve|'re|\s+have|\s+are|re)?\s+(?:just\s+|now\s+|all\s+)?(?:dropp(?:ed|ing)|switch(?:ed|ing)|mov(?:ed|ing)\s+(?:away|from|off|to|back)|migrat(?:ed|ing)|replac(?:ed|ing)|retir(?:ed|ing)|ditch(?:ed|ing)|abandon(?:ed|ing)|going\s+back|went\s+back|stopped)\b|we(?:'re|\s+are|\s+do)?\s*(?:not|n't|don't|dont)\s.{1,40}?\bany\s*more\b"
    r"|(?:it's|its|it\s+is|we're\s+on|we\s+are\s+on|we\s+use)\s+[\w.+-]{1,40}\s+(?:\d\S{0,9}\s+)?(?:now\b|everywhere\s+now\b|again\b)"
    r"|[\w.+-]{1,40}\s+(?:instead\s+of|rather\s+than|over)\s+[\w.+-]{1,40}\s*[,;:(\u2013\u2014-])"
)
MUST = _re(r"\b(?:must|should|shall|ought\s+to|may\s+(?:only|not))\b")
#: One thing, and how it is: "the queue drops what is too large".
ONE_THING = _re(
    rf"^(?:(?:the|both|neither|this|most|some)\s+|our\s+)(?!tests?\b|code\b|commits?\b|names?\b)(?:[\w./-]{{1,40}}\s+){{1,4}}?(?:{_STATE_VERB}|drops|returns?|bans|dies|waits|\w{{3,30}}s)\b|^you\s+(?:need|have)\s+to\s+be\b"
)
JUST_HAPPENED = _re(
    r"\b(?:main|master|upstream|trunk|the\s+branch|it|they|somebody|someone)\s+(?:has\s+|have\s+)?(?:just\s+)?(?:moved|changed|landed|broke|merged|pushed)\b"
)
OF_MYSELF = _re(r"(?:i'll|i'm|i\s+will|i\s+am|i\s+can)\b")
#: "Note the typo", "careful, you have a bug there": about the code at hand.
OF_THE_CODE = _re(
    r"^(?:there(?:'s|\s+is)\s+an?|you\s+(?:have|made|forgot|missed)\s+(?:an?\s+|the\s+)?(?:typo|bug|error|mistake)|the\s+\w{1,40}\s+test\b|also\b|can\b|could\b|i\b(?!'m|\s+(?:use|work|am|have|prefer|always|never)))"
)
STOP_DOING = _re(
    r"^(?:stop|quit|avoid)\s+(?!working|running|here\b|it\b)\w{1,40}ing\b(?!\s+(?:it|this|that|now|here)\b)"
)
ALWAYS_DO = _re(
    r"(?:^|[,;:]\s*|\b(?:you|we|please|must|should|shall|to|and|but|then|i|i'd|everyone|everybody|tests?|code|do|don't|\w{3,}s)\s+)(?:always|never)\s+(?:ever\s+)?(?!mind|worked|happened|been|was|had|actually|the\b|returns|lists|shows|says|gets|fails|displayed|used\b|called\b)[a-z]{1,60}(?<!ed)\b|\balways\s*[.!]?$"
)
#: An order that says by its beginning how far it reaches.
REACHES = _re(
    r"^(?:only|always|never|make\s+sure|be\s+sure|ask\s+(?:me|before)|prefer|avoid|follow|stick\s+(?:to|with)|default\s+to|be)\b"
)
OF_OURS = _re(
    r"\bour\s+(?:own\s+)?\w{1,40}|\b(?:conventional|official|existing|built-in|standard)\s+\w{1,40}"
)
LET_US = _re(r"(?:let'?s|lets)\b")
LET_US_CHOOSE = _re(
    r"^(?:let'?s|lets)\s+(?:\w{1,40}\s+)?(?:go\s+with|standardi[sz]e|stick|stay|use|adopt|drop|ditch|switch\s+to|not|keep\s+the|go\s+for|settle\s+on|move\s+(?:away|everything))\s+\S{1,80}"
)
#: What is only clear to those who were there.
OF_THIS = _re(
    r"^(?:it|this|that|here|i\s+think|something|somehow|the\s+(?:first|second|last|next)|see|we)\b"
)
IT_IS = _re(r"(?:it|its|it's|this|that|that's|they|they're|these|those)\b")
#: Words that begin a thing's name as well as an order.
NOUN_OR_VERB = _re(
    r"^(?:tests?|tags?|logs?|quer(?:y|ies)|orders?|groups?|caches?|types?|states?|targets?|builds?|commits?|exports?|imports?|deploys?|releases?|names?|links?|reviews?|reads?|writes?|marks?|locks?|loads?|inputs?|stores?|sets?|indents?|quotes?|documents?|supports?|checks?|calls?|runs?|formats?|references?|sorts?|models?|merges?|copies|copy|changes?|comments?)\s+\w{1,40}"
)
PROPER = _re(r"^the\s+(?:correct|right|proper|only|official|real|actual|default|main)\s+\w{1,40}")
OUR = _re(r"(?:our|my)\b")
ASKS_FOR = _re(
    r"\bplease\b|\bthat's\s+the\b|\b(?:is|are)\b|^(?:without|with|in|wrong|names?|one|small|no)\b|^\S{1,80}\s+(?:only|first)\b"
)
#: Said while rejecting a call, puts off and teaches nothing.
PUTS_OFF = _re(
    r"^(?:first\b|i'll|i\s+will|let\s+me|let's|lets|wait|not\s+now|one\s+moment|hold|explain\s+(?:this|that|it)|show\s+me\s+(?:the\s+(?:diff|output|file|result)|what)|cancel|try\s+(?:again|it)|continue|leave\s+it|go\s+(?:on|back)|stop|never\s*mind|commit\s+first|undo|check\s+(?:the|if)|look\s+at|fix\s+the|run\s+(?:it|this|that)\b|tell\s+me|do\s+(?:it|that|this)\s+(?:later|again|first))"
)
#: A question that objects: what follows it corrects.
CHALLENGES = _re(r"^(?:why|how\s+come)\s+(?:do|are|did|would|does|is)\s+you\b")
DROP_WORDS = _re(
    r"(?:^(?:i\s+(?:said|told\s+you)\s+(?:that\s+)?))|\s{1,3}(?:please|pls|plz)(?=\s{0,3}(?:[,;]|$))"
    r"|\s{1,3}for\s+(?:it|this|that)(?=\s{0,3}(?:[,;.]|$))|,\s+you\s+[^,;]{1,40}\s+again\s{0,3}$"
    r"|,\s{1,3}(?:just\s+do\s+it|period|full\s+stop|thanks|thank\s+you|thx)\s{0,3}$|[\s,]{1,3}(?:btw|by\s+the\s+way|fyi)(?=\s{0,3}(?:[,;.!]|$))"
    r"|[\s,;:.-]{1,4}(?:and\s+)?(?:please\s+)?(?:remember|note|don'?t\s+forget|keep)\s+(?:that|this|it)"
    r"(?:\s+(?:down|in\s+mind))?(?:\s+please)?[\s.!]{0,3}$"
)
SMILES = _re(r" ?(?::[)|(DP]|;\)|[\U0001f300-\U0001faff\u2600-\u27bf]\ufe0f?)+ ?$")
#: What is left of "I told you not to ...".
NOT_TO = _re(r"^not\s+to\s+(?=\w)")
HERE = _re(r"\s{1,3}here(?=\s{0,3}(?:[,.;!]|$))")
#: What was named before does something: that is told of it, and asks for nothing.
TOLD_OF_IT = _re(
    r"^(?:they|it)\s+(?!should|must|needs?\b|ought|may\b|can't|cannot|ha(?:s|ve)\s+to|shall|never\b|always\b)\w"
)
#: "Use bottleneck, p-limit has no time window": what is chosen, and what is wrong with the other.
CHOSEN_FOR = _re(
    r"^use\s+\S{1,60}(?:\s+for\s+(?:it|this|that))?,\s+\S{1,60}\s+(?:is|are|has|have|had|can't|cannot|does|doesn't|lacks|needs|costs)\b"
)
#: Not said of anything for certain.
PAST_OR_SUPPOSED = _re(
    r"^(?:let'?s|lets)\s+(?:say|assume|imagine|pretend|suppose)\b|^you\s+can\b(?!'t|not|\s+only|\s+never)|^still\b|\b(?:it|that|this)\s+would\b|\bas\s+now\b|\bhas\s+(?:the|an?)\s+(?:issue|problem|bug)\b|\b(?:right|or|no)\)?\s*$|\b(?:every\s?time|whenever|each\s+time)\s+(?:i|it)\b|^i(?:'m|\s+am)\s+(?:now\s+|just\s+)?(?:\w{1,40}ing|off|back|done|out)\b|^to\s+self\b|^if\s+it\s+turns\s+out\b|^(?:fix(?:ed|es)?|add(?:ed|s)?|chore|feat|docs|refactor)(?:\([\w-]{1,60}\))?!?:\s|\b(?:should|must|could|would)(?:n't|\s+not|\s+never)?\s+(?:never\s+)?have\s+(?:been|\w{1,40}ed|\w{1,40}en|had|put|set|done|made|left|kept)\b|^always\s+(?:happy|glad|nice|good|welcome)\b|^(?:we|i)\s+do\s+have\b"
)
HEDGED = _re(
    r"\b(?:might|maybe|perhaps|wonder(?:ing)?|not\s+sure|seems?|probably|i\s+figure|i\s+guess|would\s+be\s+(?:great|nice|good)|could\s+be|sorry|anyway|ultrathink|i\s+think\s+what|you\s+are\s+(?:not|currently)|somehow)\b"
)
TORN = _re(r"^(?:[\"'),\]]|instead\s+of\s+[\"'])|(?:[,(:]|\b(?:and|or|the|of|to|is))$")
SAYS_ALWAYS = _re(r"(?<!is\s)(?<!are\s)(?<!be\s)\b(?:always|never)\b")
#: Says by itself that what was believed is not so.
DENIES = _re(
    r"(?:it|that|this|they|there)(?:'s|'re|\s+is|\s+are)?\s+(?:not|no\s+longer|isn't|aren't)\b"
)
DEMONSTRATIVE = _re(r"^(?:this|that|those|these|it|your|you\s+are|you're|i\s+(?:am|was))\b")
#: How things are named, ordered and written: a plural without an article, and how it is.
NORM = _re(
    r"^(?:all\s+)?(?!the\b|this\b|these\b|those\b|its\b|it's\b|that's\b|there's\b|here's\b|let's\b|what's\b|yes\b|thanks\b|always\b|does\b|things\b|sometimes\b|perhaps\b|changes\b|errors\b|results\b|checks\b)(?:[\w/.-]{1,60}\s+){0,2}?[\w-]{2,40}s(?<!ss)\s+(?:(?:always|never|only|all|just)\s+)?(?:are|go|goes|come|comes|start|end|live|belong|begin|get|stay|follow|return|contain|carry|use|need|have|take|must|read|look)\s+\S{1,80}"
)
#: Verbs of how work is done, not of the work; with several of a kind as their object.
POLICY = _re(
    r"^(?:use|prefer|keep|write|put|name|wrap|store|place|follow|format|group|prefix|document|mock|squash|sign|avoid|declare|define|mark|annotate|pin|quote|indent|treat|throw|raise|commit|import|order)\s+(?!the\b|an?\b|this\b|that\b|it\b|these\b|those\b|your\b|(?:tests|docs|code|details|results|options|changes|files|logs)\s+(?:for|of|in|to|from)\s+(?:the|this|it)\b)(?:[\w<>'`@/.-]{1,60}\s+){0,3}?(?:[\w-]{3,}s(?<!ss)(?<!us)(?<!this)|code|sql|css|async/await|english|snake_case|camelcase|kebab-case|\w{1,40}_\w{1,40}|type\s+safety)(?=$|[\s,.;)])"
)
USE_HERE = _re(
    r"^(?:use|run|prefer|write|call|we)\s+(?!the\b|an?\b|this\b|that\b|it\b)[\w`./@-]{1,60}(?:\s+[\w`./@-]{1,60})?\s+(?:here|everywhere|throughout)\b"
)
POINTS_AT = _re(r"\b(?:this|that|these|those|it|one|ones)\b")
IN_LANGUAGE = _re(
    r"^(?:please\s+)?(?:talk|speak|answer|reply|write|respond|explain|chat|comment|document)\b.{0,60}\bin\s+(?:english|german|french|spanish|portuguese|italian|dutch|polish|russian|turkish|japanese|chinese|korean|swedish|ukrainian|czech|markdown|plain\s+\w{1,40}|present\s+tense|past\s+tense|imperative|the\s+imperative|google\s+style|numpy\s+style)\b"
)
WANTS_NO = _re(
    r"\b(?:don't|dont|do\s+not|never)\s+(?:ever\s+)?want\s+(?!it\b|this\b|that\b)\w{1,40}"
)
#: An order of things, with its reason: "commit first, so that you have the hash".
FIRST_BECAUSE = _re(
    r"^(?:commit|push|test|run|build|ask|check|format|lint|rebase|pull|read|write|plan|back\s?up|migrate|review)\b.{0,40}\bfirst\b,?\s+(?:so\b|because|since|otherwise|before)"
)
