"""Lead-ins of a statement: fillers, objections, marks ("note:"), praise.

One sentence each, apostrophes straight, without case; linear in the sentence, repetitions are
bounded.
"""

from __future__ import annotations

from satchel.storage.kept_patterns import any_case

_re = any_case

#: Also a smile: "ok nice :) one thing: ...".
_GAP = r"(?:[:;]\)|[\s,.:!\u2013\u2014-]){1,60}"
#: Words that only introduce a statement.
FILLER = _re(
    rf"(?:(?:ok(?:ay)?|kk?|so|and|but|yeah|yes|yep|sure|well|also|now|then|hey|hi|hm+|oh|ah|please|pls"
    rf"|plz|just|ugh|look|alright|right|dude|bro|mate"
    rf"|great|nice|cool|good(?!\s+to\s+know)|thanks|thank\s+you|um+|uh+|haha|fwiw|huh|top|agreed|fair(?:\s+enough)?"
    rf"|(?:that\s+)?makes\s+sense|(?:good\s+)?(?:morning|evening|catch|point)|that(?:'?s|\s+is)\s+(?:expected|fine|ok(?:ay)?|normal)(?=\s{{0,2}}[,;.])"
    rf"|sorry\s+to\s+(?:be\s+(?:an?\s+(?:pain|nuisance|bother)|that\s+guy|difficult|picky|pedantic)|nag|bother(?:\s+you)?|repeat\s+myself)|sorry|(?:(?:one\s+)?last\s+thing|one\s+more(?:\s+thing)?)(?=\s{{0,2}}[:,])|one\s+more\s+thing"
    rf"|another\s+thing|@?(?:claude|codex|gemini|copilot|cursor)(?=\s{{0,2}}[,:])"
    # Courtesies that bind nobody less.
    rf"|if\s+(?:at\s+all\s+)?possible|if\s+it'?s\s+all\s+the\s+same\s+to\s+you|if\s+you\s+don'?t\s+mind"
    rf"|while\s{{1,4}}(?:you(?:'?re|\s{{1,4}}are)?|we(?:'?re|\s{{1,4}}are)?|ur)\s{{1,4}}at\s{{1,4}}it"
    rf"|(?:you|we|he|she|they|[a-z]{{2,20}})(?:'re|\s+(?:is|are|was|were))\s+(?:\w{{1,20}}\s+)?right\s+that"
    rf"|before\s+i\s+forget|to\s+answer\s+(?:your|the)\s+question|my\s+(?:fault|bad|mistake)|(?:short|long)(?:er)?\s+answer"
    rf"|i\s+don'?t\s+(?:think|know\s+if)\s+(?:anybody|anyone|i|we)(?:'ve|\s+have)?\s+(?:ever\s+)?(?:told|mentioned|said)"
    rf"(?:\s+(?:you|it|this|that|to\s+you)){{0,2}}(?:\s+(?:yet|before|already))?"
    rf"|since\s+you\s+keep\s+\w{{2,20}}ing\s+(?:it|that|them|those)(?=\s{{0,2}}[:,])"
    rf"|let\s+me\s+(?:explain|tell\s+you|show\s+you)\s+how\s+[^:.?!\n]{{2,60}}(?=:)|let'?s\s+write\s+(?:it|this|that)\s+down(?=:)"
    rf"|it'?s\s+always\s+the\s+same(?=:)"
    # What was looked for: "ah that was it: the sensor is on 0x77".
    rf"|(?:(?:that|this|it)(?:'s|\s+was|\s+is)\s+(?:it|the\s+(?:problem|bug|reason|cause|culprit))|found\s+(?:it|the\s+(?:problem|bug|reason|cause|culprit))|mystery\s+solved|solved|turns\s+out(?:\s+that)?)(?=\s{{0,2}}(?:[:;,\u2013\u2014]|-\s))"
    rf"|first(?:ly)?(?=\s{{0,2}}:)|second(?:ly)?(?=\s{{0,2}}[:,])|third(?:ly)?(?=\s{{0,2}}[:,])|lastly|apparently"
    rf"|(?:small\s+|quick\s+|new\s+)?(?:update|correction|idea|plan|change(?:\s+of\s+plans?)?)(?=\s{{0,2}}:)"
    rf"|\u00fcbrigens|by\s+the\s+way|basically|generally|guys"
    rf"|th(?:at|is|ats)(?:'s|\s+is)?\s+(?:only\s+|just\s+)?because|the\s+way\s+it\s+works\s+is"
    rf"(?:\s+that)?|the\s+thing\s+is(?:\s+that)?|i\s+think(?:\s+that)?|i\s+mean|i\s+"
    rf"(?:disagree|don't\s+agree)|you\s+know|yet|once\s+more|as\s+far\s+as\s+i\s+know|afaik"
    rf"|(?:wait\s+)?before\s+you\s+(?:go\s+on|continue|start)|just\s+to\s+be\s+clear|to\s+be\s+clear"
    rf"|one\s+thing(?!\s+(?:at|per)\s)|come\s+on|listen|wow|good\s+to\s+know"
    rf"|(?:(?:yesterday|today|this\s+morning|last\s+week|just\s+now)\s+)?(?:i|we)\s+(?:just\s+)?(?:talked|spoke|(?:had|got\s+off)\s+an?\s+(?:call|meeting))\s+(?:to|with)\s+(?:[\w'-]{{1,30}}\s+){{1,7}}?"
    rf"(?:(?:and\s+)?(?:he|she|they)\s+(?:said|says|say|confirmed|told\s+(?:me|us))(?:\s+that)?|and(?=\s+(?:we|our|nobody)\s))"
    rf"|und|aber|bitte|mais|pero|por\s+favor)\b{_GAP})"
)
#: Says that something done or believed is wrong.
OBJECTION = _re(
    r"(?:forget\s+(?:about\s+)?(?!to\b)[^,;.]{2,40},\s+(?=(?:we|the|i|our|team|it|its|it's|they|use)\b)|(?:no,?\s+wait|wait,?\s+(?:no|actually)|actually,?\s+no|scratch\s+that|nein|nee|non|não"
    r"|нет|nej|nem)\b[,.:!\u2014-]{1,6}\s*(?:(?:bitte|por\s+favor|пожалуйста|lütfen)\b[\s,]{1,4})?"
    r"|(?:no(?:pe)?|nah|(?:still\s+)?(?:wrong|incorrect)(?:\s+again)?|false|actually|not\s+quite"
    r"|again|seriously|stop|wait|hold\s+on|argh|dude|man|rejected|denied)\b[,.:!\u2014-]{1,60}\s*"
    r"|not\s+(?:like\s+(?:that|this)|here|there)\s?[,.:;!\u2014-]{1,6}\s*(?=(?:we|i|our|the|it|use|\w{3,20}s\s+(?:go|are|live|belong))\b)"
    r"|(?:wait,?\s+)?(?:actually|seriously)\s+|(?:no(?:pe)?|nah)\s+"
    r"(?=(?:no\b|nope|we|use|that|it|it's|its|don't|dont|the|this|you|always|never|please|put|i"
    r"|wrong|not)\b)"
    r"|(?:no,?\s+)?(?:that|this|it)(?:['\u2019]?s|\s+is|\s+was)(?:n['\u2019]?t|\s+not)?\s+"
    r"(?:\w{1,40}\s+){0,2}?(?:wrong|incorrect|false|right|correct|true|what\s+i\s+\w{1,40}"
    r"(?:\s+for)?|how\s+(?:we|i|it)\b[\w\s]{0,30}?"
    r"|the\s+way\s+we\b[\w\s]{0,30}?)\s*[,.:;!\u2014-]{1,60}\s*"
    r"|(?:i|you)\s+(?:was|were|am|are)\s+(?:wrong|mistaken)"
    r"(?:\s+(?:yesterday|earlier|before|there|about\s+(?:that|this|it)))?\s*[,.:;!\u2014-]{1,60}\s*"
    r"|(?:that|this|your)\s+\w{1,20}\s+(?:is|was)\s+"
    r"(?:wrong|incorrect|outdated|stale)\s*[,.:;!\u2014-]{1,60}\s*"
    r"|(?:like|as)\s+i\s+(?:already\s+)?(?:said|told\s+you|mentioned)"
    r"(?:\s+(?:before|already|earlier|yesterday|last\s+time))?\s*[,:]?\s+"
    r"|i(?:['\u2019]ve|\s+have)?\s+(?:already\s+|just\s+)?"
    r"(?:told|said|asked|mentioned|explained)\s+(?:(?:you|this|it|to\s+you)\b[\s,]{1,4})*"
    r"(?:already|before|twice|many\s+times|again|once)?[\s,:.]*(?:that\s+|to\s+)?"
    r"|(?:for\s+the\s+\w{1,40}\s+time|(?:that(?:'s|\s+is)|this\s+is)\s+(?:now\s+)?the\s+\w{2,12}\s+time(?:\s+(?:now|already))?|how\s+(?:many\s+times|often)\b[^,:;?!]{0,60}"
    r"|once\s+again)\s*[,:?!]\s*"
    r"|i\s+keep\s+(?:telling|saying|asking|repeating)\b[^,:;]{0,20}[,:]\s*(?:that\s+)?"
    r"|(?:didn't|did)\s+i\s+(?:not\s+)?(?:say|tell\s+you|ask(?:\s+for)?|mention)\b[\s,:]*"
    r"(?:that\s+)?|(?:come\s+on|we(?:'ve|\s+have)\s+been\s+(?:over|through)\s+this)\b[\s,.:]*"
    r"|i\s+meant?\s+(?:that\s+)?|you\s+(?:got|have)\s+(?:it|that|this)\s+"
    r"(?:backwards?|wrong|the\s+wrong\s+way\s+round)\s*[,.:]\s*|wrong\s+"
    r"(?:approach|command|directory|folder|place|tool|table|library|name)\s*[,.:]\s*|you\s+"
    r"(?:keep|always)\s+(?:forget\w{0,40}|ignor\w{0,40})\s+(?:that|to)\s+|you\s+"
    r"(?:forgot|ignored)\s+that\s+)"
)
#: Says on purpose that something is worth keeping.
MARKER = _re(
    r"(?:(?:an?\s+)?(?:quick\s+|small\s+|side\s+)?(?:note|reminder|thing)\s+before\s+i\s+forget\s*[:,]\s*|(?:please\s+)?(?:save|store|memori[sz]e|remember|note|keep)\s+(?:this|that|it)\s+for\s+(?:next\s+time|later"
    r"|(?:the\s+)?future(?:\s+reference)?)\s*[:,]\s*|(?:important|note|nb|n\.b\.|fyi|btw|psa|gotcha|tip|hint|reminder|warning|caution|careful"
    r"|remember|attention|beware|context|info|fact|heads[- ]?up"
    r"|lesson(?:\s+learn(?:ed|t))?|rule(?:\s+of\s+thumb)?|convention|policy|til|pro\s*tip"
    r"|side\s?note|quick\s+note|small\s+note|known\s+issue|caveat|memo|style"
    r"|preference)\s*[:\u2013\u2014-]{1,60}\s*"
    r"|(?:fyi|btw|by\s+the\s+way|heads[- ]?up|reminder|psa|gotcha|watch\s+out|beware|careful"
    r"|attention)\b[\s,:.!]*(?:that\s+|here[\s,:]{1,60}|with\s+this[\s,:]{1,60}"
    r"|about\s+this[\s,:]{1,60})?"
    r"|for\s+(?:(?:your|my|the|future)\s+)*(?:reference|context|record|information|info"
    r"|next\s+time)\b[\s,:]*"
    r"|jsyk\b[\s,:]*|(?:just\s+)?(?:so\s+(?:that\s+)?you(?:['\u2019]re|\s+are)?\s+(?:know|aware)"
    r"|to\s+let\s+you\s+know)\b[\s,:]*(?:that\s+)?"
    r"|(?:please\s+)?(?:(?:always\s+)?(?:keep|bear|have)\s+in\s+mind|be\s+aware|note(?:\s+down)?"
    r"|remember|(?:take|make)\s+(?:a\s+)?note|mind(?:\s+you)?|don['\u2019]?t\s+forget"
    r"|do\s+not\s+forget|never\s+forget|be\s+advised)[\s,:]{1,60}(?:that\s+|also\s+)*(?=\w)"
    r"|you\s+(?:should|need\s+to|have\s+to|must|ought\s+to)\s+know[\s,:]{1,60}(?:that\s+)?"
    r"|did\s+you\s+know[\s,:]{1,60}(?:that\s+)?"
    r"|(?:you\s+(?:may|might)\s+want\s+to\s+know|i\s+should\s+(?:perhaps\s+|probably\s+|maybe\s+)?(?:say|mention|add)"
    r"|it\s+(?:might|may|could)\s+be\s+(?:worth\s+knowing|useful\s+to\s+know|good\s+to\s+know))[\s,:]{1,60}(?:that\s+)?"
    r"|(?:one\s+|some\s+|the\s+|a\s+)?(?:important\s+|other\s+)?(?:things?|details?|quirks?)\s+"
    r"(?:to\s+(?:know|note|remember|keep\s+in\s+mind)|worth\s+knowing)(?:\s+(?:is|here))?[\s,:]*"
    r"(?:that\s+)?"
    r"|(?:it(?:['\u2019]s|\s+is)\s+)?worth\s+(?:knowing|noting|remembering)[\s,:]{1,60}(?:that\s+)?"
    r"|(?:the|our|my|a)\s+(?:\w{1,40}\s+)?(?:rule|convention|policy|agreement|standard)"
    r"(?:\s+(?:here|is))*\s*(?:[:,]\s*|\s+that\s+)"
    r"|be\s+(?:very\s+|extra\s+)?careful\s+(?=(?:with|about|when|around)\b)"
    r"|(?:it\s+)?turn(?:s|ed)?\s+out(?:\s+that)?[\s,:]{1,60}|lesson\s+learn(?:ed|t)[\s,:]{1,60}"
    r"|(?:(?:i|we)\s+)?(?:(?:found|got|nailed|solved)\s+it(?:\s+in\s+(?:the|my|an?)\s+\w{1,20})?|figured\s+it\s+out"
    r"|tracked\s+it\s+down)\s*[,:\u2013\u2014-]{1,6}\s*(?:that\s+)?"
    r"|(?:(?:i|we)\s+)?(?:just\s+)?(?:found|figured)\s+out\s+that\s+|what\s+(?:i|we)\s+(?:found|figured)\s+out\s+is\s+(?:that\s+)?"
    r"|(?:(?:i|we)\s+)?(?:found|figured\s+out)\s+(?:the|why|what)\b[^,:]{0,40}[:\u2013\u2014]\s*"
    r"|(?:the\s+)?(?:(?:actual|real|root)\s+)?(?:problem|bug|issue|cause|culprit|reason)\s+"
    r"(?:was|turned\s+out\s+to\s+be)\s+that\s+"
    r"|(?:save|store|memori[sz]e|write\s+(?:down|to\s+memory)|add\s+to\s+"
    r"(?:memory|claude\.md|agents\.md))(?:\s+(?:this|that))?\s*[:,]\s*)"
)
GENERAL_LEAD = _re(
    r"(?:unless\s+(?:i|we|told|stated|someone)\b[^,]{0,30}(?=,)"
    r"|(?:from\s+(?:now|here|today)\s+on(?:wards?)?|from\s+now\s+onwards?|going\s+forwards?"
    r"|moving\s+forwards?|in\s+(?:the\s+)?future|in\s+general|as\s+a\s+(?:general\s+)?rule"
    r"(?:\s+of\s+thumb)?"
    r"|by\s+default|next\s+time|for\s+(?:the\s+)?next\s+time|around\s+here|generally|usually"
    r"|normally|starting\s+(?:now|today)|for\s+(?:the\s+)?future(?:\s+\w{1,40})?"
    r"|in\s+(?:this|our|the)\s+(?:repo(?:sitory)?|project|codebase|code\s+base|monorepo|team"
    r"|company|org|app|workspace))\b)[\s,:]*"
)
PRAISE = _re(
    r"(?:(?:perfect|great|excellent|exactly|yes|nice|lovely|awesome|good|beautiful"
    r"|brilliant)\b[\s,.!]*)*(?:(?:that|this|it)(?:['\u2019]s|\s+is)\s+)?(?:exactly\s+)?"
    r"(?:just\s+|exactly\s+)?(?:like\s+(?:that|this)[\s,.]{1,60})?"
    r"(?:(?:that|this|it)(?:['\u2019]s|\s+is)\s+)?(?:exactly\s+|just\s+|precisely\s+)?"
    r"(?:how|the\s+way|what|the\s+(?:style|kind|format|level|tone)(?:\s+of\s+[\w\s]{1,30})?)\s+"
    r"(?:i|we)\s+(?:always\s+)?(?:like|want|prefer|love|expect)"
    r"(?:\s+(?:it|them|to\s+(?:see|have)))?\b\s*"
)
DECIDES = _re(
    r"(?:(?:final\s+)?(?:decision|decided|agreed|settled|verdict|change\s+of\s+plans?)\b"
    r"(?:\s+(?:made|is))?\s*[:,\u2013\u2014-]{1,60}\s*(?:that\s+)?"
    r"|(?:let'?s|lets|to)\s+(?:settle|decide)\s+(?:it|this|that)(?:\s+(?:now|then|once\s+and\s+for\s+all))?\s*[:\u2013\u2014]\s*|(?:the\s+)?"
    r"(?:final\s+)?decision\s+(?:is|was)\s+(?:that\s+|to\s+)?)"
)
#: What the agent did not do, and should do next time.
SHOULD_HAVE_USED = _re(
    r"^you\s+(?:should|could|ought\s+to|were\s+supposed\s+to|were\s+meant\s+to)\s+(?:have\s+)?"
    r"(?:used|use|asked|called|followed|checked|reused|read|imported|run)\s+\S{1,60}\s+\S"
)
#: Asked like a question, meant like a rule.
ASKED_RULE = _re(
    r"^(?!.{0,120}\b(?:warum|wieso|weshalb|wie|was|ob|wann|pourquoi|comment|si|por\s+qu\S"
    r"|perch\S|waarom|hoe|of)\b)"
    r"(?:(?:kannst|k\u00f6nntest)\s+du\s+(?:bitte\s+)?"
    r"(?=.{0,120}\b(?:immer|nie|niemals|k\u00fcnftig|ab\s+jetzt)\b)"
    r"|(?:tu\s+(?:peux|pourrais)|(?:peux|pourrais)[-\s]tu)\s+(?=.{0,120}\b(?:toujours|jamais|d\u00e9sormais)\b)"
    r"|(?:puedes|podr\u00edas)\s+(?:por\s+favor\s+)?(?=.{0,120}\b(?:siempre|nunca)\b)"
    r"|(?:voc\u00ea\s+)?(?:pode|poderia)\s+(?:por\s+favor\s+)?(?=.{0,120}\b(?:sempre|nunca)\b)"
    r"|(?:puoi|potresti)\s+(?:per\s+favore\s+)?(?=.{0,120}\b(?:sempre|mai)\b)"
    r"|kun\s+je\s+(?:alsjeblieft\s+)?(?=.{0,120}\b(?:altijd|nooit|voortaan)\b))"
    r"|^(?:can|could|would|will)\s+(?:you|we)\s+(?:please\s+|pls\s+|just\s+|also\s+|make\s+sure\s+(?:that\s+)?(?=whenever\b))*"
    r"(?=(?:always|never|from\s+now\s+on|stop|not\b|in\s+(?:the\s+)?future|whenever\b"
    r"|(?:use|stick|keep|put|write|name|run|add|show)\b[^?]{3,120}\s(?:from\s+now\s+on|every\s+time|in\s+(?:the\s+)?future)\b|use\b.{1,40}\b"
    r"(?:instead|not|rather)|(?:keep|make)\s+(?:your\s+|the\s+)?(?:answers?|replies|explanations?|summaries|messages)\b))"
)
#: "Also remember that ...", "for future reference: ...": an explicit request.
ASKED_TO_REMEMBER = _re(
    r"^\W{0,8}(?:\w{1,12}[\s,]{1,4}){0,2}(?:remember(?:\s+that\b|\s*:)|don't\s+forget"
    r"(?:\s+that\b|\s*:)|(?:for\s+future\s+reference|make\s+a\s+note|take\s+note"
    r"|note\s+down)\b)"
)
REMEMBER_TO = _re(r"^(?:to|adding|running|using|updating)\s+\w{1,40}")
#: A question that objects: the next sentence corrects.
CHALLENGES = _re(r"^(?:why|how\s+come)\s+(?:do|are|did|would|does|is)\s+you\b")
#: "You used print again, we have a logger for that": what was done, and what to do instead.
TOLD_OFF = _re(
    r"^you(?:'ve|\s{1,4}have)?\s{1,4}(?:used|put|wrote|made|picked|chose|created|added|named|called|renamed|logged|bumped|treated|took"
    r"|placed|mocked|copied|hardcoded|did|imported|installed)\s[^,;.]{1,60}[,;]\s{1,4}(?:but\s{1,4})?"
    r"(?:we(?:'ve)?\s{1,4}(?!need\b|should\b|have\s{1,4}to\b|can\b|could\b)\w|it\s{1,4}(?:comes|lives|belongs|is\s{1,4}generated)"
    r"|they\s{1,4}(?:come|live|belong|are)|there(?:'s|\s{1,4}is)\s{1,4}an?\b|\w{4,30}s\s{1,4}are\s{1,4}enough"
    r"|the\s{1,4}\w{2,30}\s{1,4}(?:lives|is\s{1,4}in|goes|belongs))"
)
#: "That's not how we do errors here, we ...": what it is about.
NOT_HOW = _re(
    r"^(?:no,?\s{1,4})?that'?s\s{1,4}not\s{1,4}(?:how|the\s{1,4}way)\s{1,4}we\s{1,4}"
    r"(?:do|handle|name|write|log|test|structure)"
    r"\s{1,4}(?P<topic>[\w-]{3,30}(?:\s{1,4}(?!here\b)[\w-]{1,30}){0,2})(?:\s{1,4}here)?,\s"
)
#: "Forget the ticket in the commit message, we do that in the PR title": what it is about.
FORGET_IT = _re(
    r"^(?:(?:ok(?:ay)?|and|so|no|please)\b[\s,]{1,4}){0,2}forget\s{1,4}(?:about\s{1,4})?(?:the\s{1,4}|our\s{1,4})?"
    r"(?P<topic>(?!what\b|it\b|that\b|this\b|everything\b)[\w-]{2,30}(?:\s{1,4}[\w-]{1,30}){0,5}),\s"
)
#: Refers to an action, which must have been mentioned before.
DO_THAT = _re(
    r"^we\s{1,4}(?:(?:now|only|always|just)\s{1,4})?(?:do|put|keep|have|write|handle|use|store|send)\s{1,4}(?:that|this|it|those|them)\s{1,4}"
    r"(?:\w{1,20}\s{1,4}){0,3}?(?:in|on|with|by|via|at|through|from)\s"
)
#: Decides about what was mentioned before: "i decided we do those only on the big machine".
DO_THOSE = _re(
    r"^(?:i\s+(?:have\s+)?decided\s+(?:that\s+)?)?we\s+(?:only\s+|always\s+)?(?:do|run|keep|put|make)\s+(?:those|these|them)\b"
)
#: How to take the sentence before: "nullable first, then fill. always in that order".
IN_THAT_ORDER = _re(
    r"^(?:(?:always|only|never|strictly)\s{1,4})?(?:in|like|by)\s{1,4}(?:that|this)\s{1,4}(?:order|sequence|way)\b"
    r"(?:[\s,]{1,4}\w{1,12}){0,3}$"
)
#: Ends with what belongs to somebody of the sentence before: "tickets go to their jira".
THEIRS = _re(
    r"^(?:\w{1,20}\s{1,4}){1,5}(?:to|via|through|in|on|with|into)\s{1,4}(?:their|his|her)\s{1,4}[\w-]{2,30}$"
)
#: "It is better to ...", "it'd be good if ...", "it must not be used the mean": stands for nothing.
IMPERSONAL = _re(
    r"^it(?:'?s|'d\s+be|\s+(?:is|was|has\s+to\s+be|(?:would|might|must|should|can|may)(?:\s+not)?\s+be))\s+"
    r"(?:(?:not|much|very|really|always|a\s+bit|\w{2,12}ly)\s+){0,2}"
    r"(?:(?:better|best|good|nice|nicer|kind|important|forbidden|prohibited|allowed|necessary|enough|easier|safer|useful"
    r"|helpful|great|normal|worth|possible|impossible|dangerous|wise)\s+(?:(?:for|of)\s+\w{2,12}\s+)?(?:to|if|that|when)\b"
    r"|\w{2,20}ed\s+(?:the|always|only)\b)"
)
#: Names no owner, which the sentence before does: "port is 5544 here", "the new one lives in lib/".
ELLIPTIC = _re(
    r"(?:the\s+(?:new|old|other|right|first|second|last|real)\s+ones?\b"
    r"|(?:port|host|path|url|address|user|password|region|timeout|limit|default|version|key|name|format|encoding)"
    r"\s+(?:is|are|has\s+to\s+be|must\s+be)\b)"
)
#: Says by itself that something believed is wrong.
DENIES = _re(
    r"(?:it|that|this|they|there)(?:'s|'re|\s+is|\s+are)?\s+(?:not|no\s+longer|isn't|aren't)\b"
)
