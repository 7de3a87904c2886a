"""Statements of the moment: one place, one time, the state of the work, questions and suppositions.

One sentence each, apostrophes straight, without case; linear in the sentence, repetitions are
bounded.
"""

from __future__ import annotations

from satchel.storage.kept_patterns import spoken

#: The moment: one place, one time, the work at hand.
NOW = spoken(
    r"\b(?:right now|(?<![\w/.-])(?:rn|atm)(?![\w/-])|for (?:now|the moment)|at the moment"
    r"|just now|this time|(?<!as\sof\s)(?<!from\s)(?<!since\s)today"
    r"|(?:only|just) for (?:this|the next) (?:week|month|quarter|sprint|release|year|demo|run)"
    r"|(?:only|just) this once|tomorrow|tonight|later|yet|meanwhile|in a (?:sec|minute|moment)"
    r"|still(?! (?:handles|serves|owns|sends|uses?|needs?|requires?|expects?|supports?|depends"
    r"|relies|runs? on))|already|first (?:one|two)|on line \d+|line \d+|step \d+"
    r"|(?:the|this|that) (?:first|second|third|last|next|other|above|previous) (?:\w{1,40})"
    r"|this (?:pr|branch|file|function|line|test|bug|issue|commit|change|variable|one|script"
    r"|ticket|task|error|screen|page|button|session)|these \w{1,40}s"
    r"|my (?:diff|changes?|branch|patch|commits?|pr|mr|code)"
    r"|you just (?:made|did|wrote|changed|added|showed|created)"
    r"|i (?:just )?(?:sent|pasted|made|wrote|pushed|merged|changed)"
    r"|when (?:you(?:'re| are)|i'm|i am|it'?s) (?:done|finished|ready|back)|whenever you're"
    r"|once (?:you're|that's|it's|done)|before we continue|an? hour)\b"
)
#: Statements about today are of the moment, whatever else a sentence says.
THIS_DAY = spoken(
    r"\b(?:(?<!as\sof\s)(?<!from\s)(?<!since\s)today|tomorrow|tonight"
    r"|this (?:morning|afternoon|evening))\b"
)
#: "We need an endpoint that ...", "so finish by thursday": what is to be made, and until when.
TO_BE_MADE = spoken(
    r"^(?:we|i)(?:'d)? (?:now |also )?(?:need|want|would like) (?:an?|another|one more) "
    r"(?:[\w-]{2,20} ){0,2}(?:endpoint|page|button|form|screen|script|function|component|class"
    r"|view|job|field|column|report|dialog|command|cli|migration|test|widget|module|chart)s?\b"
    r"|\b(?:finish|finished|done|ready|due|deliver|here) (?:it )?(?:by|until|before) "
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
)
#: "Don't deploy, its friday": why not now.
AT_THIS_HOUR = spoken(
    r"\bit'?s (?:(?:almost|already|nearly|past|after) ){0,2}"
    r"(?:\d{1,2}(?::\d\d)? ?(?:am|pm|o'?clock)?$|late|lunch|noon|midnight|evening|night|weekend"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
)
#: What somebody works on, and how it looks: "review my diff", "still reads as if it were new".
MY_WORK = spoken(
    r"\bmy (?:diff|changes?|branch|patch|commits?|pr|mr)\b"
    r"|^still (?:\w{2,20}(?<!s)s|\w{2,10}n'?t)\s"
)
#: A fault that began lately: "the board resets every 8 seconds since this morning"; what runs out.
ACTS_UP = spoken(
    # What is only seen by now: "frame drops in the lava level", "... dominates, suspicious".
    r"^(?:frame drops?|memory leaks?|(?:bad |heavy )?(?:lag|stutter|jank))\b"
    r"|[,;.] ?(?:(?:very|really|a bit|kinda|how|that'?s) )?"
    r"(?:suspicious|weird|strange|odd|fishy|hm+|huh)\W{0,4}$"
    # What is wanted: "rds needs a bigger disk in prod".
    r"|^(?!(?:every|each|all|any|an?|new|our|we|you|i)\b)(?:[\w./-]{1,40} ){1,4}?needs? an? "
    r"(?:bigger|better|larger|nicer) (?!.{0,80}\b(?:than|because|since"
    r"|otherwise|when|whenever|unless|before|after|for|to|or|if)\b)|"
    r"\b(?:has|have|got) (?:only )?\d[\d.,]{0,8} ?[\w%]{1,10} left\b"
    r"|\b(?:takes?|taking|took) (?:forever|ages|an eternity|(?:so|too|way too|very) long) ?[.!]*$"
    r"|\b(?:resets?|reboots?|restarts?|(?:dis|re)connects?|drops?|loses?|flickers?|stalls?|hangs?"
    r"|freezes?|crashes|fails?|breaks?|times? out|leaks?|loops?|lags?|stutters?|overheats?|beeps?"
    r"|blinks?|misses|is (?:slow|dead|down|gone|broken|offline|stuck|flaky))\b[^,;.]{0,60}\bsince "
    r"(?:this \w{1,12}|yesterday|today|last (?:night|week|month|\w{3,6}day)|an?\s|(?:a )?few\s"
    r"|\d+\s|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:the|my|your|that) (?:last\s|latest\s)?"
    r"(?:update|upgrade|merge|commit|build|change|reboot|deploy))"
)
#: The state of the work, not of things.
STATUS = spoken(
    r"\b(?:works? (?:now|fine|great|again|like)"
    r"|(?:is|are|'s|was|were|looks?|seems?|feels?|got|gets|getting) (?:(?:still|now|all|also|just"
    r"|completely|totally|a bit|pretty|so|too|really|kind of|not|very|much|finally|almost) )*"
    r"(?:broken|failing|wrong|missing|blank|empty|gone|good|fine|great|nice|perfect|better"
    r"|ok(?:ay)?|ready|done|finished|green|red|passing|off|weird|odd|strange|slow|stuck|back|there"
    r"|it|correct|right|enough|misaligned|cut off|overlapping|clear|cool|awesome|interesting|funny"
    r"|annoying|confusing|undefined|null|not working|working|in the way"
    r"|too \w{1,40}) ?(?:[.,!?;]|$|\b(?:now|again|on|in|at|after|when|since|here|with|and)\b)"
    r"|\b(?:crash(?:es|ed|ing)|broke|hangs?|freezes?|typo|stack ?trace"
    r"|doesn'?t (?:work|do anything|show|open|load|compile|build|start|help)|not working"
    r"|isn'?t working|is (?:failing|crashing)"
    r"|fail(?:s|ed)? ?(?:$|[.,!]|with\b|again|now|on (?:my|the|ci)))|all (?:the )?tests pass"
    r"|tests? (?:now )?pass(?:es)?\b"
    r"|(?:sorted|shown|displayed|rendered|aligned|calculated|parsed) (?:wrong|incorrectly|twice)"
    r"|(?:shows?|got|getting|get|see|seeing|gives?|throws?) (?:me )?(?:an?|this|the|some|these|no)"
    r" (?:\w{1,40} ){0,3}(?:error|exception|warning|500|404|old|wrong|value|failure)"
    r"|merge conflicts?|there(?:'s| is) (?:a|an|still|another) (?:\w{1,40} )?"
    r"(?:failing|broken|missing|bug|typo|error|issue|problem|warning|mistake))\b"
)
I_DID = spoken(
    r"^(?:we(?:'ve| have)? (?:(?:just|also|now|only|already|then|finally) )*(?:need|made|got|ran"
    r"|saw|fixed|found|forgot|added|tried|tested|done|should)\b"
    r"|i(?:'ve|'m|'ll|'d| am| have| will| had)? "
    r"(?:(?:just|also|now|only|already|still|then|finally|quickly|even) )*(?:did|made|got|ran|went"
    r"|saw|put|reset|pushed|merged|updated|changed|added|removed|fixed|restarted|checked|tried"
    r"|tested|found|noticed|forgot|started|seen|done|get|see|test|need|check|try|wonder|understand"
    r"|know|guess|let|have a (?:look|bug|question|problem)|fix"
    r"|(?:want|like|love) (?:to (?!see the plan)|it|a|an)|'?m not)\b"
    # Who needs it is not said: it is wanted now.
    r"|need (?:an?|another|some|the|to)\b)"
)
QUESTION = spoken(
    r"^(?:can|could|should|would|will|shall|do(?! not|n)|does|did|is|are|was|were|isn't|aren't"
    r"|doesn't|don't (?:we|you)|didn't|what|what's|why|how|where"
    r"|when(?= (?:is|are|do|does|did|will|was))|which|who"
    r"|any(?= (?:idea|news|chance|clue|thoughts?|update|progress|other|suggestions?)\b)|have you"
    r"|has|may)\b"
)
SMALL_TALK = spoken(
    r"^(?:thanks?|thank you|looks? good|lgtm|sounds? good|never ?mind|forget it"
    r"|good (?:morning|point|catch|idea|job)|got it|makes? sense"
    r"|no (?:problem|worries|rush|idea|that'?s)|not (?:bad|yet|now|sure|this one)"
    r"|don'?t (?:worry|bother)|hold on|let me|let'?s (?:see|move|continue|do (?:it|that|this|the)"
    r"|try|start|fix|debug|look|check|go back|merge|commit|wait|talk|discuss|test|run|get|take)"
    r"|show me|tell me|give me a|always (?:the same|happy|nice)|never (?:seen|had|heard)|whatever"
    r"|almost|close)\b"
)
GOES_ON = spoken(
    r"\b(?:it|that|this|which|he|she|i|they|page|button|we) (?:just |almost )?"
    r"(?:always|never) (?!want|like|prefer|review|ask|use|commit|push|put|write|do\b|run|deploy"
    r"|merge|log|want you|throw|import|mock|store|edit|touch|return|call|squash|rebase)\w{1,40}"
    r"|\balways (?:the same|fails?|get)\b|\b(?:can|could) always\b"
    r"|\bnever (?:mind|\w{1,40}ed\b|actually)|\b"
    r"(?:function|method|class|command|server|build|test|field|value) (?:always|never) \w{1,40}s\b"
    r"|\b(?:are|is) (?:never|always) \w{1,40}(?:ed|wn) (?:to|in|on)\b"
    r"|\b(?:was|were|been) (?:always|never)\b"
)
#: A contrast of this moment: numbers, sides, options, one thing above another.
SMALL_CONTRAST = spoken(
    r"\bthen, not\b|\binstead of (?:\d+|the (?:first|second|last|other)|this|that)\b"
    r"|\b(?:make|use|set) (?:it |this )?\d+\b|\b(?:above|below|previous)\b ?$"
    r"|\b(?:option|the) (?:\d|first|second|third|other|one)\b|^replace\b|^change\b|^rename\b"
    r"|^make (?:it|the|this|that)\b|^not (?:this|that|the) (?:one|other)"
    r"|^not (?:like )?(?:this|that)(?= ?(?:,|$))"
)
PREFERS_THIS = spoken(
    r"\b(?:prefer|like|love|hate|want|dislike|rather|expect) (?:(?:to (?!see the plan)\w{1,40}"
    r"|you to\b|(?:see|add|have|do|implement|fix|change|know|try|go|build|make|create|use the)\b"
    r"(?! (?:the plan|a plan|\w{1,40}s before)))|(?:the|this|that|these|those|your) \w{1,40}"
    r"|it\b(?! when)|this\b|that\b|them\b|a (?!failing test)\w{1,40}|an \w{1,40})"
)
DECIDES_NOTHING = spoken(
    r"\b(?:team|customers?|clients?|boss|marketing|sales|finance) (?:wants?|needs?|asked for) "
    r"an?\s|\b(?:option|approach|the (?:first|second|third|other|next|last)) ?#?"
    r"(?:\d|[a-e]\b|one\b|option|approach)? ?[.!]?$"
    r"|^(?:let'?s|lets) (?:keep (?:going|it|this|that)|go (?:back|on|ahead|over|home)"
    r"|(?:use|go with|skip|drop|put|split) (?:it|that|this|the (?:first|second|other))"
    r"|put (?:it|this|that|the)\b)"
    r"|^(?:we|i)(?:'ll| will) (?:see|check|look|come|test|try|move|go|fix|talk|need|be)\b"
    r"|^i(?:'ve| have)? (?:dropped|switched|moved|replaced|kept|use|drop|support|store|keep|stay"
    r"|merged)\b"
)
#: Holds until something changes, with a reason.
FOR_NOW = spoken(
    r"^for now we (?:stay|stick|keep|use|only|don't|dont"
    r"|do not)\b.{3,}\b(?:because|since|until|as long as)\b"
)
JUST_HAPPENED = spoken(
    r"\b(?:main|master|upstream|trunk|the branch|it|they|somebody|someone) (?:has |have )?"
    r"(?:just )?(?:moved|changed|landed|broke|merged|pushed)\b"
)
#: Why something is as it is: "a hotel in lisbon complained", "auditors insisted".
HAPPENED = spoken(
    r"^(?!(?:i|you|we|he|she|they)\s)(?:(?:the|our) )?(?:[\w-]{2,20} ){1,3}?(?:insisted"
    r"|insists?(?! on you)|(?:asked for|wants?|wanted|demanded|required) (?:it|that|them|this)"
    r"(?: (?:that way|like (?:that|this)|so))?)[\s.!]{0,3}$"
    r"|^(?:an?|one|two|some) (?:[\w-]{2,20} ){1,4}(?:complained|noticed|phoned|called|sued|left"
    r"|quit|lost|paid|cancelled|asked|wrote)\b"
)
OF_MYSELF = spoken(r"(?:i'll|i'm|i will|i am|i can)\b")
#: "Note the typo", "careful, you have a bug there": about the code at hand.
OF_THE_CODE = spoken(
    r"^(?:there(?:'s| is) an?"
    r"|you (?:have|made|forgot|missed) (?:an? |the )?(?:typo|bug|error|mistake)"
    r"|the \w{1,40} test\b|also\b|can\b|could\b"
    r"|i\b(?!'m| (?:use|work|am|have|prefer|always|never)))"
)
#: Only clear to those who were present.
OF_THIS = spoken(
    r"^(?:it|this|that|here|i think|something|somehow|the (?:first|second|last|next)|see|we)\b"
)
ASKS_FOR = spoken(
    r"\bplease\b|\bthat's the\b|\b(?:is|are)\b|^(?:without|with|in|wrong|names?|one|small|no)\b"
    r"|^\S{1,80} (?:only|first)\b"
)
#: Said while rejecting a call: postpones, and teaches nothing.
PUTS_OFF = spoken(
    r"^(?:first\b|i'll|i will|let me|let's|lets|wait|not now|one moment|hold"
    r"|explain (?:this|that|it)|show me (?:the (?:diff|output|file|result)|what)|cancel"
    r"|try (?:again|it)|continue|leave it|go (?:on|back)|stop|never ?mind|commit first|undo"
    r"|check (?:the|if)|look at|fix the|run (?:it|this|that)\b|tell me"
    r"|do (?:it|that|this) (?:later|again|first))"
)
#: Not said of anything for certain.
PAST_OR_SUPPOSED = spoken(
    r"^(?:let'?s|lets) (?:say|assume|imagine|pretend|suppose)\b|^you can\b(?!'t|not| only| never)"
    r"|^still\b|\b(?:it|that|this) would\b|\bas now\b|\bhas (?:the|an?) (?:issue|problem|bug)\b"
    r"|\b(?:right|or|no)\)? ?$|\b(?:every ?time|whenever|each time) (?:i|it)\b"
    r"|^i(?:'m| am) (?:now |just )?(?:\w{1,40}ing|off|back|done|out)\b|^to self\b"
    r"|^if it turns out\b"
    r"|^(?:fix(?:ed|es)?|add(?:ed|s)?|chore|feat|docs|refactor)(?:\([\w-]{1,60}\))?!?:\s"
    r"|\b(?:should|must|could|would)(?:n't| not| never)? (?:never )?have (?:been|\w{1,40}ed"
    r"|\w{1,40}en|had|put|set|done|made|left|kept)\b|^always (?:happy|glad|nice|good|welcome)\b"
    r"|^(?:we|i) do have\b"
)
#: What to think of, not how it is: "we should keep in mind that the user might use git stash".
ONLY_MIGHT = spoken(r"^we should\b.{1,120}\b(?:might|may|could) (?!not\b)\w")
HEDGED = spoken(
    r"\b(?:might|maybe|perhaps|wonder(?:ing)?|not sure|seems?|probably|i figure|i guess"
    r"|would be (?:great|nice|good)|could be|sorry|anyway|ultrathink|i think what"
    r"|you are (?:not|currently)|somehow|feel free)\b"
)
TORN = spoken(
    r"^(?:[\"'),\]](?!\w[\w\s.-]{1,40}\" (?:is|are|means)\s)|instead of [\"'])"
    r"|(?:[,(:]|\b(?:and|or|the|of|to|is))$"
)
DEMONSTRATIVE = spoken(r"^(?:this|that|those|these|it|your|you are|you're|i (?:am|was))\b")
POINTS_AT = spoken(r"\b(?:this|that|these|those|it|one|ones)\b")
