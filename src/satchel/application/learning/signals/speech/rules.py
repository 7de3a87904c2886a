"""Patterns of rules, habits, preferences and decisions.

One sentence each, apostrophes straight, without case; linear in the sentence, repetitions are
bounded.
"""

from __future__ import annotations

from satchel.application.learning.signals.speech.words import DONT, GENERIC, KINDS, VERB
from satchel.storage.kept_patterns import any_case

_re = any_case

#: Follows a decision: "one coupon per order, decided with Jana".
DECIDED_WITH = _re(r"\b(?:decided|agreed)\s{1,4}(?:with|by|on\s{1,4}with)\s{1,4}\w")
ALWAYS = _re(
    r"\b(?:always|never|every\s?time|each\s+time|whenever|from\s+now\s+on|going\s+forward|in\s+"
    r"(?:the\s+)?future|as\s+a\s+(?:general\s+)?rule|by\s+default|in\s+general|at\s+all\s+times"
    r"|without\s+exception|under\s+no\s+circumstances|no\s+matter\s+what|everywhere|ever\s+again"
    r"|anymore|any\s+more|only\s+ever|unless\s+(?:i|we|you|told|asked)|around\s+here"
    r"|no\s+exceptions"
    r"|without\s+(?:asking|approval|permission|my|telling|a\s+\w{1,40}|consulting)|in\s+"
    r"(?:this|our)\s+(?:repo|repository|project|codebase|code\s+base|monorepo|team|company|org))\b"
)
CONTRAST = _re(
    r"\b(?:use|used|run|call|prefer|want|need|do|take|import|write|put|say|pick|pass|return|install"
    r"|edit|change|keep|called|(?:it's|its)(?!\s+not\b))\b.{0,80}?"
    r"(?:,?\s+(?:and\s+)?(?:not|never|no)\s+(?!yet|now|sure|all|only|every|working|found|helping"
    r"|that\b|this\b|it\b|the\s+(?:first|second|third|last|other))"
    r"(?:the\s+|a\s+|an\s+|with\s+|in\s+|from\s+|as\s+|by\s+|to\s+|via\s+"
    r"|next\s+to\s+)?[\w`\"./@'-]{1,60})"
    r"|\b(?:is|are|with|in|to|live|lives|go|goes|belongs?|we|on|under|via|through|from|by|as|be|for"
    r"|at|into|uses?|needs?|means|than|only|\w{1,40}s)\b.{0,80}?"
    r"(?:,\s*(?:and\s+)?(?:not|never)\s+(?!yet|now|sure|only)\S|\s+and\s+not\s+\S)"
    r"|\b(?:instead\s+of|rather\s+than|in\s+favou?r\s+of|in\s+place\s+of|as\s+opposed\s+to)\s+\w"
    r"|\bprefer\w{0,40}\b.{1,60}\b(?:over|to)\b|^not?\b(?!\s+the\s+(?:other|one)).{1,50}?[,;]\s*"
    r"(?:but\s+|use\s+|it's\s+|we\s+)?\w|\buse\b.{1,60}\b(?:instead|rather)\b"
    r"|\buse\b.{1,50}?,\s*\S.{0,40}?\s+(?:is|are)\s+"
    r"(?:enough|fine|deprecated|banned|forbidden|dead|gone)\b|^[\w./-]{1,60}"
    r"(?:\s+[\w./-]{1,60})?,\s*(?:not|never)\s+\S"
    r"|^(?!(?:this|that|it|why|how|do|does|is|are|was|if|or|but|i|we|you"
    r"|they)\b)[\w./-]{1,60}\s+not\s+(?!yet|now|sure|only|all)[\w./-]{1,60}"
    r"(?=$|[,;.!]|\s+(?:here|for|in)\b)"
)
#: A rule, though it names what is used: "we never use floats for money".
WE_NEVER = _re(r"^we\s+never\s+(?:use|take|choose|pick|go)\b")
HABIT = _re(
    r"(?<!\bway\s)(?<!\bhow\s)(?<!\blike\s)\b(?:we|our\s+team|this\s+"
    r"(?:project|repo|codebase|team|company)|everyone|everybody|the\s+"
    r"(?:team|company|whole\s+team))\s+(?:(?:always|never|only|usually|generally|all|just|also"
    r"|currently|explicitly|deliberately|intentionally|normally|already|still|mostly|do)\s+)*"
    r"(?:(?:don't|do\s+not|dont|doesn't|can't|cannot|can\s+not|cant|won't|will\s+not|wont|aren't"
    r"|are\s+not|are\s+not\s+allowed\s+to|may\s+not)\s+(?:\w{1,40}ly\s+|ever\s+)?"
    r"(?!know|think|see|have\s+(?:time|a\b)|understand|care|want\s+to|need\s+to)\w{1,40}"
    r"|(?:use[sd]?|keep|keeps|put|puts|name|names|write|writes|deploy|deploys|run|runs|prefer"
    r"|prefers|follow|follows|avoid|avoids|commit|store|stores|log|return|call|say|squash|rebase"
    r"|merge|release|ship|target|support|supports|pin|format|lint|test|mock|host|document|generate"
    r"|import|throw|wrap|version|require|requires|treat|assume|tag|group|split|review|build|sort"
    r"|validate|translate|cache|handle|do|stick|only|spell|pay|own|maintain|serve|encrypt|track"
    r"|hardcode|reuse|bundle|fix|work|publish|distinguish|auto\w{1,40})\b(?!\s+(?:to|that)\b)"
    r"|try\s+not\s+to\s+\w{1,40}"
    r"|have\s+(?:two|three|several|our\s+own|no|different|multiple|strict|separate|\d+)\s+"
    r"(?!bug|problem|issue|error|meeting|question|test|conflict|failing|broken|more|idea|choice"
    r"|time)\w{1,40})"
)
PROHIBITS = _re(
    rf"^(?:you\s+|we\s+|tests\s+)?(?:{DONT}|do\s+not\s+ever|no\s+longer|cannot|can't|stop|quit"
    rf"|avoid|refrain\s+from|no\s+more)\s+(?:ever\s+|just\s+|please\s+|to\s+)*"
    rf"(?!worry|forget|think|know|mind|bother|understand|see\b|get\s+(?:it|why|this)|that\b|it\b"
    rf"|this\b|here\b|there\b|now\b|yet\b|the\s+server|have\s+to|need\s+to|want\b)"
    rf"(?!(?!call\b)\w{{1,40}}\s+(?:anything|it|this|that|them)\b)\w{{1,40}}"
)
FORBIDS_THING = _re(
    r"^(?:no|zero)\s+(?:more\s+)?(?!problem|worries|need\b|idea|rush|that|it|this|the\b|i\b|we\b"
    r"|you\b|not\b|just\b|but\b|one\b|luck|change|way\b|thanks|matter"
    r"|(?:veo|s[eé]|hay|es|est[áa]|puedo|funciona|encuentr\w+|entiendo|me|te|l[oae]s?|aparece|ten\w+|quiero)\b)[\w`-]{2,}|\b(?:is|are)\s+"
    r"(?:forbidden|not\s+allowed|banned|off[- ]limits|prohibited|a\s+no-?go|deprecated|frozen"
    r"|discouraged|mandatory|required|optional|preferred)\b|\bno\s+[\w-]{1,60}"
    r"(?:\s+[\w-]{1,60}){0,3}\s+(?:please|allowed|anywhere|in\s+(?:\w{1,40}\s+)?"
    r"(?:code|tests|commits?|components|controllers|comments|messages)\b)"
)
DIRECTIVE = _re(
    rf"^(?:only\s+|always\s+|never\s+|please\s+|just\s+|make\s+sure\s+"
    rf"(?:to\s+|you\s+|that\s+you\s+|that\s+)*|be\s+sure\s+to\s+|try\s+to\s+"
    rf"|remember\s+to\s+)*{VERB}\b"
)
#: A step of the work, however it goes on: "add a check to models/orders.yml, warn after an hour".
ADD_TO_FILE = _re(
    r"^(?:please\s+)?add\s[^,;]{1,60}\s(?:to|in|into)\s(?:the\s)?[\w-]{0,40}[/.][\w./-]{2,80}"
)
SCOPED = _re(
    rf"^(?:when(?:ever)?|if|before|after|for|on|in|unless|while|every\s+time)\s+"
    rf"(?:you\s+(?!are\b|'re|done|finish|want|can\b|get\s+stuck|see\b|have\s+time)\w{{1,40}}"
    rf"|(?!that|this|it\b|the\b|i\b|we\s+continue|now\b)\w{{1,40}}ing\b|{GENERIC}|changing"
    rf"|touching|adding|renaming)\b"
)
SCOPED_END = _re(
    rf"\b(?:when(?:ever)?|before|after|while)\s+(?:you\s+"
    rf"(?!are\b|'re|done|finish|want|can\b)\w{{1,40}}|(?!continuing\b)\w{{1,40}}ing\b"
    rf"(?!\s+(?:this|it|that)\b)|{GENERIC})|\b(?:for|in|to|with|on|across|of|from)\s+(?:{KINDS})"
)
OUGHT = _re(
    r"\b(?:must|should|shall|ha(?:s|ve)\s+to|need(?:s)?\s+to|ought\s+to|may\s+only|may\s+not"
    r"|can\s+only|can't|cannot|can\s+never)\s+(?:"
    r"(?:always|never|only|not|also|all|ever|still)\s+)*[a-z]{1,60}"
)
GENERIC_SUBJECT = _re(
    rf"^(?:(?:also|in\s+\w{{1,40}}|for\s+\w{{1,40}}),?\s+)?"
    rf"(?:{GENERIC}|(?-i:[A-Z]{{2}}[A-Z_]{{1,60}})|`[^`]{{1,60}}`|you\b|everything|everybody"
    rf"|everyone|nothing|nobody|whoever|commit\s+messages?|all\b)"
    rf"(?:\s+(?!is\b|are\b)[\w`./-]{{1,60}}){{0,6}}?\s+"
    rf"(?:must|should|shall|ha(?:s|ve)\s+to|need|ought|may|can(?:'t|not)|(?<!you\s)can\s+only)\b"
)
#: How things of a kind should be: "log lines should have the request id".
PLURAL_OUGHT = _re(
    r"^(?!the\b|this\b|these\b|those\b|tests\b|users\b|customers\b|admins\b|people\b|guests\b|editors\b|results\b)"
    r"(?:[a-z][\w-]{1,20}\s{1,4}){0,2}(?!this\b|users\b|customers\b|admins\b)[\w-]{3,30}s(?<!ss)(?<!us)\s{1,4}"
    r"(?:should|must|need\s{1,4}to|have\s{1,4}to)\s{1,4}\w"
)
PREFERS = _re(
    r"\b(?:i|we|my\s+team)(?:'d|\s+would)?\s+(?:"
    r"(?:usually|always|really|generally|strongly|much|personally|definitely|do|would|just|normally"
    r"|also|typically)\s+)*(?:prefer|rather|favou?r|hate|dislike|like|love|can't\s+stand"
    r"|don't\s+like|dont\s+like|do\s+not\s+like|don't\s+want|dont\s+want|do\s+not\s+want"
    r"|never\s+want|want|care\s+about|expect|insist)\b"
    r"|\bmy\s+(?:\w{1,40}\s+)?(?:preference|favou?rite|style|rule)\b|\b(?:it(?:'s|\s+is)\s+)?"
    r"(?:really\s+)?important\s+to\s+(?:me|us)\b|\bpreferabl[ey]\b|\bi(?:'m|\s+am)\s+"
    r"(?:not\s+a\s+(?:big\s+)?fan|a\s+(?:big\s+)?fan|allergic)\b"
)
#: Asks to be asked.
ASKED_FIRST = _re(
    r"^i\s+(?:want|need|have|like|would\s+like)\s+to\s+"
    r"(?:see|review|approve|check|read|know|be\s+asked)\b"
    r"(?=.{1,200}\b(?:before|every|each|always|whenever|any)\b)"
    r"|^(?:show|give|tell|send|ask)\s{1,4}me\b(?=.{1,80}\b(?:first|before)\b.{0,80}\b(?:when\w*|if|you|any)\b)"
)
MANNER = _re(
    r"^(?:be|stay|keep|make|give|answer|reply|write|respond|speak)\s+"
    r"(?:(?:it|things|this|your|the|all|me|functions?|methods?|answers?|explanations?|responses?"
    r"|comments?|commits?|messages?|code|files|names|it|prs?|\w{1,40}s)\s+){0,3}"
    r"(?:always\s+|as\s+|more\s+|very\s+|a\s+bit\s+)*"
    r"(?:short(?:er)?|brief(?:er)?|concise|terse|simpler?|small(?:er)?|minimal|explicit|consistent|honest|direct|readable"
    r"|boring|english|german|plain|flat|pure|focused|separate|in\s+"
    r"(?:english|german|french|spanish)|under\s+\d+|below\s+\d+|stateless|typed|idempotent"
    r"|the\s+code\s+only)\b"
    r"|^(?:answers?|replies|explanations?|summaries|comments?|messages?|diffs|commits?|prs?)\s+"
    r"(?:shorter|short|briefer|smaller|in\s+(?:english|german|french|spanish))\b"
    r"|^(?:shorter|fewer|smaller)\s+[\w-]{2,40}s\b"
)
DECISION = _re(
    r"^(?:switch|move|migrate|change)\s+(?:over\s+)?from\s+[\w.+/-]{2,40}\s+to\s+[\w.+/-]{2,40}|"
    r"^(?!(?:it|this|that|what)\b)(?:the\s+)?[\w./+-]{2,40}(?:\s[\w./+-]{2,40}){0,2}\s+stays?(?:\s+(?:as\s+it\s+is|in|put))?\s*[,;:]\s+\w|"
    r"\b(?:we|they)(?:'ve|\s+have)?\s+(?:got|gotten|getting)\s+rid\s+of\b|\b(?:the\s+)?"
    r"(?:team|product|legal|management|ops|security|client|customer|cto|boss|architects?)\s+"
    r"(?:voted|wants?|decided|picked|chose|requires?|insists?|agreed|said)\b|^(?:let'?s|lets)\s+"
    r"(?:not\s+)?settle\s+on\b|^(?:i\s+think\s+|maybe\s+)?(?:let'?s|lets)\s+"
    r"(?:(?:just|definitely|rather|not|instead|all|only|always|also|simply|then)\s+)*"
    r"(?:go|use|keep|stick|stay|drop|switch|standardi[sz]e|adopt|avoid|ditch|replace|move\s+"
    r"(?:away|from|everything|to\s+(?!the\s+next))|support|store|put|write|name|make\s+\w{1,40}\s+"
    r"(?:the\s+default|mandatory)|treat|split|pin|deprecate|skip|have|not)\b"
    r"|\b(?:we|i|they|the\s+(?:team|client|customer|cto|boss))"
    r"(?:'ve|'re|'ll|\s+have|\s+are|\s+had|\s+will)?\s+"
    r"(?:(?:all|finally|now|already|just|not|never|also|officially)\s+)*"
    r"(?:decided|chose|chosen|picked|opted|agreed|settled|went\s+with|going\s+"
    r"(?:with|for|back\s+to|to\s+(?:use|keep|support|stay|drop|switch|move|go\s+back\s+to))"
    r"|sticking|staying|stick|stay|dropp(?:ed|ing)|switch(?:ed|ing)|mov(?:ed|ing)\s+"
    r"(?:away|from|off|to|everything)|migrat(?:ed|ing)|standardi[sz](?:e|ed|ing)|adopt(?:ed|ing)?"
    r"|abandon(?:ed|ing)?|keep(?:ing)?|replac(?:ed|ing)|deprecat(?:ed|ing)|use|drop|support|store"
    r"|go\s+(?:with|back\s+to)|signed\s+off)\b"
    r"|^(?:going|we're\s+going|went|go)\s+with\b|\bwon't\s+"
    r"(?:do|support|use|add|have|build|migrate)\b|^(?:scrap|ditch|drop|abandon|kill)\s+"
    r"(?:the|all|our)\b.{3,}|\bthe\s+plan\s+is\s+(?:to|that)\b|\b(?:that's|thats|is|are)\s+final\b"
    r"|\b(?:will|shall)\s+be\b.{1,60}\b(?:instead\s+of|rather\s+than|not|so\s+that|because)\b"
)
ELLIPTIC = _re(
    r"^(?:[\w-]{2,30}\s{1,4}(?:over|never\s{1,4}as)\s{1,4}[\w-]{2,30}$|(?:one|two|three|four|single|double|conventional|semantic|signed|atomic|max(?:imum)?|min"
    r"(?:imum)?|strict|at\s+most|at\s+least|only|snake_case|camelcase|kebab-case|pascalcase|named"
    r"|small(?:er)?|absolute|relative|early|british|american|english)\s+[\w-]{1,60}.{0,60}\b"
    r"(?:in|for|per|everywhere|over|of|is|are|please|only|always|at\s+a\s+time|returns?|imports?"
    r"|commits?|exports?|spelling)\b"
    r"|.{3,60}\b(?:everywhere|only,?\s+please|at\s+all\s+times|no\s+exceptions)\s*[.!]?$"
    r"|(?:[\w-]{1,60}s|[\w-]{1,60}\s+[\w-]{1,60}s?)\s+"
    r"(?:in|go(?:es)?\s+(?:in|into|to|under|through|via)|belongs?\s+(?:in|to|under)|lives?\s+"
    r"(?:in|under)|come\s+from|start\s+with|end\s+with)\s+\S{1,80})"
)
#: "Nobody pushes to release but the bot."
RESERVED = _re(
    r"^(?:nobody|no[-\s]one)\s+(?:but\s+\S{1,40}\s+|ever\s+){0,2}"
    r"(?:pushes|merges|deploys|edits|touches|releases|writes|changes|commits|approves|calls|imports"
    r"|reads|uses)\b"
)
#: What to do about a recurring message.
TROUBLE = _re(
    rf"^(?:if|when(?:ever)?)\s+(?!it\b|this\b|that\b).{{3,60}}?\b"
    rf"(?:says?|complains?|fails?\s+with|prints?|throws?|errors?\s+with)\b.{{3,80}}?[\s,]"
    rf"(?:just\s+|then\s+)?{VERB}\s+\S"
    rf"|^(?:if|when(?:ever)?)\s+(?:the\s+)?(?!it\b|this\b|that\b)(?:\S{{1,40}}\s+){{1,4}}?"
    rf"(?:hangs|fails|breaks|crashes|dies|times\s+out|gets?\s+stuck|won't\s+start)[\s,]{{1,4}}"
    rf"(?:you\s+(?:have|need)\s+to\s+\w|(?:just\s+|then\s+)?{VERB}\s+\S)"
    # What to use instead: "expo go doesn't work here, use the dev client".
    rf"|^(?:\S{{1,40}}\s+){{1,4}}?(?:doesn'?t|does\s+not|won'?t)\s+work\s+"
    rf"(?:here|for\s+us|with\s+\S{{1,40}}),\s+use\s+\S"
)
IN_DOUBT = _re(
    r"^(?:if|when(?:ever)?)\s+(?:you(?:'re|\s+are)\s+|in\s+)(?:unsure|uncertain|not\s+sure|doubt)\b"
)
#: Something ended, and something else is used: "it's uv now", "Grafana instead of Datadog".
ENDED = _re(
    r"^(?:we(?:'ve|'re|\s+have|\s+are|re)?\s+(?:just\s+|now\s+|all\s+)?"
    r"(?:dropp(?:ed|ing)|switch(?:ed|ing)|mov(?:ed|ing)\s+(?:away|from|off|to|back)|migrat"
    r"(?:ed|ing)|replac(?:ed|ing)|retir(?:ed|ing)|ditch(?:ed|ing)|abandon(?:ed|ing)|going\s+back"
    r"|went\s+back|stopped)\b|we(?:'re|\s+are|\s+do)?\s*"
    r"(?:not|n't|don't|dont)\s.{1,40}?\bany\s*more\b"
    r"|(?:it's|its|it\s+is|we're\s+on|we\s+are\s+on|we\s+use)\s+[\w.+-]{1,40}\s+(?:\d\S{0,9}\s+)?"
    r"(?:now\b|everywhere\s+now\b|again\b)"
    r"|[\w.+-]{1,40}\s+(?:instead\s+of|rather\s+than|over)\s+[\w.+-]{1,40}\s*[,;:(\u2013\u2014-]"
    r"|[^,;.]{2,60}\safter\s+all\b)"
)
#: "Mira does the art, so don't ever rename a sprite".
SO_NEVER = _re(rf",\s+so\s+(?:please\s+)?{DONT}\b")
MUST = _re(r"\b(?:must|should|shall|ought\s+to|may\s+(?:only|not))\b")
STOP_DOING = _re(
    r"^(?:stop|quit|avoid)\s+(?!working|running|here\b|it\b)\w{1,40}ing\b"
    r"(?!\s+(?:it|this|that|now|here)\b)"
)
ALWAYS_DO = _re(
    r"(?:^|[,;:]\s*|\b(?:you|we|please|must|should|shall|to|and|but|then|i|i'd|everyone|everybody"
    r"|tests?|code|do|don't|\w{3,}s)\s+)(?:always|never)\s+(?:ever\s+)?"
    r"(?!mind|worked|happened|been|was|had|actually|the\b|returns|lists|shows|says|gets|fails"
    r"|displayed|used\b|called\b)[a-z]{1,60}(?<!ed)\b|\balways\s*[.!]?$"
)
#: An order that begins with its scope.
REACHES = _re(
    r"^(?:only|always|never|make\s+sure|be\s+sure|ask\s+(?:me|before)|prefer|avoid|follow|stick\s+"
    r"(?:to|with)|default\s+to|be)\b"
    # Its reason is another version: "pin boto3 to 1.34, 1.35 breaks the upload".
    r"|^(?:pin|keep|lock|hold|leave|stay\s+(?:on|with))\s+(?:\S{1,40}\s+){1,3}?v?\d[\w.]{0,12},\s+(?:\S{1,40}\s+)?v?\d[\w.]{0,12}\s+"
    r"(?:breaks?|broke|changed|changes|drops?|dropped|removed|removes|leaks?|crashes|fails?|needs|has|is)\b"
)
OF_OURS = _re(
    r"\bour\s+(?:own\s+)?\w{1,40}|\b(?:conventional|official|existing|built-in|standard)\s+\w{1,40}"
)
LET_US = _re(r"(?:let'?s|lets)\b")
LET_US_CHOOSE = _re(
    r"^(?:let'?s|lets)\s+(?:\w{1,40}\s+)?(?:go\s+with|standardi[sz]e|stick|stay|use|adopt|drop"
    r"|ditch|switch\s+to|not|keep\s+the|go\s+for|settle\s+on|move\s+(?:away|everything))\s+\S{1,80}"
)
#: "Use bottleneck, p-limit has no time window": a choice, and the other's fault.
CHOSEN_FOR = _re(
    r"^use\s+\S{1,60}(?:\s+for\s+(?:it|this|that))?,\s+\S{1,60}\s+"
    r"(?:is|are|has|have|had|can't|cannot|does|doesn't|lacks|needs|costs)\b"
)
SAYS_ALWAYS = _re(r"(?<!is\s)(?<!are\s)(?<!be\s)\b(?:always|never)\b")
#: Chooses what was offered: "stripe then, we have an account".
CHOSEN_THEN = _re(
    r"^(?!(?:and|but|so|ok|okay|we|you|i|it|that|this|now|just|only|since|until|even|back)\b)"
    r"[\w.+/-]{2,30}(?:\s+[\w.+/-]{2,30})?\s+then,\s+\S"
)
#: How things are named, ordered and written: a plural without an article, and its state.
NORM = _re(
    r"^(?:all\s+)?(?!the\b|this\b|these\b|those\b|its\b|it's\b|that's\b|there's\b|here's\b|let's\b"
    r"|what's\b|yes\b|thanks\b|always\b|does\b|things\b|sometimes\b|perhaps\b|changes\b|errors\b"
    r"|results\b|checks\b)(?:[\w/.-]{1,60}\s+){0,2}?[\w-]{2,40}s(?<!ss)\s+"
    r"(?:(?:always|never|only|all|just)\s+)?(?:are|go|goes|come|comes|start|end|live|belong|begin"
    r"|get|stay|follow|return|contain|carry|use|need|have|take|must|read|look)\s+\S{1,80}"
)
#: Verbs of how work is done, not of the work; with several of a kind as their object.
POLICY = _re(
    r"^(?:use|prefer|keep|write|put|name|wrap|store|place|follow|format|group|prefix|document|mock"
    r"|squash|sign|avoid|declare|define|mark|annotate|pin|quote|indent|treat|throw|raise|commit"
    r"|import|order)\s+(?!the\b|an?\b|me\b|us\b|this\b|that\b|it\b|these\b|those\b|your\b"
    r"|(?:tests|docs|code|details|results|options|changes|files|logs)\s+(?:for|of|in|to|from)\s+"
    r"(?:the|this|it)\b)(?:[\w<>'`@/.-]{1,60}\s+){0,3}?"
    r"(?:[\w-]{3,}s(?<!ss)(?<!us)(?<!this)|code|sql|css|async/await|english|snake_case|camelcase"
    r"|kebab-case|\w{1,40}_\w{1,40}|type\s+safety)(?=$|[\s,.;)])"
)
USE_HERE = _re(
    r"^(?:use|run|prefer|write|call|we)\s+(?!the\b|an?\b|this\b|that\b|it\b)[\w`./@-]{1,60}"
    r"(?:\s+[\w`./@-]{1,60})?\s+(?:here|everywhere|throughout)\b"
)
IN_LANGUAGE = _re(
    r"^(?:please\s+)?(?:talk|speak|answer|reply|write|respond|explain|chat|comment"
    r"|document)\b.{0,60}\bin\s+(?:english|german|french|spanish|portuguese|italian|dutch|polish"
    r"|russian|turkish|japanese|chinese|korean|swedish|ukrainian|czech|markdown|plain\s+\w{1,40}"
    r"|present\s+tense|past\s+tense|imperative|the\s+imperative|google\s+style|numpy\s+style)\b"
)
WANTS_NO = _re(
    r"\b(?:don't|dont|do\s+not|never)\s+(?:ever\s+)?want\s+(?!it\b|this\b|that\b)\w{1,40}"
)
#: A sequence with its reason: "commit first, so that you have the hash".
FIRST_BECAUSE = _re(
    r"^(?:commit|push|test|run|build|ask|check|format|lint|rebase|pull|read|write|plan|back\s?up"
    r"|migrate|review)\b.{0,40}\bfirst\b,?\s+(?:so\b|because|since|otherwise|before)"
)
