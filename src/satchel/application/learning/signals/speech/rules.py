"""Patterns of rules, habits, preferences and decisions.

One sentence each, apostrophes straight, without case; linear in the sentence, repetitions are
bounded.
"""

from __future__ import annotations

from satchel.application.learning.signals.speech.words import DONT, GENERIC, KINDS, VERB
from satchel.storage.kept_patterns import spoken

#: Follows a decision: "one coupon per order, decided with Jana".
DECIDED_WITH = spoken(r"\b(?:decided|agreed) (?:with|by|on with) \w")
ALWAYS = spoken(
    r"\b(?:always|never|every ?time|each time|whenever|from now on|going forward"
    r"|in (?:the )?future|as a (?:general )?rule|by default|in general|at all times"
    r"|without exception|under no circumstances|no matter what|everywhere|ever again|anymore"
    r"|any more|only ever|unless (?:i|we|you|told|asked)|around here|no exceptions"
    r"|without (?:asking|approval|permission|my|telling|a \w{1,40}|consulting)"
    r"|in (?:this|our) (?:repo|repository|project|codebase|code base|monorepo|team|company|org))\b"
)
CONTRAST = spoken(
    r"\b(?:use|used|run|call|prefer|want|need|do|take|import|write|put|say|pick|pass|return"
    r"|install|edit|change|keep|called"
    r"|(?:it's|its)(?! not\b))\b.{0,80}?(?:,? (?:and )?(?:not|never|no) (?!yet|now|sure|all|only"
    r"|every|working|found|helping|that\b|this\b|it\b|the (?:first|second|third|last|other))"
    r"(?:the |a |an |with |in |from |as |by |to |via |next to )?[\w`\"./@'-]{1,60})"
    r"|\b(?:is|are|with|in|to|live|lives|go|goes|belongs?|we|on|under|via|through|from|by|as|be"
    r"|for|at|into|uses?|needs?|means|than|only"
    r"|\w{1,40}s)\b.{0,80}?(?:, ?(?:and )?(?:not|never) (?!yet|now|sure|only)\S| and not \S"
    r"| \((?:and )?not \S)"
    r"|\b(?:instead of|rather than|in favou?r of|in place of|as opposed to) \w"
    r"|\bprefer\w{0,40}\b.{1,60}\b(?:over|to)\b"
    r"|^not?\b(?! the (?:other|one)).{1,50}?[,;] ?(?:but |use |it's |we )?\w"
    r"|\buse\b.{1,60}\b(?:instead|rather)\b|\buse\b.{1,50}?, ?\S.{0,40}? (?:is|are) (?:enough|fine"
    r"|deprecated|banned|forbidden|dead|gone)\b"
    r"|^[\w./-]{1,60}(?: [\w./-]{1,60})?, ?(?:not|never) \S"
    r"|^(?!(?:this|that|it|why|how|do|does|is|are|was|if|or|but|i|we|you|they)\b)[\w./-]{1,60} "
    r"not (?!yet|now|sure|only|all)[\w./-]{1,60}(?=$|[,;.!]| (?:here|for|in)\b)"
)
#: A rule, though it names what is used: "we never use floats for money".
WE_NEVER = spoken(r"^we never (?:use|take|choose|pick|go)\b")
DO_NOT = spoken(rf"^(?:{DONT})\b")
HABIT = spoken(
    r"(?<!\bway\s)(?<!\bhow\s)(?<!\blike\s)\b(?:we|our team"
    r"|this (?:project|repo|codebase|team|company)|everyone|everybody"
    r"|the (?:team|company|whole team)) (?:(?:always|never|only|usually|generally|all|just|also"
    r"|currently|explicitly|deliberately|intentionally|normally|already|still|mostly"
    r"|do) )*(?:(?:don't|do not|dont|doesn't|can't|cannot|can not|cant|won't|will not|wont|aren't"
    r"|are not|are not allowed to|may not) (?:\w{1,40}ly |ever )?"
    r"(?!know|think|see|have (?:time|a\b)|understand|care|want to|need to)\w{1,40}"
    r"|(?:use[sd]?|keep|keeps|put|puts|name|names|write|writes|deploy|deploys|run|runs|prefer"
    r"|prefers|follow|follows|avoid|avoids|commit|store|stores|log|return|call|say|squash|rebase"
    r"|merge|release|ship|target|support|supports|pin|format|lint|test|mock|host|document|generate"
    r"|import|throw|wrap|version|require|requires|treat|assume|tag|group|split|review|build|sort"
    r"|validate|translate|cache|handle|do|stick|only|spell|pay|own|maintain|serve|encrypt|track"
    r"|hardcode|reuse|bundle|fix|work|publish|distinguish|auto\w{1,40})\b(?! (?:to|that)\b)"
    r"|try not to \w{1,40}"
    r"|have (?:two|three|several|our own|no|different|multiple|strict|separate|\d+) (?!bug|problem"
    r"|issue|error|meeting|question|test|conflict|failing|broken|more|idea|choice|time)\w{1,40})"
)
PROHIBITS = spoken(
    rf"^(?:you |we |tests )?(?:{DONT}|do not ever|no longer|cannot|can't|stop|quit|avoid"
    r"|refrain from|no more) (?:ever |just |please |to )*(?!worry|forget|think|know|mind|bother"
    r"|understand|see\b|get (?:it|why|this)|that\b|it\b|this\b|here\b|there\b|now\b|yet\b"
    r"|the server|have to|need to"
    r"|want\b)(?!(?!call\b)\w{1,40} (?:anything|it|this|that|them)\b)\w{1,40}"
)
FORBIDS_THING = spoken(
    r"^(?:no|zero) (?:more )?(?!problem|worries|need\b|idea|rush|that|it|this|the\b|i\b|we\b|you\b"
    r"|not\b|just\b|but\b|one\b|luck|change|way\b|thanks|matter|(?:veo|s[eé]|hay|es|est[áa]|puedo"
    r"|funciona|encuentr\w+|entiendo|me|te|l[oae]s?|aparece|ten\w+|quiero)\b)[\w`-]{2,}"
    r"|\b(?:is|are) (?:forbidden|not allowed|banned|off[-\s]limits|prohibited|a no-?go|deprecated"
    r"|frozen|discouraged|mandatory|required|optional|preferred)\b"
    r"|\bno [\w-]{1,60}(?: [\w-]{1,60}){0,3} (?:please|allowed|anywhere"
    r"|in (?:\w{1,40} )?(?:code|tests|commits?|components|controllers|comments|messages)\b)"
)
DIRECTIVE = spoken(
    r"^(?:only |always |never |please |just |make sure (?:to |you |that you |that )*|be sure to "
    rf"|try to |remember to )*{VERB}\b"
)
#: A step of the work, however it goes on: "add a check to models/orders.yml, warn after an hour".
ADD_TO_FILE = spoken(
    r"^(?:please )?add\s[^,;]{1,60}\s(?:to|in|into)\s(?:the\s)?[\w-]{0,40}[/.][\w./-]{2,80}"
)
SCOPED = spoken(
    r"^(?:when(?:ever)?|if|before|after|for|on|in|unless|while"
    r"|every time) (?:you (?!are\b|'re|done|finish|want|can\b|get stuck|see\b|have time)\w{1,40}"
    r"|(?!that|this|it\b|the\b|i\b|we continue|now\b)\w{1,40}ing\b"
    rf"|{GENERIC}|changing|touching|adding|renaming)\b"
)
SCOPED_END = spoken(
    r"\b(?:when(?:ever)?|before|after|while) (?:you (?!are\b|'re|done|finish|want|can\b)\w{1,40}"
    r"|(?!continuing\b)\w{1,40}ing\b(?! (?:this|it|that)\b)"
    rf"|{GENERIC})|\b(?:for|in|to|with|on|across|of|from) (?:{KINDS})"
)
OUGHT = spoken(
    r"\b(?:must|should|shall|ha(?:s|ve) to|need(?:s)? to|ought to|may only|may not|can only|can't"
    r"|cannot|can never) (?:(?:always|never|only|not|also|all|ever|still) )*[a-z]{1,60}"
)
GENERIC_SUBJECT = spoken(
    rf"^(?:(?:also|in \w{{1,40}}|for \w{{1,40}}),? )?(?:{GENERIC}|(?-i:[A-Z]{{2}}[A-Z_]{{1,60}})"
    r"|`[^`]{1,60}`|you\b|everything|everybody|everyone|nothing|nobody|whoever|commit messages?"
    r"|all\b)(?: (?!is\b|are\b)[\w`./-]{1,60}){0,6}? (?:must|should|shall|ha(?:s|ve) to|need|ought"
    r"|may|can(?:'t|not)|(?<!you\s)can only)\b"
)
#: How things of a kind should be: "log lines should have the request id".
PLURAL_OUGHT = spoken(
    r"^(?!the\b|this\b|these\b|those\b|tests\b|users\b|customers\b|admins\b|people\b|guests\b"
    r"|editors\b|results\b)(?:[a-z][\w-]{1,20} ){0,2}(?!this\b|users\b|customers\b"
    r"|admins\b)[\w-]{3,30}s(?<!ss)(?<!us) (?:should|must|need to|have to) \w"
)
PREFERS = spoken(
    r"\b(?:i|we|my team)(?:'d| would)? (?:(?:usually|always|really|generally|strongly|much"
    r"|personally|definitely|do|would|just|normally|also|typically) )*(?:prefer|rather|favou?r"
    r"|hate|dislike|like|love|can't stand|don't like|dont like|do not like|don't want|dont want"
    r"|do not want|never want|want|care about|expect|insist)\b"
    r"|\bmy (?:\w{1,40} )?(?:preference|favou?rite|style|rule)\b"
    r"|\b(?:it(?:'s| is) )?(?:really )?important to (?:me|us)\b|\bpreferabl[ey]\b"
    r"|\bi(?:'m| am) (?:not a (?:big )?fan|a (?:big )?fan|allergic)\b"
)
#: Asks to be asked.
ASKED_FIRST = spoken(
    r"^i (?:want|need|have|like|would like) to (?:see|review|approve|check|read|know|be asked)\b"
    r"(?=.{1,200}\b(?:before|every|each|always|whenever|any)\b)|^(?:show|give|tell|send|ask) me\b"
    r"(?=.{1,80}\b(?:first|before)\b.{0,80}\b(?:when\w*|if|you|any)\b)"
)
MANNER = spoken(
    r"^(?:be|stay|keep|make|give|answer|reply|write|respond|speak) (?:(?:it|things|this|your|the"
    r"|all|me|functions?|methods?|answers?|explanations?|responses?|comments?|commits?|messages?"
    r"|code|files|names|it|prs?|\w{1,40}s) ){0,3}(?:always |as |more |very |a bit )*"
    r"(?:short(?:er)?|brief(?:er)?|concise|terse|simpler?|small(?:er)?|minimal|explicit|consistent"
    r"|honest|direct|readable|boring|english|german|plain|flat|pure|focused|separate"
    r"|in (?:english|german|french|spanish)|under \d+|below \d+|stateless|typed|idempotent"
    r"|the code only)\b|^(?:answers?|replies|explanations?|summaries|comments?|messages?|diffs"
    r"|commits?|prs?) (?:shorter|short|briefer|smaller|in (?:english|german|french|spanish))\b"
    r"|^(?:shorter|fewer|smaller) [\w-]{2,40}s\b"
)
DECISION = spoken(
    r"^(?:switch|move|migrate|change) (?:over )?from [\w.+/-]{2,40} to [\w.+/-]{2,40}"
    r"|^(?!(?:it|this|that|what)\b)"
    r"(?:the )?[\w./+-]{2,40}(?:\s[\w./+-]{2,40}){0,2} stays?(?: (?:as it is|in|put))? ?[,;:] \w"
    r"|\b(?:we|they)(?:'ve| have)? (?:got|gotten|getting) rid of\b"
    r"|\b(?:the )?(?:team|product|legal|management|ops|security|client|customer|cto|boss"
    r"|architects?) (?:voted|wants?|decided|picked|chose|requires?|insists?|agreed|said)\b"
    r"|^(?:let'?s|lets) (?:not )?settle on\b"
    r"|^(?:i think |maybe )?(?:let'?s|lets) (?:(?:just|definitely|rather|not|instead|all|only"
    r"|always|also|simply|then) )*(?:go|use|keep|stick|stay|drop|switch|standardi[sz]e|adopt|avoid"
    r"|ditch|replace|move (?:away|from|everything|to (?!the next))|support|store|put|write|name"
    r"|make \w{1,40} (?:the default|mandatory)|treat|split|pin|deprecate|skip|have|not)\b"
    r"|\b(?:we|i|they|the (?:team|client|customer|cto|boss))(?:'ve|'re|'ll| have| are| had| will)?"
    r" (?:(?:all|finally|now|already|just|not|never|also|officially) )*(?:decided|chose|chosen"
    r"|picked|opted|agreed|settled|went with"
    r"|going (?:with|for|back to|to (?:use|keep|support|stay|drop|switch|move|go back to))"
    r"|sticking|staying|stick|stay|dropp(?:ed|ing)|switch(?:ed|ing)"
    r"|mov(?:ed|ing) (?:away|from|off|to|everything)|migrat(?:ed|ing)|standardi[sz](?:e|ed|ing)"
    r"|adopt(?:ed|ing)?|abandon(?:ed|ing)?|keep(?:ing)?|replac(?:ed|ing)|deprecat(?:ed|ing)|use"
    r"|drop|support|store|go (?:with|back to)|signed off)\b|^(?:going|we're going|went|go) with\b"
    r"|\bwon't (?:do|support|use|add|have|build|migrate)\b"
    r"|^(?:scrap|ditch|drop|abandon|kill) (?:the|all|our)\b.{3,}|\bthe plan is (?:to|that)\b"
    r"|\b(?:that's|thats|is|are) final\b"
    r"|\b(?:will|shall) be\b.{1,60}\b(?:instead of|rather than|not|so that|because)\b"
)
ELLIPTIC = spoken(
    r"^(?:[\w-]{2,30} (?:over|never as) [\w-]{2,30}$|(?:one|two|three|four|single|double"
    r"|conventional|semantic|signed|atomic|max(?:imum)?|min(?:imum)?|strict|at most|at least|only"
    r"|snake_case|camelcase|kebab-case|pascalcase|named|small(?:er)?|absolute|relative|early"
    r"|british|american|english) [\w-]{1,60}.{0,60}\b(?:in|for|per|everywhere|over|of|is|are"
    r"|please|only|always|at a time|returns?|imports?|commits?|exports?|spelling)\b"
    r"|.{3,60}\b(?:everywhere|only,? please|at all times|no exceptions) ?[.!]?$"
    r"|(?:[\w-]{1,60}s|[\w-]{1,60} [\w-]{1,60}s?) (?:in|go(?:es)? (?:in|into|to|under|through|via)"
    r"|belongs? (?:in|to|under)|lives? (?:in|under)|come from|start with|end with) \S{1,80})"
)
#: Says last who wants it so: "it should exit 2 when there are any, nagios wants that".
WANTED_BY = spoken(
    r", (?:and )?(?:the |our |my )?(?!(?:i|we|you|go|please|and|it|they|don'?t)\b)[\w'-]{2,20}"
    r"(?: [\w-]{2,20}){0,2} (?:wants|want|insists on|insist on|requires?|expects?|demands?) "
    r"(?:exactly )?(?:that|this|it)\b(?: word| way)?[.!\s]*$"
)
#: Tells the agent what it does, not what to do.
YOU_DO = spoken(
    r"^you (?:still |just |always )?(?:use|select|put|write|import|call|hardcode|catch|log|return"
    r"|read|set)\b"
)
#: "Nobody pushes to release but the bot."
RESERVED = spoken(
    r"^(?:nobody|no[-\s]one) (?:but \S{1,40} |ever ){0,2}(?:pushes|merges|deploys|edits|touches"
    r"|releases|writes|changes|commits|approves|calls|imports|reads|uses)\b"
)
#: What to do about a recurring message.
TROUBLE = spoken(
    r"^(?:if|when(?:ever)?) (?!it\b|this\b|that\b).{3,60}?\b(?:says?|complains?|fails? with"
    rf"|prints?|throws?|errors? with)\b.{{3,80}}?[\s,](?:just |then )?{VERB} \S"
    r"|^(?:if|when(?:ever)?) (?:the )?(?!it\b|this\b|that\b)(?:\S{1,40} ){1,4}?"
    r"(?:hangs|fails|breaks|crashes|dies|times out|gets? stuck|won't start)[\s,]{1,4}"
    rf"(?:you (?:have|need) to \w|(?:just |then )?{VERB} \S)"
    # What to use instead: "expo go doesn't work here, use the dev client".
    r"|^(?:\S{1,40} ){1,4}?(?:doesn'?t|does not|won'?t) work (?:here|for us|with \S{1,40}), use \S"
)
IN_DOUBT = spoken(
    r"^(?:if|when(?:ever)?) (?:you(?:'re| are) |in )(?:unsure|uncertain|not sure|doubt)\b"
)
#: Something ended, and something else is used: "it's uv now", "Grafana instead of Datadog".
ENDED = spoken(
    r"^(?:we(?:'ve|'re| have| are|re)? (?:just |now |all )?(?:dropp(?:ed|ing)|switch(?:ed|ing)"
    r"|mov(?:ed|ing) (?:away|from|off|to|back)|migrat(?:ed|ing)|replac(?:ed|ing)|retir(?:ed|ing)"
    r"|ditch(?:ed|ing)|abandon(?:ed|ing)|going back|went back|stopped)\b"
    r"|we(?:'re| are| do)? ?(?:not|n't|don't|dont)\s.{1,40}?\bany ?more\b"
    r"|(?:it's|its|it is|we're on|we are on|we use) [\w.+-]{1,40} (?:\d\S{0,9} )?"
    r"(?:now\b|everywhere now\b|again\b)"
    r"|[\w.+-]{1,40} (?:instead of|rather than|over) [\w.+-]{1,40} ?[,;:(\u2013\u2014-]"
    r"|[^,;.]{2,60}\safter all\b)"
)
#: "Mira does the art, so don't ever rename a sprite".
SO_NEVER = spoken(rf", so (?:please )?{DONT}\b")
MUST = spoken(r"\b(?:must|should|shall|ought to|may (?:only|not))\b")
STOP_DOING = spoken(
    r"^(?:stop|quit|avoid) (?!working|running|here\b|it\b)\w{1,40}ing\b"
    r"(?! (?:it|this|that|now|here)\b)"
)
ALWAYS_DO = spoken(
    r"(?:^|[,;:] ?|\b(?:you|we|please|must|should|shall|to|and|but|then|i|i'd|everyone|everybody"
    r"|tests?|code|do|don't|\w{3,}s) )(?:always|never) (?:ever )?(?!mind|worked|happened|been|was"
    r"|had|actually|the\b|returns|lists|shows|says|gets|fails|displayed|used\b"
    r"|called\b)[a-z]{1,60}(?<!ed)\b|\balways ?[.!]?$"
)
#: An order that begins with its scope.
REACHES = spoken(
    r"^(?:only|always|never|make sure|be sure|ask (?:me|before)|prefer|avoid|follow"
    r"|stick (?:to|with)|stay (?:with|on)(?! (?:the|this|that|it|hold|track|topic)\b)"
    r"|default to|be)\b"
    # Its reason is another version: "pin boto3 to 1.34, 1.35 breaks the upload".
    r"|^(?:pin|keep|lock|hold|leave|stay (?:on|with)) (?:\S{1,40} ){1,3}?v?\d[\w.]{0,12}, "
    r"(?:\S{1,40} )?v?\d[\w.]{0,12} (?:breaks?|broke|changed|changes|drops?|dropped|removed"
    r"|removes|leaks?|crashes|fails?|needs|has|is)\b"
)
OF_OURS = spoken(
    r"\bour (?:own )?\w{1,40}|\b(?:conventional|official|existing|built-in|standard) \w{1,40}"
)
LET_US = spoken(r"(?:let'?s|lets)\b")
LET_US_CHOOSE = spoken(
    r"^(?:let'?s|lets) (?:\w{1,40} )?(?:go with|standardi[sz]e|stick|stay|use|adopt|drop|ditch"
    r"|switch to|not|keep the|go for|settle on|move (?:away|everything)) \S{1,80}"
)
#: "Use bottleneck, p-limit has no time window": a choice, and the other's fault.
CHOSEN_FOR = spoken(
    r"^use \S{1,60}(?: for (?:it|this|that))?, \S{1,60} (?:is|are|has|have|had|can't|cannot|does"
    r"|doesn't|lacks|needs|costs)\b"
)
SAYS_ALWAYS = spoken(r"(?<!is\s)(?<!are\s)(?<!be\s)\b(?:always|never)\b")
#: Chooses what was offered: "stripe then, we have an account".
CHOSEN_THEN = spoken(
    r"^(?!(?:and|but|so|ok|okay|we|you|i|it|that|this|now|just|only|since|until|even|back)\b)"
    r"[\w.+/-]{2,30}(?: [\w.+/-]{2,30})? then, \S"
)
#: How things are named, ordered and written: a plural without an article, and its state.
NORM = spoken(
    r"^(?:all )?(?!the\b|this\b|these\b|those\b|its\b|it's\b|that's\b|there's\b|here's\b|let's\b"
    r"|what's\b|yes\b|thanks\b|always\b|does\b|things\b|sometimes\b|perhaps\b|changes\b|errors\b"
    r"|results\b|checks\b)(?:[\w/.-]{1,60} ){0,2}?[\w-]{2,40}s"
    r"(?<!ss) (?:(?:always|never|only|all|just) )?(?:are|go|goes|come|comes|start|end|live|belong"
    r"|begin|get|stay|follow|return|contain|carry|use|need|have|take|must|read|look) \S{1,80}"
)
#: Verbs of how work is done, not of the work; with several of a kind as their object.
POLICY = spoken(
    r"^(?:use|prefer|keep|write|put|name|wrap|store|place|follow|format|group|prefix|document|mock"
    r"|squash|sign|avoid|declare|define|mark|annotate|pin|quote|indent|treat|throw|raise|commit"
    r"|import|order) (?!the\b|an?\b|me\b|us\b|this\b|that\b|it\b|these\b|those\b|your\b"
    r"|(?:tests|docs|code|details|results|options|changes|files|logs) (?:for|of|in|to|from) "
    r"(?:the|this|it)\b)(?:[\w<>'`@/.-]{1,60} ){0,3}?(?:[\w-]{3,}s(?<!ss)(?<!us)(?<!this)|code|sql"
    r"|css|async/await|english|snake_case|camelcase|kebab-case|\w{1,40}_\w{1,40}"
    r"|type safety)(?=$|[\s,.;)])"
)
USE_HERE = spoken(
    r"^(?:use|run|prefer|write|call|we) (?!the\b|an?\b|this\b|that\b|it\b)[\w`./@-]{1,60}"
    r"(?: [\w`./@-]{1,60})? (?:here|everywhere|throughout)\b"
)
IN_LANGUAGE = spoken(
    r"^(?:please )?(?:talk|speak|answer|reply|write|respond|explain|chat|comment"
    r"|document)\b.{0,60}\bin (?:english|german|french|spanish|portuguese|italian|dutch|polish"
    r"|russian|turkish|japanese|chinese|korean|swedish|ukrainian|czech|markdown|plain \w{1,40}"
    r"|present tense|past tense|imperative|the imperative|google style|numpy style)\b"
)
WANTS_NO = spoken(r"\b(?:don't|dont|do not|never) (?:ever )?want (?!it\b|this\b|that\b)\w{1,40}")
#: A sequence with its reason: "commit first, so that you have the hash".
FIRST_BECAUSE = spoken(
    r"^(?:commit|push|test|run|build|ask|check|format|lint|rebase|pull|read|write|plan|back ?up"
    r"|migrate|review)\b.{0,40}\bfirst\b,? (?:so\b|because|since|otherwise|before)"
)
