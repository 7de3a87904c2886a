"""Statements of how things are: a project's things, their names, conditions and reasons.

One sentence each, apostrophes straight, without case; linear in the sentence, repetitions are
bounded.
"""

from __future__ import annotations

from satchel.application.learning.signals.speech.words import STATE_VERB
from satchel.storage.kept_patterns import spoken

THE_THING = spoken(
    r"^(?:currently |also |in (?:prod(?:uction)?|staging|ci|dev|tests?|the \w{1,40}) ?,? "
    r"|on \w{1,40} ?,? |behind \w{1,40} )?(?:(?:the|our|my|your|their|its|each|every|all|any|both"
    r"|some|most|that|this|only|an?) (?:[\w`'./@-]{1,60} ){1,6}?"
    r"|(?:[a-z][\w-]* ){0,3}[a-z][\w-]{1,60}s (?:\w{1,40} ){0,5}?"
    r"|(?:[A-Z][\w.-]*|`[^`]{1,60}`|[\w-]{1,60} \d+|[a-z]{1,60}|[a-z]{1,60} [a-z]{1,60}"
    r"|[a-z]{1,60} [a-z]{1,60} [a-z]{1,60}|\w{1,40}[_.]\w{1,40}) )(?:only |also |always |never "
    rf"|currently |still |all |automatically |usually |just )*{STATE_VERB}\b"
)
EXISTS = spoken(
    r"^my (?:time ?zone|locale|editor|shell|laptop|machine|keyboard) (?:is|has|runs)\b"
    # Who does what, by name.
    r"|^.{1,60}\s(?:is|are) (?-i:[A-Z])\w{1,30}'s (?:now|job|area|module|domain)\b"
    r"|^(?-i:[A-Z])\w{1,30} (?:left|has left|joined|took over|takes over)\b"
    r"|^(?-i:[A-Z])\w{1,30} (?:is the one who|is (?:in charge of|responsible for)|approves"
    r"|maintains|signs off on) \S|^we(?:'re| are) (?:still )?on [\w.+-]{1,40} v?\d|^we "
    r"(?:always |only |also )?have an? (?!bug|problem|issue|error|meeting|question|conflict|bit)"
    r"|^there(?:'s| is| are| isn't| are no| is no| aren't) (?:only |also )?(?:an?|no|two|three|one"
    r"|several|some|already an?)? ?[\w-]{1,60}(?: \S{1,80}){2,}|^(?:the only|only) \S{1,80}"
    r"|^you (?:can't|cannot|have to|need to|must|can only|need|only need|don't need|may)\b"
    r"|^i(?:'m| am) (?!done|back|ready|sure|going|pushing|not\b|getting)\w{1,40}"
    r"(?: \w{1,40})?,? (?:so|which means)\b"
    r"|^to (?:run|deploy|build|release|test|start|debug|regenerate|update|reset|publish|connect"
    r"|install|get|log)\b[^,]{0,60},? (?:use|run|you|push|call|set|do|start|open|we|go|just|the)\b"
    r"|^it only works\b|^i(?:'m| am)? (?:only |always |usually |mostly )?(?:use|on\b|work|develop"
    r"|run|have (?:no|only|an? \w{1,40} (?:mac|laptop|machine)))\b|^the reason\b"
    r"|^(?:everything|nothing) \w{1,40}|^(?:it|its|it's|they) (?:is|are|must|has to|have to)? ?"
    r"(?:called|spelled|named|written|generated|owned)\b"
)
#: Where something is by now.
MOVED = spoken(
    r"^(?!(?:i|we|you|it|they|focus|cursor|let'?s)\b)"
    r"(?:(?:the|our|their) )?[\w./-]{2,40}(?:\s[\w./-]{2,40}){0,2} (?:has |have )?"
    r"(?:moved|switched|migrated) (?:back |over |from (?:\S{1,30}\s){1,3})?to \S"
    r"|^(?:the|our) [\w./-]{2,40}"
    r"(?:\s[\w./-]{2,40}){0,2} (?:got|was|were|has been) (?:replaced|swapped)\b|^(?!(?:it|this"
    r"|that|the (?:file|function|variable|branch|class|method|test|import))\b)[\w./-]{2,40}"
    r"(?:\s[\w./-]{2,40}){0,2} (?:got|was|were|has been) (?:renamed|moved) to \S"
    r"|^(?!(?:it|this|that|everything|all|she|he|they|we|i)\b)(?:(?:the|our) )?[\w./-]{2,40}"
    r"(?:\s[\w./-]{2,40}){0,2} (?:is|are) back (?:on|in|at|to) [\w./+#-]{2,40}"
    r"(?:\s[\w./-]{1,20}){0,2} (?:since|as of) (?!(?:a|an|\d+|few|some)\b)\w"
    # To an address: "the url of staging changed to stg2.example.com".
    r"|^(?:the|our) [\w./-]{2,40}"
    r"(?:\s[\w./-]{2,40}){0,3} (?:has )?changed to \S{0,40}[./@]\w\S{0,40}$"
)
#: What was tried long before this session, and why it was given up: "we tried 2G last month, didn't
#: help because the files pile up".
TRIED = spoken(
    r"^(?=.{0,200}\b(?:last (?:week|month|quarter|year|spring|summer|autumn|fall|winter|sprint"
    r"|time)|in (?:spring|summer|autumn|fall|winter|january|february|march|april|may|june|july"
    r"|august|september|october|november|december|20\d\d|q[1-4])"
    r"|(?:weeks?|months?|years?|while) (?:ago|back)|back then|once|before|already)\b)"
    r"(?=.{0,200}(?:\b(?:did(?:n'?t| not) \w|made \S|had to|broke|failed|but|gave up"
    r"|rolled (?:it )?back|reverted|turned (?:it )?off|too \w|killed|lost|crashed|evicted"
    r"|no luck|worse|slower|was a (?:mess|disaster|nightmare))))"
    r"(?:(?:last|back in|in|two|some) (?:\w{1,12} ){1,2}(?:ago )?,? ?)?"
    r"(?:we|they|(?:the|our) (?:\w{1,20} )?team)(?:'ve| have| had)? (?:(?:already|even|once) )?"
    r"(?:tried|tested|experimented with|piloted) (?!(?:that|this|it|again|to|them|everything)\b)\S"
)
_OTHER_VALUE = r"[,;] ?(?:but )?(?:it's|its|it is|they're|should be) \S{0,3}\d"
#: A wrong value and the right one: "the limit isn't 250, it's 400"; what was and what is: "the
#: quota is 50 MB now, was 20".
REVISED = spoken(
    r"^(?!(?:its?|it's|this|that|these|those|i|we|you)\b).{2,60}?\b"
    r"(?:now|since \w{1,20}(?:\s\w{1,20}){0,2}) ?[,;(] ?(?:but )?"
    r"(?:(?:it|we|they|that|before) (?:that it )?)?(?:was|were|had|used to be) \S"
    r"|^(?!(?:its?|it's|this|that|these|those|i|we|you)\b).{2,60}?\b(?:is|are|has|have) \S{1,30}\s"
    r"(?:\S{1,20}\s){0,2}now,? (?:instead of|not) \S"
    r"|^.{2,60}?\bused to \w{1,20}\s.{1,40}[,;]\s.{0,40}\bnow$"
    r"|^.{2,60}?\b(?:it )?(?:was|used to be)\s.{1,30}[,;]\s(?:since|from|as of)\s.{2,60}"
    r"|^(?:the|our)\s.{2,60}\bnow\s.{2,40}\binstead of \S"
    r"|^(?!(?:its?|it's|this|that|these|those)\b).{1,60}\b"
    rf"(?:isn'?t|aren'?t|(?:is|are) not) \S{{0,3}}\d\S{{0,12}}(?:\s\w{{1,20}})?{_OTHER_VALUE}"
    r"|^(?!(?:its?|it's|this|that|these|those)\b).{1,60}\b"
    r"(?:is|are|has|have|takes?|allows?|gets?) (?:now )?\S{0,3}\d\S{0,12}(?:\s\w{1,20}){0,2}?"
    r"(?: now)?,? (?:and )?not \S{0,3}\d|^(?:i was wrong about\s.{0,60}\d[^,;]{0,30}"
    rf"|(?:the|our)\s.{{0,60}}\d[^,;]{{0,30}}\swrong){_OTHER_VALUE}"
)
#: What alone works: "the openocd config is broken on this board, jlink only".
ONLY_THAT = spoken(
    r"^.{3,60}\b(?:(?:is|are) (?:broken|gone|dead|unsupported)|(?:doesn'?t|don'?t|won'?t) work)\b"
    r".{0,40}, (?:use )?[\w.+-]{2,20} only$"
)
#: A state put so plainly that it needs no other mark.
STATED = spoken(
    # Intentional states, temporary freezes, and what is authoritative.
    r"^(?!(?:is|are|was|were|did|do)\b).{1,100}\b"
    r"(?:is|are|was|were) (?:(?:all|both|there|like that|so) )?"
    r"(?:deliberate|intentional|intended|by design|on purpose)\b"
    r"|^.{1,60}\b(?:is|are) (?:frozen|read[-\s]?only|off[-\s]limits) (?:until|till|for|during)\b"
    r"|^.{1,60}\b(?:is|are) the (?:spec|source of truth|reference|contract)\b"
    r"|^we only (?:support|ship|run|use|have|target|deploy|test|sell|log|keep|build|release)\b"
    r"|^we(?:'ve| have)? moved (?:the|our|all|everything|from|to)\b"
    # Who does what, by name.
    r"|^\w{2,30} (?:took|takes|has taken) over \w"
    r"|^.{0,60}\s(?:belongs? to|is|are) (?:now )?\w{2,20}'s now\b"
    r"|^\w{2,20} left,\s.{1,60}\s(?:is|are) \w{2,20}'s\b"
    # What a code means: "close code 4008 = rate limited".
    r"|^(?:(?:an?|the|our) )?(?:[a-z]{2,20} ){0,2}(?:code|status|exit|error|err|http|errno|signal"
    r"|flag|led|bit) (?=\S{0,20}\d|\w{2,20}\s)[\w.-]{1,20}"
    r"(?: [\w.-]{1,20}){0,5} = (?!my\b|your\b|the\s)[a-z][^=?(){};\n]{3,80}$"
    # What a word or a value means, and what something is able to do.
    r"|^(?!(?:that|this|it|which|what|so|by)\b)"
    r"(?:\S{1,40} ){1,6}?means (?!(?:that )?(?:i|we|you)\b)\S|^(?:the|our|their|his|her|some|most"
    r"|older|newer) (?:[\w./-]{1,40} ){1,4}only (?:understands?|accepts?|takes?|speaks?|allows?"
    r"|lets?|reads?|supports?|knows?|sends?|sees?|has|offers?)\s|^.{3,80}\sby (?:law|contract)$"
    r"|^.{1,60}\b(?:comes?|arrives?|is sent|are sent) (?:in )?as \S{1,40},? not\b"
)
#: What projects are about, for months.
WORLD = spoken(
    r"\b(?:staging|prod(?:uction)?|dev\b|sandbox|ci\b|cd\b|pipelines?"
    r"|deploy(?:s|ed|ment|ments|ing)?|data ?bases?|db\b|schema|migrations?|api|apis|endpoints?"
    r"|servers?|services?|teams?|customers?|clients?|users? table|releases?|branch(?:es)?|main\b"
    r"|master\b|tests?|suite|ports?|config\w{0,40}|secrets?|tokens?|keys?|vpn|docker|kubernetes"
    r"|k8s|cron|queues?|workers?|index|cache[sd]?|redis|postgres|mysql|sqlite|s3|aws|gcp|azure"
    r"|tables?|columns?|ids?|timestamps?|timezones?|utc|currenc\w{1,40}|cents|invoices?|orders?"
    r"|payments?|tenants?|accounts?|sessions?|tokens?|jobs?|scripts?|repos?(?:itory)?|monorepo"
    r"|packages?|folders?|director\w{1,40}|files?|env\w{0,40}|variables?|flags?|project|codebase"
    r"|generated|deprecated|vendor|legacy|proxy|gateway|auth\w{0,40}|login|permissions?|licen[sc]e"
    r"|limits?|quota|backups?|logs?|logging|metrics|alerts?|certificates?|mobile|frontend|backend"
    r"|ui\b|admin|docs?|makefile|make\b|npm|node|python|java|go\b|rust|sdk|orm|library|module"
    r"|plugin|version|fixtures?|seeds?|mocks?|hooks?|lint\w{0,40}|compliance|gdpr|contract"
    r"|approvals?|pull requests?|prs?\b|tickets?|jira|slack|channel|compiler|parser|scheduler"
    r"|exports?|imports?|machines?|laptop|windows|linux|macs?|gpu|memory|bundle\w{0,40}|locale"
    r"|requests?|replicas?|webhooks?|emails?|domains?|names?|strings?|commits?|dates?|prices?"
    r"|amounts?|money"
    # Of hardware and what runs on it.
    r"|passwords?|boards?|firmware|bootloaders?|mcus?|gpios?|uarts?|spi|i2c|can ?bus|isrs?"
    r"|interrupts?|baud ?rates?|voltages?|batter(?:y|ies)|heap|dma|adc|rtos|devicetree|overlays?"
    r"|linker|toolchains?|antennas?|modems?|radio|crc|checksums?|calibration)\b"
)
HOLDS = spoken(
    r"\b(?:every|each|all|any|daily|nightly|hourly|weekly"
    r"|on (?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|weekends?)|only|because|since"
    r"|otherwise|so (?:never|don't|dont|that|we|it|no|the|our|be|use|please|only)|unless|without"
    r"|even (?:though|if)|except|at (?:most|least)|automatically|by hand|per \w{1,40}|behind"
    r"|from the|by the|never|always|must|ha(?:s|ve) to|can't|cannot|may only"
    r"|for \w{1,40} (?:seconds|minutes|hours|days|weeks|years)|limited to|owned by|managed by"
    r"|generated|shared|frozen|pinned|read[-\s]only|case[-\s]sensitive|stored|lives?|belongs?"
    r"|listens?|expires?|resets?|requires?|needs?|strings?"
    r"|in (?:utc|cents|seconds|milliseconds|ms|bytes|a different)|not \w{1,40}|which|but|both"
    r"|are called|is called|located|used by|built|hosted|protected|two|three|once)\b|\d"
)
NAMED = spoken(
    r"`[^`]{1,60}`|\b\w{2,40}_\*|(?<![\w/])[\w.@~-]{0,60}/[\w./-]{1,60}|(?<!\w)--?[a-z][\w-]{1,60}"
    r"|\b\w{1,40}\.(?:py|ts|tsx|js|jsx|go|rs|rb|java|md|json|ya?ml|toml|sh|sql|lock|env|cfg|ini"
    r"|css|html|proto)\b|\b[a-z]{1,40}_[a-z_]\w{0,60}|(?-i:\b[A-Z]{2}[A-Z_]{0,60}\b"
    r"|\b[a-z]{1,60}[A-Z]\w{1,40}|\b[A-Z][a-z]{1,60}[A-Z]\w{0,40})|\b\w{1,40}\(\)|(?<!\w)\.env\b"
)
WHY = spoken(
    r"\b(?:because|since|so that|so we|otherwise|as it|the reason|to avoid|in order to|cause|bc"
    r"|which means)\b"
)
#: A condition or a consequence at the end of a sentence.
CONDITION = spoken(
    r"(?<=\w)(?: (?:when|if|while|unless|whenever|without)"
    r"|,? (?:otherwise|or else|or (?:it|they|you|we|the)\b)) "
)
#: "Takes about ten minutes": known the next time, too.
TAKES_LONG = spoken(
    r"\b(?:takes?|lasts?) (?:(?:about|around|roughly|up to|over|nearly|almost|at least) )?"
    r"(?:\d[\d.]{0,6}|an?|a few|some|two|three|four|five|ten|fifteen|twenty|thirty"
    r"|forty) ?(?:s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b"
)
#: One thing and its behavior: "the queue drops what is too large".
ONE_THING = spoken(
    r"^(?:(?:the|both|neither|this|most|some) |our )(?!tests?\b|code\b|commits?\b|names?\b)"
    rf"(?:[\w./-]{{1,40}} ){{1,4}}?(?:{STATE_VERB}|drops|returns?|bans|dies|waits|\w{{3,30}}s)\b"
    r"|^you (?:need|have) to be\b|^you need (?!to\b)[\w.-]{1,40} v?\d"
    # Somebody by name: "Adyen blocks us for an hour".
    r"|^(?!(?:use|keep|put|name|write|always|never|make|run|add|prefer|format|treat|pin|let)s?\b)"
    r"(?-i:[A-Z][a-z]+) \w{2,30}[^\Ws]s (?:us|the|our|an?|all|any|\d+)\b"
)
IT_IS = spoken(r"(?:it|its|it's|this|that|that's|they|they're|these|those)\b")
#: Words that may begin a thing's name or an order.
NOUN_OR_VERB = spoken(
    r"^(?:tests?|tags?|logs?|quer(?:y|ies)|orders?|groups?|caches?|types?|states?|targets?|builds?"
    r"|commits?|exports?|imports?|deploys?|releases?|names?|links?|reviews?|reads?|writes?|marks?"
    r"|locks?|loads?|inputs?|stores?|sets?|indents?|quotes?|documents?|supports?|checks?|calls?"
    r"|runs?|formats?|references?|sorts?|models?|merges?|copies|copy|changes?|comments?) \w{1,40}"
)
PROPER = spoken(r"^the (?:correct|right|proper|only|official|real|actual|default|main) \w{1,40}")
OUR = spoken(r"(?:our|my)\b")
#: Something mentioned before does something: a statement, not a request.
TOLD_OF_IT = spoken(
    # What happens now and then is not a rule.
    r"^(?!.{0,200}\b(?:always|never|must|should|don't|please)\b).{0,200}\b(?:sometimes"
    r"|occasionally|now and then|every so often|once in a while)\b|^(?:they|it) (?!should|must"
    r"|needs?\b|ought|may\b|can't|cannot|ha(?:s|ve) to|shall|never\b|always\b)\w"
)
