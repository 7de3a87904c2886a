"""Patterns of questions, orders and pasted text in passing, whatever their form.

One sentence each, linear in the sentence.
"""

from __future__ import annotations

from satchel.application.learning.signals.speech.lazy_pattern import LazyPattern

_re = LazyPattern

#: A question whatever follows: "how does the template get its input".
ASKS = _re(
    r"(?:how\s{1,4}(?:(?:i|we)\s{1,4}(?:can|could|do|should)|does|do|did|is|are|was|were|can|could|should|would|many|much|long|often)|what"
    r"(?:'?s|\s{1,4}(?:is|are|was|were|does|do|did|happens|ends))"
    r"|where(?:'s|\s{1,4}(?:is|are|was|were|does|do|did))|who(?:'s|\s{1,4}(?:is|was|are))"
    r"|which\s{1,4}(?:is|are|one|of\s{1,4}(?:the|these|those|them))\b|which\s{1,4}\w{1,40}\s{1,4}(?:is|was|are|do|does|did|should)"
    r"|i\s{1,4}(?:do\s{1,4}|just\s{1,4})?wonder\s{1,4}(?:if|whether|why|how|what)"
    r"|why\s{1,4}(?:is|are|was|were|do(?!\s{1,4}(?:you|u)\b)|does|did|not|must|should|would|can'?t|won'?t|has|have)|what\s{1,4}(?:if|about)|how\s{1,4}about"
    r"|(?:can|could|would|will|do|does|did)\s{1,4}(?:you|ya|u|we|i|they)"
    r"|(?:is|are|was|were|has|have|does|did)\s{1,4}(?:there|it|this|that|these|the|we|you|they|anyone|anybody|any)"
    r"|(?:is|are)\s{1,4}[^,;.]{1,60}\s{1,4}(?:still|or)\s[^,;.]{1,60}"
    r"|(?:does|did|doesn'?t|didn'?t|isn'?t|aren'?t|wasn'?t|weren'?t)\s{1,4}[^\s,;.]+"
    r"|(?:is|are|was|were)\s{1,4}[^,;.]{1,60}\s{1,4}(?:an?\s{1,4}option|possible|allowed|ok(?:ay)?|enough"
    r"|supported|available|done|working|deployed|merged|covered|tested|needed|necessary|normal)$)\b"
)
#: "Stripe events don't show up any more, what was the thing again".
ASKS_BACK = _re(
    r",\s{1,4}(?:and\s{1,4})?(?:whats|(?:what|how|where|who|why)\s{1,4}"
    r"(?:was|were|is|did|do|does|should))\b[^,.;:]{0,60}$"
)
#: Nobody knows it for certain: "i remember 7 cent or so".
RECALLED = _re(r"^i\s{1,4}(?:believe|remember|guess|suppose|assume)\s(?!to\b)")
#: Does without something this once: "no linter then", "no caching".
WITHOUT_IT = _re(
    r"^no\s{1,4}(?:more\s{1,4}questions?\b"
    r"|(?:[\w-]{1,40}\s{1,4}){1,3}?(?:then|yet|for\s{1,4}(?:that|this|it)"
    r"|(?:in|on|at)\s{1,4}this\s{1,4}(?!repo|project|code|team|app\b)\w{1,40}(?:\s\w{1,40})?)\W{0,3}$"
    r"|(?:[\w-]{1,40}\s{1,4}){1,2}yet\b)"
)
#: Answers what the agent said: "ok then no caching".
REPLIES_NO = _re(
    r"^(?:(?:ok(?:ay)?|ah|oh|yes|yeah|right|fine|hm+|well|then|alright)\b[\s,]{1,4}){1,4}no\s{1,4}[\w-]{1,40}\W{0,3}$"
)
#: Follows a report of a current problem, to be looked into.
LOOK_INTO = _re(
    # "Put it behind /admin": the sentence before is a request.
    r"(?:please\s{1,4})?(?:put|add|make|build|write|do|expose|place|call|name|show)\s{1,4}"
    r"(?:it|that|this|them)\b|(?:(?:please|pls|can\s{1,4}you|could\s{1,4}you|and|so|let'?s)\s{1,4}){0,3}"
    r"(?:(?:take|have)\s{1,4}a\s{1,4}look|look\s{1,4}(?:at|into)|check\b|fix\b|find\s{1,4}out"
    r"|investigate|debug|figure\s{1,4}out|see\s{1,4}(?:if|why|what|whether)|any\s{1,4}ideas?|why\b"
    r"|what(?:'?s|\s{1,4}is)\s{1,4}(?:wrong|going\s{1,4}on|up))\b"
)
#: A program's error message, pasted into a sentence.
ERROR_TEXT = _re(
    r"(?-i:\b\w*(?:Error|Exception)|\bnpm\s+ERR!|^(?:fatal|panic)|\berror"
    r"(?:\s+TS\d+|\[E\d+\])?)\s{0,2}:\s{1,3}\S"
    r"|\bnpm\s+ERR!"
    r"|\b(?:returns?|gives?|throws?|gets?)\s{1,4}(?:an?\s{1,4})?[45]\d\d\s{1,4}"
    r"(?:invalid|unauthori[sz]ed|forbidden|internal|bad|not\s{1,4}found|error|timeout)\b"
    r"(?!.{0,80}\b(?:when|if|for|unless)\b)"
)
#: Something to make or do once, even if it then happens "every" time.
ORDERS = _re(
    # "Always" and "never" make a rule.
    r"^(?!.{0,400}\b(?:always|never|from\s{1,4}now\s{1,4}on|in\s{1,4}future|(?:each|every)\s{1,4}time)\b)"
    r"(?:(?:ok(?:ay)?|now|and|then|next|so|please|pls)[\s,]{1,4}){0,3}(?:"
    r"(?:create|build|scaffold|generate|implement|draft)\s{1,4}(?:an?|the|some|another|us|me)\b"
    r"|rename\s{1,4}\S{1,60}\s{1,4}(?:to|into|as)\s{1,4}\S{1,60}"
    r"(?:\s{1,4}(?:everywhere|in\s{1,4}(?:the|this|all|both|these)\b.{0,60}))?\W{0,3}$"
    r"|(?:use|take)\s{1,4}the\b[^;]{1,80}\bto\s{1,4}(?:fill|seed|test|build|make|find|fix|check|get|draw|show)\b"
    r"|cover\s{1,4}the\b[^;.]{1,80}\bwith\s{1,4}tests\W{0,3}$"
    r"|run\s{1,4}(?:pytest|npm|yarn|pnpm|make|cargo|go|docker|git)\b[^,;]{0,20}\s\S{0,60}/\S{1,60}$"
    r"|(?:stop|start|restart|kill)\s{1,4}the\s{1,4}(?:\w{1,20}\s{1,4}){0,2}"
    r"(?:server|container|process|app|watcher|job|build|vm|emulator)\W{0,3}$"
    r"|do\s{1,4}(?:the|it|that|this)\b"
    r"|(?:write|add)\s{1,4}(?:an?|the|some|more|unit|integration|e2e)\s(?!.{0,400}\b(?:every|each|any|when\w*|before|first|if)\b)"
    r"|(?:tell|show|give)\s{1,4}me\s{1,4}(?:which|what|how|where|why|whether|who|the)\s"
    r"(?!.{0,400}\b(?:when\w*|before|if|first)\b)"
    r"|tell\s{1,4}me\s{1,4}(?:what|who|which\s{1,4}\w{1,20})\s{1,4}(?:would|could|might|happens|breaks)\b"
    r"|(?:kindly\s{1,4})?(?:check|see|find\s{1,4}out|look)\s{1,4}(?:why|what|how|where|who)\b)"
    # Which place is meant, what goes on, where somebody is, and what is asked for or laughed at.
    r"|^(?:no[,\s]{1,4})?not\s{1,4}(?:there|here|that\s{1,4}one|this\s{1,4}one|so)\b"
    r"|^(?:no[,\s]{1,4}){0,2}not\s{1,4}(?:that|this|the)\s{1,4}(?:[\w-]{1,30}\s{1,4}){0,2}[\w-]{1,30},\s{1,4}(?:the|that|this)\s{1,4}(?:[\w-]{1,30}\s{1,4}){1,3}one\W{0,3}$|^always\s{1,4}(?:an?|the|nice|happy|glad|good|great|fun)\b"
    r"|^(?:continue|go\s{1,4}on|carry\s{1,4}on|proceed)\b|^(?:oh\s{1,4})?i(?:'?m|\s{1,4}am)\s{1,4}not\s{1,4}(?:in|on|at)\b"
    r"|^(?:you|u)\s{1,4}(?:still\s{1,4})?(?:keep|kept)\s{1,4}(?:asking|saying|getting|failing|missing)\b|^(?:something|smth)\s{1,4}(?:is|seems|looks|feels)\b|,\s{1,4}(?:can|could)\s{1,4}(?:you|u)\s{1,4}\w{2,20}\s{1,4}(?:it|that|them)\W{0,3}$"
    r"|\b(?:haha\w{0,9}|lol|lmao)\W{0,3}$"
    r"|^(?:drop|remove|take\s{1,4}out|add|bring\s{1,4}back|put\s{1,4}back)\s{1,4}the\b[^,;]{1,60}\bagain\b"
    # What points back at something that was said, and what a ticket is about.
    r"|\b(?:because|cause|bc)\s{1,4}of\s{1,4}(?:that|this|it)\W{0,3}$|^no\s{1,4}[\w-]{2,30}\s{1,4}like\s{1,4}(?:that|this)\b"
    r"|^no\s{1,4}[\w-]{2,30}(?:\s[\w-]{2,30})?,\s{1,4}keep\s{1,4}(?:it|this|that)\s{1,4}\w{2,20}\W{0,3}$"
    r"|,\s{1,4}we\s{1,4}(?:had|did)\s{1,4}(?:this|that)(?:\s{1,4}\w{2,20}){0,2}\W{0,3}$"
    r"|^(?!.{0,400}\b(?:always|never|from\s{1,4}now\s{1,4}on)\b)(?:[a-z]{2,8}-\d{1,6}|\#\d{1,6})\s{0,2}[,:]\s"
    r"|^(?:start|begin)\s{1,4}with\s{1,4}(?:the\s|\S{1,60}/\S|\S{1,40}\.\w{1,4}\W{0,2}$)"
    r"|^(?:the\s{1,4})?(?:file|log|logs|trace|dump|screenshots?|output|plan|ticket|mail|spec|csv|branch|pr)\s{1,4}(?:is|are)\s{1,4}"
    r"(?:in|at|on|here|attached|called|below|above)\b(?!.{0,400}\b(?:always|every|each)\b)"
    # "... and tell me if it got slower", "i need the fix by then".
    r"|\band\s{1,4}(?:tell|show|ask)\s{1,4}me\s{1,4}(?:in\s{1,4}[^,;.]{1,40}\s{1,4})?(?:if|what|whether|how|which|where|why)\b"
    r"|\b(?:and|then)\s{1,4}let\s{1,4}(?:me|us)\s{1,4}(?:see|look|check|try|test|play\w{0,4}|know)\b"
    r"|[:,]\s{1,4}(?:please\s{1,4}|pls\s{1,4})?fix\s{1,4}(?:it|that|this)\W{0,3}$"
    r"|^(?:do\s{1,4}not|do\s?n'?t)\s{1,4}\w{1,20}\b[^,;.]{0,40}[,;.]\s{1,4}(?:just|only)\b.{0,200}?\bi\s{1,4}(?:want|need|'?d\s{1,4}like)"
    r"\s{1,4}to\s{1,4}(?:see|read|look|check)\b"
    r"|^(?:the|our|their)\s{1,4}[\w-]{1,30}(?:\s[\w-]{1,30})?\s{1,4}(?:is|are)\s{1,4}down\W{0,3}$"
    # One part of it, one thing, one moment.
    r"|^(?:please\s{1,4}|pls\s{1,4})?put\s{1,4}(?:it|that|this|them)\s{1,4}(?:behind|under|below|above|into|in|on|next)\s{1,4}\S{1,60}\W{0,3}$"
    r"|^(?:re-?)?run\s{1,4}(?:just|only)\b|^(?:please\s{1,4}|pls\s{1,4})?(?:translate|reproject|convert|rewrite|shorten|summari[sz]e|explain"
    r"|review|reformat|merge|sort|crop|resize|render|plot|draw)\s{1,4}(?:this|these)\b(?!.{0,400}\b(?:always|never|every|each)\b)"
    r"|^option\s{1,4}[a-e\d]\b|\bbe\s{1,4}quick\W{0,3}$|\bdo\s{1,4}(?:that|this|it)\s{1,4}(?:first\W{0,3}$|before\s{1,4}the\s{1,4}(?:rest|others?)\b)"
    r"|^i(?:'?m|\s{1,4}am)\s{1,4}\w{2,20}ing\b.{0,60}?\bat\s{1,4}\d"
    r"|^let'?s\s{1,4}(?:park|skip|leave|postpone|drop)\b.{0,200}?\band\s{1,4}do\b.{0,60}?\bfirst\b"
    r"|,\s{1,4}(?:search|find|look|check)\s{1,4}(?:where|why|what|which)\b|,\s{1,4}what\s{1,4}would\s{1,4}you\s{1,4}(?:say|do)\W{0,3}$"
    r"|\bhypothetically\b|^if\b.{1,60}?\bdidn'?t\s{1,4}exist\b"
    # At another place, by somebody else.
    r"|\b(?:in|at)\s{1,4}my\s{1,4}(?:previous|old|last|former|first)\s{1,4}(?:company|job|team|place|shop|employer|school)\b"
    r"|^(?:someone|somebody|people|some\s{1,4}(?:guy|people|folks)|one\s{1,4}\w{2,20})\b.{0,40}?\b(?:reckons?|claims?|swears?|insists?|argues?|thinks?|asked\s{1,4}me)\b"
    # How it once was.
    r"|^(?:we|i|they)\s{1,4}used\s{1,4}to\b(?!.{0,400}\b(?:now|so|but|instead|since|until|any\s?more|don'?t)\b)"
    r"|^back\s{1,4}then\b|\bback\s{1,4}then\W{0,3}$"
    r"|\bi\s{1,4}need\s{1,4}(?:the|it|that|this)\b.{0,40}\b(?:by|before|until|at)\b|[,;]\s{1,4}i\s{1,4}meant\b"
    r"|^we\s{1,4}(?:only\s{1,4})?have\s{1,4}(?:\d{1,3}|an?|one|two)\s{1,4}(?:minutes?|mins?|hours?|days?)\b"
    r"|^(?:the\s{1,4})?(?:tests?|build|ci|pipeline|suite)\s{1,4}(?:is|are|was|were)\s{1,4}(?:green|red|passing|failing|broken|ok|back)\b"
    r"(?!.{0,400}\b(?:when|if|unless|until)\b)|\bin\s{1,4}(?:these|those)\s{1,4}(?:\w{1,10}\s{1,4})?(?:files|places|tests|modules|classes|functions)\W{0,3}$"
    r"|[,;]\s{1,4}(?:review|look|check|merge|hold\s{1,4}on|one\s{1,4}sec(?:ond)?|brb)(?:\s{1,4}(?:please|pls))?\W{0,3}$"
    r"|^(?:the\s{1,4})?(?:ci|logs?|output|console|terminal|linter|compiler|tsc|mypy|pytest|eslint|sonar)\s{1,4}"
    r"(?:says|shows|prints|reports|complains)\b"
    r"|\b(?:do|does|did)(?:n'?t|\s{1,4}not)\s{1,4}(?:load|work|start|show(?:\s{1,4}up)?|open|respond|render"
    r"|connect|build|compile)\s{1,4}any\s{0,1}more\W{0,3}$"
    # Something still to be built: "the job needs a retry when the api answers 429".
    r"|^(?:the|this|that|our|my|it)\b[^,;.]{0,40}?\s{0,4}\bneeds\s{1,4}(?:an?|some|more|another)\s{1,4}(?:\w{1,20}\s{1,4})?"
    r"(?:retry|retries|button|field|column|tests?|check|validation|endpoint|page|icon|loader|spinner|footer"
    r"|filter|sort(?:ing)?|search|export|import|log(?:ging)?|metric|timeout|guard|fix|refactor(?:ing)?|rename|cleanup"
    r"|migration|docstring|comment|description|link|tooltip)\b"
    # While somebody works on it, what points at nothing, and what somebody has to do.
    r"|\bwhile\s{1,4}(?:i|we|you)(?:'?m|'?re|\s{1,4}am|\s{1,4}are)\s{1,4}\w{2,20}ing\b"
    r"|\bones\b[^;.]{1,60}\b(?:that|this)\s{1,4}way\W{0,3}$|^my\s{1,4}(?:to-?dos?|tasks?|plan)\b"
    r"|^(?:(?:no|nah|nein)[,\s]{1,4})?(?:not|nicht)\s{1,4}(?:in|on|at|im|auf)\s{1,4}[\w./-]{1,40},\s{1,4}"
    r"(?:im\s{1,4}|in\s{1,4}|auf\s{1,4})?[\w./-]{1,40}$"
    r"|^the\s{1,4}(?:[\w./-]{1,40}\s{1,4}){1,4}thing\b(?!.*\b(?:is|are|was|has|needs?|must)\b)"
    r"|\btake\s{1,4}(?:mine|theirs|ours|yours)\W{0,3}$|\bi\s{1,4}(?:think|guess)\W{0,3}$|^line\s{1,4}\d"
    # "The problem is that nginx buffers" tells what was found.
    r"|^(?:the|one|another)\s{1,4}(?:advantage|idea|flow|plan|option|question)\s{1,4}is\b"
    r"|^(?:the|one|another)\s{1,4}(?:advantage|idea|flow|plan|option|problem|downside|upside|risk|catch)\s{1,4}"
    r"(?:would|could|might)\s{1,4}be\b"
)
#: Asks for a step, refers to what was just said, or says how a text still reads.
OF_THE_TASK = _re(
    # "Export bug: ...", "put it at 30, no 45", "change it everywhere", what one can never remember.
    r"^(?:the\s{1,4})?(?:[\w-]{1,20}\s{1,4}){0,3}bug:\s(?!.{0,400}\b(?:always|never|every)\b)|"
    r"^(?!.{0,400}\b(?:always|never|from\s{1,4}now\s{1,4}on)\b).{1,80}\d\S{0,8},\s{1,4}(?:no|nah|nein|nee|wait"
    r"|sorry|actually),?\s{1,4}(?:\w{1,10}\s{1,4})?\S{0,3}\d|"
    r"^(?:(?:please|pls|and|then|now|just|ok(?:ay)?)[\s,]{1,4}){0,3}(?:change|rename|replace|update|fix|do"
    r"|apply|swap|move|remove|delete)\s{1,4}(?:it|that|this|them|those)\s{1,4}everywhere\W{0,3}$|"
    r"^i\s{1,4}(?:always|never|can\s?never|constantly|keep)\s{1,4}(?:forget(?:ting)?|mix(?:ing)?|confus(?:e|ing)"
    r"|misremember|remember(?:ing)?|have\s{1,4}to\s{1,4}(?:google|look))\b|"
    # What it does just now, and what is wrong with one thing.
    r"^(?:(?:wtf|omg|argh+|ugh|huh|hey|uh+|lol|what\s{1,4}the\s{1,4}\w{1,10})\b[\s,.!?]{0,4})?"
    r"(?:it|this|that)(?:'?s|\s{1,4}is)\s{1,4}(?:now\s{1,4}|still\s{1,4}|just\s{1,4})?"
    r"(?!being\b|missing\b)\w{2,20}ing\b(?!.{0,200}\b(?:because|instead|always|never)\b)|"
    r"^(?:the|this|that|my|your)\b[^,;.]{1,60}\bis\s{1,4}(?:still\s{1,4})?off\s{1,4}by\b|"
    r"^(?:the|this|that|my|your)\b[^;.]{1,60}\b(?:is|are)\s{1,4}(?:wrong|broken|down|red|empty|failing|stuck"
    r"|slow|missing|flaky|off|gone|back\s{1,4}to\s{1,4}failing)\s{1,4}again\b|"
    # What somebody has to do next, and a number that is another one now.
    r"^i\s{1,4}(?:need|have|want|would\s{1,4}like|am\s{1,4}going)\s{1,4}to\s{1,4}"
    r"(?:change|add|fix|write|update|move|rename|remove|make|build|finish|implement|refactor|deploy|merge"
    r"|push|test|split|replace|migrate|set|clean)\b(?!.{0,400}\b(?:always|every|each|never|before|when\w*)\b)|"
    r"^(?:retry|change|set|bump|raise|lower|wait|limit|make|increase|decrease|reduce)\b[^,;.]{1,80}\b"
    r"(?:instead\s{1,4}of|rather\s{1,4}than)\s{1,4}(?:\d+|one|two|three|four|five|six|ten|twenty)\b|"
    # What somebody did for the task, and what they do not care about.
    r"^i(?:'ve|\s{1,4}have)?\s{1,4}(?:just\s{1,4}|already\s{1,4}|now\s{1,4})?(?:put|added|pushed|uploaded|attached"
    r"|created|opened|fixed|reverted|rebased|merged|updated)\s(?!.{0,200}\b(?:always|never|so\s{1,4}that)\b)|"
    r"^i\s{1,4}(?:don'?t|do\s{1,4}not)\s{1,4}(?:really\s{1,4}|much\s{1,4})?care\b|"
    r"^(?:(?:ok(?:ay)?|so|right)[\s,]{1,4}){0,3}(?:the|my)\s{1,4}plan(?:\s{1,4}(?:now|here|today))?"
    r"\s{0,4}(?::|is\s{1,4}to\b)(?=.{0,200}\bthen\b)|"
    r"^the\s{1,4}(?:flaky|failing|broken|slow|wrong|missing|new)\s{1,4}(?:\w{1,20}\s{1,4}){1,3}is\s{1,4}\S{1,60}$|"
    r"^(?:(?:hm+|oh|huh|ok(?:ay)?|but|and)[\s,]{1,4})?(?:the|this|that|it)\b[^,;.]{0,60}\bnow\s{1,4}(?:returns?|gives?|throws?|fails?|answers|crashes|hangs)\b"
    r"(?!.{0,100}\b(?:instead|always|never|because|so)\b)|"
    # Somebody wants something built.
    r"^(?:the\s{1,4})?(?:\w{1,20}\s{1,4}){0,2}(?:team|people|folks|customers?|clients?|boss|users)\s{1,4}"
    r"(?:needs?|wants?|would\s{1,4}like|asked\s{1,4}for)\s{1,4}(?:an?|the)\s(?!.{0,200}\b(?:when|before|every"
    r"|always|after|if|by\s{1,4}law)\b)|"
    r"^(?:ok(?:ay)?[\s,]{1,4})?(?:next|todo|now)(?:\s{1,4}(?:up|one|task|step|thing))?\s{0,4}[:,]|"
    r"^there(?:'?s|\s{1,4}is|\s{1,4}are)\s{1,4}(?:an?|another|some|still)\s{1,4}"
    r"(?:\w{1,40}\s{1,4}){0,2}(?:bug|typo|error|issue|problem)s?\b|"
    # What the agent did: what it is to do, the sentence does not say.
    r"^(?:(?:hm+|huh|uh+|hey|argh+|ugh)\b[\s,.!]{0,4})you\s{1,4}(?:just\s{1,4})?"
    r"(?!should|need|must|have|always|never)\w{1,20}ed\b"
    r"(?!.{0,200}\b(?:always|never|should|must|instead|we)\b)|"
    r"^(?!.{0,400}\b(?:always|every|each|never|when\w*|before|after)\b).{0,200}\b"
    r"(?:write|give|show|get|send|fetch|find)\s{1,4}me\s{1,4}(?:an?|the|some|all)\b|"
    r"^(?:please\s+)?\w+\s+(?:them|these|those)\s+(?:but|and)\b|^still\s+"
    r"(?:reads?|looks?|says?|shows?|sounds?|feels?|gets?|gives?)\b"
    r"|\bso\s+(?:that\s+)?(?:i|we|you|they)\s+can\s+"
    r"(?:choose|decide|compare|discuss|make\s+an?\s+(?:choice|decision))\b"
    r"|\b(?:can|could)\s+(?:you|u|ya)\s+(?:please\s+|pls\s+)?(?:(?:have|take)\s+a\s+)?"
    r"(?:look|check|help|fix)(?:\s+(?:it|that|into\s+it))?(?:\s+(?:please|pls))?[.!?]*$"
    # What this turn is to leave alone, to replace or to do in an order, and which one is meant.
    r"|^(?:do\s+not|don'?t)\s+\w{1,20}\s+anything\b[^,;.]{0,60}[,;.]\s{0,4}(?:just|only)\b"
    r"|^replace\s+the\b(?!.*\b(?:every\w*|always|any|when\w*)\b)|\bfirst,?\s+so\s+(?:that\s+)?"
    r"(?:i|we|you)\b"
    r"|\bi'?d\s+like\s+to\b.{3,200}\band\s+then\b|^(?:no,?\s+)?the\s+(?:one|ones|other)\s+"
    r"(?:in|on|at|from|with)\b"
    r"|^(?:the|this|that)\b[^,;]{3,50},\s{1,4}(?:make|move|put|change|rename|set|turn|give)\s{1,4}"
    r"(?:it|them)\b"
    r"|^(?!.{0,400}\b(?:always|every|each|never|when\w*|if|before|after)\b).{5,200},\s{1,4}"
    r"(?:add|fix|change|create|write|make|remove|update)\s{1,4}(?:one|it|them|that|those)\W{0,3}$"
    r"|^(?:i|we)(?:'?m|'?re|\s{1,4}am|\s{1,4}are)\s{1,4}(?:still\s{1,4})?(?:having|getting|seeing|facing)\b"
    # What is needed now, is wrong now, or is for this one time.
    r"|^(?:(?:hi|hey|hello)\b\W{1,4})?(?:(?:i|we)\s{1,4})?need\s{1,4}an?\s{1,4}"
    r"(?:\w{1,30}\s{1,4}){1,3}(?:to|that|which|where)\b"
    r"|\blook\s{1,4}at\s{1,4}\S{1,60}\s{1,4}first\b|\bkeeps?\s{1,4}"
    r"(?:complaining|failing|crashing|saying|breaking|restarting)\b"
    r"|^(?:sort|fix|rename|refactor|reformat|tidy|clean\s{1,4}up|split)\s{1,4}[^,;]{1,50}\s"
    r"(?:in|of)\s{1,4}[\w/.-]{1,60}\.\w{1,5}$"
    r"|\b(?:on|for|in|before|after|answering)\s{1,4}this\s{1,4}"
    r"(?:one|time|command|run|call)\b\W{0,3}$|,\s{0,4}leave\s{1,4}it\W{0,3}$"
    r"|^never\s{1,4}in\s{1,4}my\s{1,4}life\b|\bno\s{1,4}idea\s{1,4}(?:why|what|how|where)\b"
    r"|^(?:and\s{1,4})?(?:please\s{1,4})?do(?:n'?t|\s{1,4}not)\s{1,4}"
    r"(?:worry|panic|sweat|freak|ask\s{1,4}(?:me\s{1,4})?again)\b"
    r"|,\s{1,4}why\W{0,3}$"
    # Others' statements that are denied or laughed at.
    r"|\b(?:said|says?|thinks|claims|wants)\b.{3,200}\bbut\s{1,4}"
    r"(?:(?:i|we)\s{1,4}(?:don'?t|do\s{1,4}not|dont|disagree)|(?:s?he|they|that|it)"
    r"(?:'?s|'?re|\s{1,4}(?:is|are))\s{1,4}wrong)\b"
    r"|\b(?:says?|said)\b.{3,200}\b(?:lol|haha|lmao|rofl)\W*$"
    r"|^(?:someone|somebody|people|some\s{1,4}(?:guy|people|folks))\b.{0,40}?\b"
    r"(?:says?|said|told|wrote)\b"
    # What somebody thinks of it, and what did not come.
    r"|^ha(?:ha)+\b|^(?:lol|hehe)\b(?!.{0,400}\b(?:no|not|please|pls|we|never|always)\b)|^never\s+change\W*$|^i\s+meant\s+\S{1,40}\s+not\s+\S{1,40}$"
    r"|\bis\s+(?:a\s+)?(?:bit\s+of\s+a\s+)?(?:stretch|weird|odd|annoying|strange)[.!]*$|\b"
    r"(?:i|we)\s+never\s+(?:got|heard|saw|said|knew|found)\b"
)
