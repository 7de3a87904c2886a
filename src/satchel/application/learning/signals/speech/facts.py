"""Statements of how things are: a project's things, their names, conditions and reasons.

One sentence each, apostrophes straight, without case; linear in the sentence, repetitions are
bounded.
"""

from __future__ import annotations

from satchel.application.learning.signals.speech.words import STATE_VERB
from satchel.storage.kept_patterns import any_case

_re = any_case

THE_THING = _re(
    rf"^(?:currently\s+|also\s+|in\s+(?:prod(?:uction)?|staging|ci|dev|tests?"
    rf"|the\s+\w{{1,40}})\s*,?\s+|on\s+\w{{1,40}}\s*,?\s+|behind\s+\w{{1,40}}\s+)?"
    rf"(?:(?:the|our|my|your|their|its|each|every|all|any|both|some|most|that|this|only|an?)\s+"
    rf"(?:[\w`'./@-]{{1,60}}\s+){{1,6}}?|(?:[a-z][\w-]*\s+){{0,3}}[a-z][\w-]{{1,60}}s\s+"
    rf"(?:\w{{1,40}}\s+){{0,5}}?|(?:[A-Z][\w.-]*|`[^`]{{1,60}}`|[\w-]{{1,60}}\s+\d+|[a-z]{{1,60}}"
    rf"|[a-z]{{1,60}}\s+[a-z]{{1,60}}|[a-z]{{1,60}}\s+[a-z]{{1,60}}\s+[a-z]{{1,60}}"
    rf"|\w{{1,40}}[_.]\w{{1,40}})\s+)(?:only\s+|also\s+|always\s+|never\s+|currently\s+|still\s+"
    rf"|all\s+|automatically\s+|usually\s+|just\s+)*{STATE_VERB}\b"
)
EXISTS = _re(
    r"^my\s+(?:time\s?zone|locale|editor|shell|laptop|machine|keyboard)\s+(?:is|has|runs)\b"
    # Who does what, by name.
    r"|^.{1,60}\s(?:is|are)\s+(?-i:[A-Z])\w{1,30}'s\s+(?:now|job|area|module|domain)\b"
    r"|^(?-i:[A-Z])\w{1,30}\s+(?:left|has\s+left|joined|took\s+over|takes\s+over)\b"
    r"|^(?-i:[A-Z])\w{1,30}\s+(?:is\s+the\s+one\s+who|is\s+(?:in\s+charge\s+of|responsible\s+for)"
    r"|approves|maintains|signs\s+off\s+on)\s+\S"
    r"|^we(?:'re|\s+are)\s+(?:still\s+)?on\s+[\w.+-]{1,40}\s+v?\d|^we\s+"
    r"(?:always\s+|only\s+|also\s+)?have\s+an?\s+"
    r"(?!bug|problem|issue|error|meeting|question|conflict|bit)|^there"
    r"(?:'s|\s+is|\s+are|\s+isn't|\s+are\s+no|\s+is\s+no|\s+aren't)\s+(?:only\s+|also\s+)?"
    r"(?:an?|no|two|three|one|several|some|already\s+an?)?\s*[\w-]{1,60}(?:\s+\S{1,80}){2,}|^"
    r"(?:the\s+only|only)\s+\S{1,80}|^you\s+(?:can't|cannot|have\s+to|need\s+to|must|can\s+only"
    r"|need|only\s+need|don't\s+need|may)\b|^i(?:'m|\s+am)\s+"
    r"(?!done|back|ready|sure|going|pushing|not\b|getting)\w{1,40}(?:\s+\w{1,40})?,?\s+"
    r"(?:so|which\s+means)\b|^to\s+(?:run|deploy|build|release|test|start|debug|regenerate|update"
    r"|reset|publish|connect|install|get|log)\b[^,]{0,60},?\s+"
    r"(?:use|run|you|push|call|set|do|start|open|we|go|just|the)\b|^it\s+only\s+works\b|^i"
    r"(?:'m|\s+am)?\s+(?:only\s+|always\s+|usually\s+|mostly\s+)?"
    r"(?:use|on\b|work|develop|run|have\s+(?:no|only|an?\s+\w{1,40}\s+(?:mac|laptop|machine)))\b"
    r"|^the\s+reason\b|^(?:everything|nothing)\s+\w{1,40}|^(?:it|its|it's|they)\s+"
    r"(?:is|are|must|has\s+to|have\s+to)?\s*(?:called|spelled|named|written|generated|owned)\b"
)
#: Where something is by now.
MOVED = _re(
    r"^(?!(?:i|we|you|it|they|focus|cursor|let'?s)\b)(?:(?:the|our|their)\s+)?[\w./-]{2,40}"
    r"(?:\s[\w./-]{2,40}){0,2}\s+(?:has\s+|have\s+)?(?:moved|switched|migrated)\s+"
    r"(?:back\s+|over\s+|from\s+(?:\S{1,30}\s){1,3})?to\s+\S"
    r"|^(?:the|our)\s+[\w./-]{2,40}(?:\s[\w./-]{2,40}){0,2}\s+(?:got|was|were|has\s+been)\s+(?:replaced|swapped)\b"
    r"|^(?!(?:it|this|that|the\s+(?:file|function|variable|branch|class|method|test|import))\b)"
    r"[\w./-]{2,40}(?:\s[\w./-]{2,40}){0,2}\s+(?:got|was|were|has\s+been)\s+(?:renamed|moved)\s+to\s+\S"
    r"|^(?!(?:it|this|that|everything|all|she|he|they|we|i)\b)(?:(?:the|our)\s+)?[\w./-]{2,40}(?:\s[\w./-]{2,40}){0,2}\s+"
    r"(?:is|are)\s+back\s+(?:on|in|at|to)\s+[\w./+#-]{2,40}(?:\s[\w./-]{1,20}){0,2}\s+(?:since|as\s+of)\s+"
    r"(?!(?:a|an|\d+|few|some)\b)\w"
    # To an address: "the url of staging changed to stg2.example.com".
    r"|^(?:the|our)\s+[\w./-]{2,40}(?:\s[\w./-]{2,40}){0,3}\s+(?:has\s+)?changed\s+to\s+"
    r"\S{0,40}[./@]\w\S{0,40}$"
)
_OTHER_VALUE = r"[,;]\s*(?:but\s+)?(?:it's|its|it\s+is|they're|should\s+be)\s+\S{0,3}\d"
#: A wrong value and the right one: "the limit isn't 250, it's 400"; what was and what is: "the
#: quota is 50 MB now, was 20".
REVISED = _re(
    r"^(?!(?:its?|it's|this|that|these|those|i|we|you)\b).{2,60}?\b(?:now|since\s+\w{1,20}(?:\s\w{1,20}){0,2})\s?[,;(]\s?"
    r"(?:but\s+)?(?:(?:it|we|they|that|before)\s+(?:that\s+it\s+)?)?(?:was|were|had|used\s+to\s+be)\s+\S"
    r"|^(?!(?:its?|it's|this|that|these|those|i|we|you)\b).{2,60}?\b(?:is|are|has|have)\s+\S{1,30}\s(?:\S{1,20}\s){0,2}now,?\s+(?:instead\s+of|not)\s+\S"
    r"|^.{2,60}?\bused\s+to\s+\w{1,20}\s.{1,40}[,;]\s.{0,40}\bnow$"
    r"|^.{2,60}?\b(?:it\s+)?(?:was|used\s+to\s+be)\s.{1,30}[,;]\s(?:since|from|as\s+of)\s.{2,60}"
    r"|^(?:the|our)\s.{2,60}\bnow\s.{2,40}\binstead\s+of\s+\S"
    r"|"
    r"^(?!(?:its?|it's|this|that|these|those)\b).{1,60}\b(?:isn'?t|aren'?t|(?:is|are)\s+not)\s+\S{0,3}\d\S{0,12}"
    rf"(?:\s\w{{1,20}})?{_OTHER_VALUE}"
    r"|^(?!(?:its?|it's|this|that|these|those)\b).{1,60}\b(?:is|are|has|have|takes?|allows?|gets?)\s+(?:now\s+)?"
    r"\S{0,3}\d\S{0,12}(?:\s\w{1,20}){0,2}?(?:\s+now)?,?\s+(?:and\s+)?not\s+\S{0,3}\d"
    rf"|^(?:i\s+was\s+wrong\s+about\s.{{0,60}}\d[^,;]{{0,30}}|(?:the|our)\s.{{0,60}}\d[^,;]{{0,30}}\swrong){_OTHER_VALUE}"
)
#: A state put so plainly that it needs no other mark.
STATED = _re(
    # Intentional states, temporary freezes, and what is authoritative.
    r"^(?!(?:is|are|was|were|did|do)\b).{1,100}\b(?:is|are|was|were)\s+(?:(?:all|both|there|like\s+that|so)\s+)?"
    r"(?:deliberate|intentional|intended|by\s+design|on\s+purpose)\b"
    r"|^.{1,60}\b(?:is|are)\s+(?:frozen|read[- ]?only|off[- ]limits)\s+(?:until|till|for|during)\b"
    r"|^.{1,60}\b(?:is|are)\s+the\s+(?:spec|source\s+of\s+truth|reference|contract)\b"
    r"|^we\s+only\s+(?:support|ship|run|use|have|target|deploy|test|sell|log|keep|build|release)\b"
    r"|^we(?:'ve|\s+have)?\s+moved\s+(?:the|our|all|everything|from|to)\b"
    # Who does what, by name.
    r"|^\w{2,30}\s+(?:took|takes|has\s+taken)\s+over\s+\w|^.{0,60}\s(?:belongs?\s+to|is|are)\s+(?:now\s+)?\w{2,20}'s"
    r"\s+now\b|^\w{2,20}\s+left,\s.{1,60}\s(?:is|are)\s+\w{2,20}'s\b"
    # What a code means: "close code 4008 = rate limited".
    r"|^(?:(?:an?|the|our)\s{1,4})?(?:[a-z]{2,20}\s{1,4}){0,2}(?:code|status|exit|error|err|http|errno|signal|flag|led|bit)\s{1,4}"
    r"(?=\S{0,20}\d|\w{2,20}\s)[\w.-]{1,20}(?:\s{1,4}[\w.-]{1,20}){0,5}\s{1,4}=\s{1,4}"
    r"(?!my\b|your\b|the\s)[a-z][^=?(){};\n]{3,80}$"
    # What a word or a value means, and what something is able to do.
    r"|^(?!(?:that|this|it|which|what|so|by)\b)(?:\S{1,40}\s{1,4}){1,6}?means\s{1,4}(?!(?:that\s{1,4})?(?:i|we|you)\b)\S"
    r"|^(?:the|our|their|his|her|some|most|older|newer)\s{1,4}(?:[\w./-]{1,40}\s{1,4}){1,4}only\s{1,4}"
    r"(?:understands?|accepts?|takes?|speaks?|allows?|lets?|reads?|supports?|knows?|sends?|sees?)\s"
    r"|^.{3,80}\sby\s{1,4}(?:law|contract)$"
    r"|^.{1,60}\b(?:comes?|arrives?|is\s+sent|are\s+sent)\s+(?:in\s+)?as\s+\S{1,40},?\s+not\b"
)
#: What projects are about, for months.
WORLD = _re(
    r"\b(?:staging|prod(?:uction)?|dev\b|sandbox|ci\b|cd\b|pipelines?|deploy"
    r"(?:s|ed|ment|ments|ing)?|data\s?bases?|db\b|schema|migrations?|api|apis|endpoints?|servers?"
    r"|services?|teams?|customers?|clients?|users?\s+table|releases?|branch(?:es)?|main\b|master\b"
    r"|tests?|suite|ports?|config\w{0,40}|secrets?|tokens?|keys?|vpn|docker|kubernetes|k8s|cron"
    r"|queues?|workers?|index|cache[sd]?|redis|postgres|mysql|sqlite|s3|aws|gcp|azure|tables?"
    r"|columns?|ids?|timestamps?|timezones?|utc|currenc\w{1,40}|cents|invoices?|orders?|payments?"
    r"|tenants?|accounts?|sessions?|tokens?|jobs?|scripts?|repos?(?:itory)?|monorepo|packages?"
    r"|folders?|director\w{1,40}|files?|env\w{0,40}|variables?|flags?|project|codebase|generated"
    r"|deprecated|vendor|legacy|proxy|gateway|auth\w{0,40}|login|permissions?|licen[sc]e|limits?"
    r"|quota|backups?|logs?|logging|metrics|alerts?|certificates?|mobile|frontend|backend|ui\b"
    r"|admin|docs?|makefile|make\b|npm|node|python|java|go\b|rust|sdk|orm|library|module|plugin"
    r"|version|fixtures?|seeds?|mocks?|hooks?|lint\w{0,40}|compliance|gdpr|contract|approvals?"
    r"|pull\s+requests?|prs?\b|tickets?|jira|slack|channel|compiler|parser|scheduler|exports?"
    r"|imports?|machines?|laptop|windows|linux|macs?|gpu|memory|bundle\w{0,40}|locale|requests?"
    r"|replicas?|webhooks?|emails?|domains?|names?|strings?|commits?|dates?|prices?|amounts?|money"
    # Of hardware and what runs on it.
    r"|passwords?|boards?|firmware|bootloaders?|mcus?|gpios?|uarts?|spi|i2c|can\s?bus|isrs?"
    r"|interrupts?|baud\s?rates?|voltages?|batter(?:y|ies)|heap|dma|adc|rtos|devicetree"
    r"|overlays?|linker|toolchains?|antennas?|modems?|radio|crc|checksums?|calibration)\b"
)
HOLDS = _re(
    r"\b(?:every|each|all|any|daily|nightly|hourly|weekly|on\s+"
    r"(?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|weekends?)|only|because|since|otherwise"
    r"|so\s+(?:never|don't|dont|that|we|it|no|the|our|be|use|please|only)|unless|without|even\s+"
    r"(?:though|if)|except|at\s+(?:most|least)|automatically|by\s+hand|per\s+\w{1,40}|behind"
    r"|from\s+the|by\s+the|never|always|must|ha(?:s|ve)\s+to|can't|cannot|may\s+only"
    r"|for\s+\w{1,40}\s+(?:seconds|minutes|hours|days|weeks|years)|limited\s+to|owned\s+by"
    r"|managed\s+by|generated|shared|frozen|pinned|read[- ]only|case[- ]sensitive|stored|lives?"
    r"|belongs?|listens?|expires?|resets?|requires?|needs?|strings?|in\s+"
    r"(?:utc|cents|seconds|milliseconds|ms|bytes|a\s+different)|not\s+\w{1,40}|which|but|both"
    r"|are\s+called|is\s+called|located|used\s+by|built|hosted|protected|two|three|once)\b|\d"
)
NAMED = _re(
    r"`[^`]{1,60}`|(?<![\w/])[\w.@~-]{0,60}/[\w./-]{1,60}|(?<!\w)--?[a-z][\w-]{1,60}|\b\w{1,40}\."
    r"(?:py|ts|tsx|js|jsx|go|rs|rb|java|md|json|ya?ml|toml|sh|sql|lock|env|cfg|ini|css|html"
    r"|proto)\b|\b[a-z]{1,40}_[a-z_]\w{0,60}|(?-i:\b[A-Z]{2}[A-Z_]{0,60}\b"
    r"|\b[a-z]{1,60}[A-Z]\w{1,40}|\b[A-Z][a-z]{1,60}[A-Z]\w{0,40})|\b\w{1,40}\(\)|(?<!\w)\.env\b"
)
WHY = _re(
    r"\b(?:because|since|so\s+that|so\s+we|otherwise|as\s+it|the\s+reason|to\s+avoid"
    r"|in\s+order\s+to|cause|bc|which\s+means)\b"
)
#: A condition or a consequence at the end of a sentence.
CONDITION = _re(
    r"(?<=\w)(?:\s+(?:when|if|while|unless|whenever|without)|,?\s+"
    r"(?:otherwise|or\s+else|or\s+(?:it|they|you|we|the)\b))\s+"
)
#: "Takes about ten minutes": known the next time, too.
TAKES_LONG = _re(
    r"\b(?:takes?|lasts?)\s+(?:(?:about|around|roughly|up\s+to|over|nearly|almost|at\s+least)\s+)?"
    r"(?:\d[\d.]{0,6}|an?|a\s+few|some|two|three|four|five|ten|fifteen|twenty|thirty|forty)\s*"
    r"(?:s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b"
)
#: One thing and its behavior: "the queue drops what is too large".
ONE_THING = _re(
    rf"^(?:(?:the|both|neither|this|most|some)\s+|our\s+)(?!tests?\b|code\b|commits?\b|names?\b)"
    rf"(?:[\w./-]{{1,40}}\s+){{1,4}}?(?:{STATE_VERB}|drops|returns?|bans|dies|waits|\w{{3,30}}s)\b"
    rf"|^you\s+(?:need|have)\s+to\s+be\b|^you\s+need\s+(?!to\b)[\w.-]{{1,40}}\s+v?\d"
    # Somebody by name: "Adyen blocks us for an hour".
    rf"|^(?!(?:use|keep|put|name|write|always|never|make|run|add|prefer|format|treat|pin|let)s?\b)"
    rf"(?-i:[A-Z][a-z]+)\s+\w{{2,30}}[^\Ws]s\s+(?:us|the|our|an?|all|any|\d+)\b"
)
IT_IS = _re(r"(?:it|its|it's|this|that|that's|they|they're|these|those)\b")
#: Words that may begin a thing's name or an order.
NOUN_OR_VERB = _re(
    r"^(?:tests?|tags?|logs?|quer(?:y|ies)|orders?|groups?|caches?|types?|states?|targets?|builds?"
    r"|commits?|exports?|imports?|deploys?|releases?|names?|links?|reviews?|reads?|writes?|marks?"
    r"|locks?|loads?|inputs?|stores?|sets?|indents?|quotes?|documents?|supports?|checks?|calls?"
    r"|runs?|formats?|references?|sorts?|models?|merges?|copies|copy|changes?|comments?)\s+\w{1,40}"
)
PROPER = _re(r"^the\s+(?:correct|right|proper|only|official|real|actual|default|main)\s+\w{1,40}")
OUR = _re(r"(?:our|my)\b")
#: Something mentioned before does something: a statement, not a request.
TOLD_OF_IT = _re(
    # What happens now and then is not a rule.
    r"^(?!.{0,200}\b(?:always|never|must|should|don't|please)\b).{0,200}\b(?:sometimes|occasionally|now\s+and"
    r"\s+then|every\s+so\s+often|once\s+in\s+a\s+while)\b|^(?:they|it)\s+(?!should|must|needs?\b|ought|may\b|can't|cannot|ha(?:s|ve)\s+to|shall|never\b"
    r"|always\b)\w"
)
