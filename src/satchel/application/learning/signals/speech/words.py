"""Words that several patterns of speech share: verbs of orders and of states, kinds of things."""

from __future__ import annotations

#: What people say before they say something: "ok so", "oh and please".
BEGUN = (
    r"(?:(?:ok(?:ay)?|kk?|so|and|but|also|well|now|then|first|next|just|actually|oh|ah+|hm+|um+|uh+"
    r"|ugh|wait|hey|hi|hello|please|pls|btw|fyi|yes|yeah|yep|no|nah|nope|sure|right|great|good|nice"
    r"|cool|perfect|thanks|thx|und|aber|bitte)\b[\s,.!:]{1,4}){0,4}"
)
VERB = (
    r"(?:use|run|write|put|keep|make|add|remove|delete|drop|rename|store|set|change|switch|replace"
    r"|skip|leave|call|implement|revert|merge|move|sort|show|print|return|default|stick|split"
    r"|avoid|preserve|ignore|update|allow|include|extract|document|support|handle|treat|adjust"
    r"|ensure|simplify|bump|limit|fix|address|capture|try|log|do|go|name|prefix|format|commit|push"
    r"|deploy|build|test|check|ask|tell|explain|give|start|stop|wrap|cast|mock|import|export"
    r"|declare|define|create|generate|regenerate|install|read|open|follow|prefer|pin|lock|cache"
    r"|fetch|parse|validate|escape|reuse|rebase|squash|tag|sign|reference|link|translate|answer"
    r"|reply|respond|speak|be|have|get|take|mark|group|order|indent|quote|throw|raise|catch|edit"
    r"|touch|assume|copy|inject|pass|load|save|send|work|stay|think|verify|review|mention|annotate"
    r"|type|confirm|clean|close|disable|enable|expose|hardcode|render|restart|target|wait|cite|let"
    r"|only|state|query|configure|convert|rely|bring|lint|seed|inline|persist|emit|exit|fail"
    r"|assert|aim|choose|pick|summari[sz]e|apologi[sz]e|guess|refactor|reformat|rewrite"
    r"|restructure|touch|modify|overwrite|truncate|depend|introduce|nest|swallow|suppress|bypass"
    r"|expect|consider|truncate)"
)
DONT = (
    r"(?:don'?t|do not|dont|never|don't ever|do not ever|dont ever|must not|mustn't|should not"
    r"|shouldn't|shouldnt)"
)
#: Several, any or kinds of a thing: not the one at hand.
KINDS = (
    r"(?:any|every|each|all|new|public|private|existing|our(?: own)?|other people's"
    r"|user[-\s]facing|generated|integration|production) [\w-]{1,60}"
    r"|(?!the\b|this\b|these\b|those\b|it's\b|its\b|details\b|changes\b|errors\b|logs\b|docs\b"
    r"|users\b|orders\b|settings\b|results\b|options\b|steps\b|windows\b|macos\b|ios\b|postgres\b"
    r"|kubernetes\b|jenkins\b|aws\b)(?:(?:similar|small|large|long|simple|complex|optional"
    r"|required|shared|slow|async|external|internal|database|http|test|unit|error|log|commit"
    r"|config) )?[a-z][\w-]{2,40}s\b(?<!ss)(?<!us)(?<!is)(?<!as)(?! (?:page|list|table|file|button"
    r"|service|module|folder|screen|view|function|class)\b)|code\b|sql\b|css\b"
)
GENERIC = (
    r"(?:any|every|each|all|no|new|public|private|both kinds of|other people's|such|existing"
    r"|our(?: own)?|my|your|user[-\s]facing|unrelated|generated|integration|unit|e2e|external"
    r"|secret|personal) [\w-]{1,60}|an? (?!look|second|sec|bit|moment|minute|button|try|test"
    r"|script|function|comment|branch|pr\b|page|new branch|summary|helper|file that"
    r"|unit test)[\w-]{1,60}|(?!the\b|this\b|these\b|those\b|tests\b|it's|its\b|let's|changes\b"
    r"|errors\b|logs\b|dependencies\b|merge\b)[a-z][\w-]{2,40}s\b(?<!ss)(?<!us)(?<!is)(?<!as)"
    r"|code\b|sql\b|css\b|data\b|business logic"
)
STATE_VERB = (
    r"(?:is|are|'s|has|have|lives?|uses?|means|belongs?|comes?|contains?|exists?|writes?|keeps?"
    r"|stores?|needs?|runs?|returns?|listens?|expires?|requires?|supports?|works?|depends?"
    r"|expects?|ships?|deploys?|resets?|breaks?|only|goes|go|starts?|happens?|gets?|sends?|strips?"
    r"|caches?|lags?|hits?|(?:in|ex)cludes?|restarts?|updates?|buffers?|says|owns?|differs?"
    r"|retr(?:y|ies)|doubles?|triggers?|rewrites?|swallows?|assumes?|blocks?|kills?|times? out"
    r"|rotates?|wraps?|shares?|reads?|allows?|rejects?|accepts?|targets?|limits?|costs?|takes?"
    r"|applies|apply|calls?|loads?|follows?|points?|serves?|handles?|generates?|builds?|syncs?"
    r"|maps?|deletes?|creates?|removes?|writes?|mirrors?|wins?|owns?|fires?|checks?|forbids?"
    r"|locks?|wipes?|delivers?|gets|pays?|drops?|throws?|ignores?|rounds?|converts?|logs?|emits?"
    r"|listens|polls?|retries|validates?|signs?|encrypts?|redirects?|forwards?|overrides?"
    r"|inherits?|imports?|exports?|mounts?|injects?|provides?|replaces?|collects?|aggregates?|must"
    r"|can't|cannot|can|don't|doesn't|do not|does not|aren't|isn't|hasn't|won't|should)"
)
