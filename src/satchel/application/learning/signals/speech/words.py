"""Words that several patterns of speech share: verbs of orders and of states, kinds of things."""

from __future__ import annotations

VERB = (
    r"(?:use|run|write|put|keep|make|add|remove|delete|drop|rename|store|set|change|switch|replace"
    r"|skip|leave|call|implement|revert|merge|move|sort"
    r"|show|print|return|default|stick|split|avoid|preserve|ignore|update|allow|include|extract"
    r"|document|support|handle|treat|adjust|ensure|simplify"
    r"|bump|limit|fix|address|capture|try|log|do|go|name|prefix|format|commit|push|deploy|build"
    r"|test|check|ask|tell|explain|give|start|stop|wrap|cast"
    r"|mock|import|export|declare|define|create|generate|regenerate|install|read|open|follow|prefer"
    r"|pin|lock|cache|fetch|parse|validate|escape|reuse"
    r"|rebase|squash|tag|sign|reference|link|translate|answer|reply|respond|speak|be|have|get|take"
    r"|mark|group|order|indent|quote|throw|raise|catch|edit"
    r"|touch|assume|copy|inject|pass|load|save|send|work|stay|think|verify|review|mention|annotate"
    r"|type|confirm|clean|close|disable|enable|expose|hardcode"
    r"|render|restart|target|wait|cite|let|only|state|query|configure|convert|rely|bring|lint|seed"
    r"|inline|persist|emit|exit|fail|assert|aim|choose|pick|summari[sz]e"
    r"|apologi[sz]e|guess|refactor|reformat|rewrite|restructure|touch|modify|overwrite|truncate"
    r"|depend|introduce|nest|swallow|suppress|bypass|expect|consider|truncate)"
)
DONT = (
    r"(?:don'?t|do\s+not|dont|never|don't\s+ever|do\s+not\s+ever|dont\s+ever|must\s+not|mustn't"
    r"|should\s+not|shouldn't|shouldnt)"
)
#: Several, any or kinds of a thing: not the one at hand.
KINDS = (
    r"(?:any|every|each|all|new|public|private|existing|our(?:\s+own)?|other\s+people's"
    r"|user[- ]facing|generated|integration|production)\s+[\w-]{1,60}"
    r"|(?!the\b|this\b|these\b|those\b|it's\b|its\b|details\b|changes\b|errors\b|logs\b|docs\b"
    r"|users\b|orders\b|settings\b|results\b|options\b|steps\b|windows\b|macos\b|ios\b|postgres\b"
    r"|kubernetes\b|jenkins\b|aws\b)"
    r"(?:(?:similar|small|large|long|simple|complex|optional|required|shared|slow|async|external"
    r"|internal|database|http|test|unit|error|log|commit|config)\s+)?[a-z][\w-]{2,40}s\b(?<!ss)"
    r"(?<!us)(?<!is)(?<!as)(?!\s+(?:page|list|table|file|button|service|module|folder|screen|view"
    r"|function|class)\b)|code\b|sql\b|css\b"
)
GENERIC = (
    r"(?:any|every|each|all|no|new|public|private|both\s+kinds\s+of|other\s+people's|such|existing"
    r"|our(?:\s+own)?|my|your|user[- ]facing|unrelated|generated|integration|unit|e2e|external"
    r"|secret|personal)\s+[\w-]{1,60}|an?\s+(?!look|second|sec|bit|moment|minute|button|try|test"
    r"|script|function|comment|branch|pr\b|page|new\s+branch|summary|helper|file\s+that"
    r"|unit\s+test)[\w-]{1,60}"
    r"|(?!the\b|this\b|these\b|those\b|tests\b|it's|its\b|let's|changes\b|errors\b|logs\b"
    r"|dependencies\b|merge\b)[a-z][\w-]{2,40}s\b(?<!ss)(?<!us)(?<!is)(?<!as)|code\b|sql\b|css\b"
    r"|data\b|business\s+logic"
)
STATE_VERB = (
    r"(?:is|are|'s|has|have|lives?|uses?|means|belongs?|comes?|contains?|exists?|writes?|keeps?"
    r"|stores?|needs?|runs?|returns?|listens?|expires?|requires?|supports?|works?|depends?|expects?"
    r"|ships?|deploys?|resets?|breaks?|only|goes|go|starts?|happens?|gets?|sends?|strips?|caches?"
    r"|lags?|hits?|(?:in|ex)cludes?|restarts?|updates?|buffers?|says|owns?|differs?|retr(?:y|ies)"
    r"|doubles?|triggers?|rewrites?|swallows?|assumes?|blocks?|kills?|times?\s+out|rotates?|wraps?"
    r"|shares?|reads?|allows?|rejects?|accepts?|targets?|limits?|costs?|takes?|applies|apply|calls?"
    r"|loads?"
    r"|follows?|points?|serves?|handles?|generates?|builds?|syncs?|maps?|deletes?|creates?|removes?"
    r"|writes?|mirrors?|wins?|owns?|fires?|checks?|forbids?|locks?|wipes?|delivers?|gets|pays?"
    r"|drops?|throws?|ignores?|rounds?|converts?|logs?|emits?|listens|polls?|retries|validates?"
    r"|signs?|encrypts?|redirects?|forwards?|overrides?|inherits?|imports?|exports?|mounts?"
    r"|injects?|provides?|replaces?|collects?|aggregates?|must|can't|cannot|can|don't|doesn't"
    r"|do\s+not|does\s+not|aren't|isn't|hasn't|won't|should)"
)
