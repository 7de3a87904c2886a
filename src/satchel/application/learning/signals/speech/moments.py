"""Statements of the moment: one place, one time, the state of the work, questions and suppositions.

One sentence each, apostrophes straight, without case; linear in the sentence, repetitions are
bounded.
"""

from __future__ import annotations

from satchel.storage.kept_patterns import any_case

_re = any_case

#: The moment: one place, one time, the work at hand.
NOW = _re(
    r"\b(?:right\s+now|(?<![\w/.-])(?:rn|atm)(?![\w/-])|for\s+(?:now|the\s+moment)|at\s+the\s+moment|just\s+now|this\s+time|(?<!as\sof\s)(?<!from\s)(?<!since\s)today"
    r"|(?:only|just)\s+for\s+(?:this|the\s+next)\s+(?:week|month|quarter|sprint|release|year|demo|run)"
    r"|(?:only|just)\s+this\s+once"
    r"|tomorrow|tonight|later|yet|meanwhile|in\s+a\s+(?:sec|minute|moment)|still"
    r"(?!\s+(?:handles|serves|owns|sends|uses?|needs?|requires?|expects?|supports?|depends|relies"
    r"|runs?\s+on))|already"
    r"|first\s+(?:one|two)"
    r"|on\s+line\s+\d+|line\s+\d+|step\s+\d+|(?:the|this|that)\s+"
    r"(?:first|second|third|last|next|other|above|previous)\s+(?:\w{1,40})|this\s+"
    r"(?:pr|branch|file|function|line|test|bug|issue|commit|change|variable|one|script|ticket|task"
    r"|error|screen|page|button|session)|these\s+\w{1,40}s|my\s+(?:diff|changes?|branch|patch|commits?|pr|mr|code)"
    r"|you\s+just\s+(?:made|did|wrote|changed|added|showed|created)|i\s+(?:just\s+)?"
    r"(?:sent|pasted|made|wrote|pushed|merged|changed)|when\s+"
    r"(?:you(?:'re|\s+are)|i'm|i\s+am|it'?s)\s+(?:done|finished|ready|back)|whenever\s+you're"
    r"|once\s+(?:you're|that's|it's|done)|before\s+we\s+continue|an?\s+hour)\b"
)
#: Statements about today are of the moment, whatever else a sentence says.
THIS_DAY = _re(
    r"\b(?:(?<!as\sof\s)(?<!from\s)(?<!since\s)today|tomorrow|tonight|this\s+(?:morning|afternoon|evening))\b"
)
#: "Don't deploy, its friday": why not now.
AT_THIS_HOUR = _re(
    r"\bit'?s\s{1,4}(?:(?:almost|already|nearly|past|after)\s{1,4}){0,2}(?:\d{1,2}(?::\d\d)?\s{0,2}"
    r"(?:am|pm|o'?clock)?$|late|lunch|noon|midnight|evening|night|weekend|(?:mon|tues|wednes|thurs"
    r"|fri|satur|sun)day)\b"
)
#: What somebody works on, and how it looks: "review my diff", "still reads as if it were new".
MY_WORK = _re(
    r"\bmy\s+(?:diff|changes?|branch|patch|commits?|pr|mr)\b"
    r"|^still\s+(?:\w{2,20}(?<!s)s|\w{2,10}n'?t)\s"
)
#: A fault that began lately: "the board resets every 8 seconds since this morning"; what runs out.
ACTS_UP = _re(
    r"\b(?:has|have|got)\s+(?:only\s+)?\d[\d.,]{0,8}\s{0,2}[\w%]{1,10}\s+left\b|"
    r"\b(?:resets?|reboots?|restarts?|(?:dis|re)connects?|drops?|loses?|flickers?|stalls?|hangs?|freezes?"
    r"|crashes|fails?|breaks?|times?\s+out|leaks?|loops?|lags?|stutters?|overheats?|beeps?|blinks?|misses"
    r"|is\s+(?:slow|dead|down|gone|broken|offline|stuck|flaky))\b[^,;.]{0,60}\bsince\s+"
    r"(?:this\s+\w{1,12}|yesterday|today|last\s+(?:night|week|month|\w{3,6}day)|an?\s|(?:a\s+)?few\s|\d+\s"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:the|my|your|that)\s+(?:last\s|latest\s)?(?:update|upgrade|merge|commit|build|change|reboot|deploy))"
)
#: The state of the work, not of things.
STATUS = _re(
    r"\b(?:works?\s+(?:now|fine|great|again|like)"
    r"|(?:is|are|'s|was|were|looks?|seems?|feels?|got|gets|getting)\s+"
    r"(?:(?:still|now|all|also|just|completely|totally|a\s+bit|pretty|so|too|really|kind\s+of|not"
    r"|very|much|finally|almost)\s+)*"
    r"(?:broken|failing|wrong|missing|blank|empty|gone|good|fine|great|nice|perfect|better|ok"
    r"(?:ay)?|ready|done|finished|green|red|passing|off|weird|odd|strange|slow|stuck|back|there|it"
    r"|correct|right|enough|misaligned|cut\s+off|overlapping|clear|cool|awesome|interesting|funny"
    r"|annoying|confusing|undefined|null|not\s+working|working|in\s+the\s+way|too\s+\w{1,40})\s*"
    r"(?:[.,!?;]|$|\b(?:now|again|on|in|at|after|when|since|here|with|and)\b)"
    r"|\b(?:crash(?:es|ed|ing)|broke|hangs?|freezes?|typo|stack\s*trace|doesn'?t\s+"
    r"(?:work|do\s+anything|show|open|load|compile|build|start|help)|not\s+working|isn'?t\s+working"
    r"|is\s+(?:failing|crashing)|fail(?:s|ed)?\s*(?:$|[.,!]|with\b|again|now|on\s+(?:my|the|ci)))"
    r"|all\s+(?:the\s+)?tests\s+pass|tests?\s+(?:now\s+)?pass(?:es)?\b"
    r"|(?:sorted|shown|displayed|rendered|aligned|calculated|parsed)\s+(?:wrong|incorrectly|twice)"
    r"|(?:shows?|got|getting|get|see|seeing|gives?|throws?)\s+(?:me\s+)?"
    r"(?:an?|this|the|some|these|no)\s+(?:\w{1,40}\s+){0,3}"
    r"(?:error|exception|warning|500|404|old|wrong|value|failure)|merge\s+conflicts?|there"
    r"(?:'s|\s+is)\s+(?:a|an|still|another)\s+(?:\w{1,40}\s+)?"
    r"(?:failing|broken|missing|bug|typo|error|issue|problem|warning|mistake))\b"
)
I_DID = _re(
    r"^(?:we(?:'ve|\s+have)?\s+(?:(?:just|also|now|only|already|then|finally)\s+)*"
    r"(?:need|made|got|ran|saw|fixed|found|forgot|added|tried|tested|done|should)\b|i"
    r"(?:'ve|'m|'ll|'d|\s+am|\s+have|\s+will|\s+had)?\s+"
    r"(?:(?:just|also|now|only|already|still|then|finally|quickly|even)\s+)*"
    r"(?:did|made|got|ran|went|saw|put|reset|pushed|merged|updated|changed|added|removed|fixed"
    r"|restarted|checked|tried|tested|found|noticed|forgot|started|seen|done|get|see|test|need"
    r"|check|try|wonder|understand|know|guess|let|have\s+a\s+(?:look|bug|question|problem)|fix"
    r"|(?:want|like|love)\s+(?:to\s+(?!see\s+the\s+plan)|it|a|an)|'?m\s+not)\b"
    # Who needs it is not said: it is wanted now.
    r"|need\s+(?:an?|another|some|the|to)\b)"
)
QUESTION = _re(
    r"^(?:can|could|should|would|will|shall|do(?!\s+not|n)|does|did|is|are|was|were|isn't|aren't"
    r"|doesn't|don't\s+(?:we|you)|didn't|what|what's|why|how|where|when"
    r"(?=\s+(?:is|are|do|does|did|will|was))|which|who|any"
    r"(?=\s+(?:idea|news|chance|clue|thoughts?|update|progress|other|suggestions?)\b)"
    r"|have\s+you|has|may)\b"
)
SMALL_TALK = _re(
    r"^(?:thanks?|thank\s+you|looks?\s+good|lgtm|sounds?\s+good|never\s*mind|forget\s+it|good\s+"
    r"(?:morning|point|catch|idea|job)|got\s+it|makes?\s+sense|no\s+"
    r"(?:problem|worries|rush|idea|that'?s)|not\s+(?:bad|yet|now|sure|this\s+one)|don'?t\s+"
    r"(?:worry|bother)|hold\s+on|let\s+me|let'?s\s+"
    r"(?:see|move|continue|do\s+(?:it|that|this|the)|try|start|fix|debug|look|check|go\s+back|merge"
    r"|commit|wait|talk|discuss|test|run|get|take)|show\s+me|tell\s+me|give\s+me\s+a|always\s+"
    r"(?:the\s+same|happy|nice)|never\s+(?:seen|had|heard)|whatever|almost|close)\b"
)
GOES_ON = _re(
    r"\b(?:it|that|this|which|he|she|i|they|page|button|we)\s+(?:just\s+|almost\s+)?"
    r"(?:always|never)\s+(?!want|like|prefer|review|ask|use|commit|push|put|write|do\b|run|deploy"
    r"|merge|log|want\s+you|throw|import|mock|store|edit|touch|return|call|squash|rebase)\w{1,40}"
    r"|\balways\s+(?:the\s+same|fails?|get)\b|\b(?:can|could)\s+always\b|\bnever\s+"
    r"(?:mind|\w{1,40}ed\b|actually)|\b(?:function|method|class|command|server|build|test|field"
    r"|value)\s+(?:always|never)\s+\w{1,40}s\b|\b(?:are|is)\s+(?:never|always)\s+\w{1,40}"
    r"(?:ed|wn)\s+(?:to|in|on)\b|\b(?:was|were|been)\s+(?:always|never)\b"
)
#: A contrast of this moment: numbers, sides, options, one thing above another.
SMALL_CONTRAST = _re(
    r"\bthen,\s{1,4}not\b|\binstead\s+of\s+(?:\d+|the\s+(?:first|second|last|other)|this|that)\b|\b(?:make|use|set)\s+"
    r"(?:it\s+|this\s+)?\d+\b|\b(?:above|below|previous)\b\s*$|\b(?:option|the)\s+"
    r"(?:\d|first|second|third|other|one)\b|^replace\b|^change\b|^rename\b|^make\s+"
    r"(?:it|the|this|that)\b|^not\s+(?:this|that|the)\s+(?:one|other)|^not\s+(?:like\s+)?(?:this|that)(?=\s*(?:,|$))"
)
PREFERS_THIS = _re(
    r"\b(?:prefer|like|love|hate|want|dislike|rather|expect)\s+"
    r"(?:(?:to\s+(?!see\s+the\s+plan)\w{1,40}|you\s+to\b"
    r"|(?:see|add|have|do|implement|fix|change|know|try|go|build|make|create|use\s+the)\b"
    r"(?!\s+(?:the\s+plan|a\s+plan|\w{1,40}s\s+before)))"
    r"|(?:the|this|that|these|those|your)\s+\w{1,40}|it\b(?!\s+when)|this\b|that\b|them\b|a\s+"
    r"(?!failing\s+test)\w{1,40}|an\s+\w{1,40})"
)
DECIDES_NOTHING = _re(
    r"\b(?:team|customers?|clients?|boss|marketing|sales|finance)\s+(?:wants?|needs?|asked\s+for)\s+an?\s|"
    r"\b(?:option|approach|the\s+(?:first|second|third|other|next|last))\s*#?"
    r"(?:\d|[a-e]\b|one\b|option|approach)?\s*[.!]?$|^(?:let'?s|lets)\s+"
    r"(?:keep\s+(?:going|it|this|that)|go\s+(?:back|on|ahead|over|home)"
    r"|(?:use|go\s+with|skip|drop|put|split)\s+(?:it|that|this|the\s+(?:first|second|other))|put\s+"
    r"(?:it|this|that|the)\b)|^(?:we|i)(?:'ll|\s+will)\s+"
    r"(?:see|check|look|come|test|try|move|go|fix|talk|need|be)\b|^i(?:'ve|\s+have)?\s+"
    r"(?:dropped|switched|moved|replaced|kept|use|drop|support|store|keep|stay|merged)\b"
)
#: Holds until something changes, with a reason.
FOR_NOW = _re(
    r"^for\s+now\s+we\s+(?:stay|stick|keep|use|only|don't|dont|do\s+not)\b.{3,}\b"
    r"(?:because|since|until|as\s+long\s+as)\b"
)
JUST_HAPPENED = _re(
    r"\b(?:main|master|upstream|trunk|the\s+branch|it|they|somebody|someone)\s+(?:has\s+|have\s+)?"
    r"(?:just\s+)?(?:moved|changed|landed|broke|merged|pushed)\b"
)
#: Why something is as it is: "a hotel in lisbon complained", "auditors insisted".
HAPPENED = _re(
    r"^(?!(?:i|you|we|he|she|they)\s)(?:(?:the|our)\s+)?(?:[\w-]{2,20}\s+){1,3}?"
    r"(?:insisted|insists?(?!\s+on\s+you)|(?:asked\s+for|wants?|wanted|demanded|required)\s+(?:it|that|them|this)"
    r"(?:\s+(?:that\s+way|like\s+(?:that|this)|so))?)[\s.!]{0,3}$|"
    r"^(?:an?|one|two|some)\s+(?:[\w-]{2,20}\s+){1,4}"
    r"(?:complained|noticed|phoned|called|sued|left|quit|lost|paid|cancelled|asked|wrote)\b"
)
OF_MYSELF = _re(r"(?:i'll|i'm|i\s+will|i\s+am|i\s+can)\b")
#: "Note the typo", "careful, you have a bug there": about the code at hand.
OF_THE_CODE = _re(
    r"^(?:there(?:'s|\s+is)\s+an?|you\s+(?:have|made|forgot|missed)\s+(?:an?\s+|the\s+)?"
    r"(?:typo|bug|error|mistake)|the\s+\w{1,40}\s+test\b|also\b|can\b|could\b|i\b"
    r"(?!'m|\s+(?:use|work|am|have|prefer|always|never)))"
)
#: Only clear to those who were present.
OF_THIS = _re(
    r"^(?:it|this|that|here|i\s+think|something|somehow|the\s+(?:first|second|last|next)|see|we)\b"
)
ASKS_FOR = _re(
    r"\bplease\b|\bthat's\s+the\b|\b(?:is|are)\b|^(?:without|with|in|wrong|names?|one|small|no)\b"
    r"|^\S{1,80}\s+(?:only|first)\b"
)
#: Said while rejecting a call: postpones, and teaches nothing.
PUTS_OFF = _re(
    r"^(?:first\b|i'll|i\s+will|let\s+me|let's|lets|wait|not\s+now|one\s+moment|hold|explain\s+"
    r"(?:this|that|it)|show\s+me\s+(?:the\s+(?:diff|output|file|result)|what)|cancel|try\s+"
    r"(?:again|it)|continue|leave\s+it|go\s+(?:on|back)|stop|never\s*mind|commit\s+first|undo"
    r"|check\s+(?:the|if)|look\s+at|fix\s+the|run\s+(?:it|this|that)\b|tell\s+me|do\s+"
    r"(?:it|that|this)\s+(?:later|again|first))"
)
#: Not said of anything for certain.
PAST_OR_SUPPOSED = _re(
    r"^(?:let'?s|lets)\s+(?:say|assume|imagine|pretend|suppose)\b|^you\s+can\b"
    r"(?!'t|not|\s+only|\s+never)|^still\b|\b(?:it|that|this)\s+would\b|\bas\s+now\b|\bhas\s+"
    r"(?:the|an?)\s+(?:issue|problem|bug)\b|\b(?:right|or|no)\)?\s*$|\b"
    r"(?:every\s?time|whenever|each\s+time)\s+(?:i|it)\b|^i(?:'m|\s+am)\s+(?:now\s+|just\s+)?"
    r"(?:\w{1,40}ing|off|back|done|out)\b|^to\s+self\b|^if\s+it\s+turns\s+out\b|^"
    r"(?:fix(?:ed|es)?|add(?:ed|s)?|chore|feat|docs|refactor)(?:\([\w-]{1,60}\))?!?:\s|\b"
    r"(?:should|must|could|would)(?:n't|\s+not|\s+never)?\s+(?:never\s+)?have\s+"
    r"(?:been|\w{1,40}ed|\w{1,40}en|had|put|set|done|made|left|kept)\b|^always\s+"
    r"(?:happy|glad|nice|good|welcome)\b|^(?:we|i)\s+do\s+have\b"
)
HEDGED = _re(
    r"\b(?:might|maybe|perhaps|wonder(?:ing)?|not\s+sure|seems?|probably|i\s+figure|i\s+guess"
    r"|would\s+be\s+(?:great|nice|good)|could\s+be|sorry|anyway|ultrathink|i\s+think\s+what"
    r"|you\s+are\s+(?:not|currently)|somehow|feel\s+free)\b"
)
TORN = _re(
    r"^(?:[\"'),\]](?!\w[\w .-]{1,40}\"\s{1,3}(?:is|are|means)\s)|instead\s+of\s+[\"'])"
    r"|(?:[,(:]|\b(?:and|or|the|of|to|is))$"
)
DEMONSTRATIVE = _re(r"^(?:this|that|those|these|it|your|you\s+are|you're|i\s+(?:am|was))\b")
POINTS_AT = _re(r"\b(?:this|that|these|those|it|one|ones)\b")
