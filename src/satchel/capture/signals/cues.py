"""Cues: the words by which people decide, correct, prefer and tell, each with its weight.

A cue speaks for one label. Weights add up over a turn (each cue once); 1.0 is enough for a label.
Cues of a question weigh less: who asks has not decided. Written from how people speak to a coding
agent, checked on a half of the public turns, judged on the other (docs/decisions/0026-signals.md).
"""

from __future__ import annotations

import re

from satchel.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern

DECISION, CORRECTION, PREFERENCE, FACT = "decision", "correction", "preference", "fact"
LABELS = (CORRECTION, DECISION, FACT, PREFERENCE)


class Cue(NamedTuple):
    """One wording. `asked`: it counts in a question as well as in a statement."""

    label: str
    name: str
    weight: float
    pattern: Pattern[str]
    asked: bool = False


def _cue(label: str, name: str, weight: float, pattern: str, *, asked: bool = False) -> Cue:
    return Cue(label, name, weight, re.compile(pattern, re.IGNORECASE), asked)


#: Verbs by which somebody looks, waits or moves on: "let's see" decides nothing about the work.
_LOOKING = (
    r"(?:examine|say|summari[sz]e|respond|address|look|see|check|discuss|think|talk|review|recap|wait|move|continue|start|try|take"
    r"|figure|find|investigate|debug|test|run|verify|explore|go\s+(?:over|through|back|ahead)|do\s+a)"
)
_LEAD = r"^(?:(?:ok(?:ay)?|yes|yeah|yep|yup|sure|alright|great|cool|nice|right|perfect|and|so|then|but|hmm+|well|also|now|actually)\b[\s,.!:]*){0,3}"
_CHANGE = (
    r"(?:use|keep|add|remove|drop|rename|store|make|set|put|change|switch|replace|skip|leave|call"
    r"|implement|revert|merge|move|sort|show|print|return|write|go|do|default|stick|split|avoid"
    r"|ignore|delete|update|allow|include|extract|document|support|handle|treat|fix|create)"
)

CUES: tuple[Cue, ...] = (
    # ---- decisions -------------------------------------------------------------------------
    _cue(DECISION, "let us", 1.0, rf"\blet['\u2019]?s\s+(?:(?:just|then|also|first|now|rather|not)\s+)*(?!{_LOOKING}\b)[a-z]"),
    _cue(DECISION, "let us not", 1.0, r"\blet['\u2019]?s\s+(?:not|skip|drop|leave|keep|go\s+with|implement)\b"),
    _cue(DECISION, "go with", 1.0, r"\b(?:go(?:ing)?|went|stick|sticking|stay|proceed|run)\s+with\s+(?!the\s+flow)"),
    _cue(DECISION, "I'd go with", 1.0, r"\bI(?:['\u2019]d|\s+would|['\u2019]ll|\s+will)\s+(?:go|stick|stay|start)\s+with\b|\bwhat\s+we\s+went\s+with\b", asked=True),
    _cue(DECISION, "I'd prefer", 0.8, r"\bI(?:['\u2019]d|\s+would)?\s+(?:prefer|rather)\b"),
    _cue(DECISION, "agreed with somebody", 1.0, r"\b(?:decision\s+made|signed\s+off|we(?:['\u2019]ve)?\s+(?:have\s+)?agreed|it\s+is\s+decided|has\s+(?:been\s+)?decided|adopt(?:ing|ed)?\s+the|no\s+more\s+\w+\s+\w+)\b"),
    _cue(DECISION, "we should", 0.9, r"\b(?:we|it|this|that|they|there)\s+(?:should|must|need\s+to|needs\s+to)\s+(?:probably\s+|then\s+|just\s+|always\s+|only\s+|not\s+|also\s+)*(?!check|look|see|find|have\s+been|investigate|discuss)[a-z]"),
    _cue(DECISION, "I think we", 0.5, r"\bI\s+(?:think|feel\s+like|believe|guess|say)\b.{0,30}\b(?:should|need|would\s+be\s+better|is\s+(?:fine|better|best|correct|right|good))\b"),
    _cue(DECISION, "I want", 0.8, r"\bI\s*(?:['\u2019]d|\s+would)?\s+(?:want|like)\s+(?:it|this|that|the|to\s+(?:be|have|keep|use|do|go|see|change|remove|add|store))\b"),
    _cue(DECISION, "we decided", 1.2, r"\b(?:decided|chose|chosen|opted|settled|agreed|picked)\b.{0,20}\b(?:to|on|for|that|over|not)\b|\b(?:we|I)(?:['\u2019]re|\s+are|['\u2019]m|\s+am)\s+(?:going\s+to\s+(?:use|switch|keep|drop)|using|switching|dropping|keeping)\b"),
    _cue(DECISION, "we will", 0.8, r"\b(?:we|I)(?:['\u2019]ll|\s+will)\s+(?:not\s+)?(?:use|keep|go|leave|do|look\s+at\s+it\s+later|skip|drop|move|rename|store|stick|take|switch)\b"),
    _cue(DECISION, "option", 0.6, r"\b(?:option|approach|variant|choice|solution|proposal|alternative)\s*#?(?:\d|[a-e]\b|one|two|three)|\b(?:the\s+)?(?:first|second|third|last|latter|former)\s+(?:one|option|approach|variant)\b|^\s*(?:[a-e]|\d)\s*[).:]?\s*$|\b[A-E]\)"),
    _cue(DECISION, "is fine", 0.6, r"\b(?:is|are|sounds|looks|seems)\s+(?:fine|good|great|right|better|best|the\s+best|the\s+way|correct|perfect|reasonable|the\s+least\s+worst)\b"),
    _cue(DECISION, "for now", 0.6, r"\bfor\s+(?:now|the\s+first\s+cut|the\s+moment|this\s+release)\b|\bout\s+of\s+scope\b|\bas\s+a\s+follow[- ]?up\b|\bnot\s+worth\s+(?:it|doing)\b"),
    _cue(DECISION, "never mind", 1.0, r"\bnever\s*mind\b|\bforget\s+(?:it|about\s+(?:it|that|this))\b|\bscrap\s+(?:it|that|this)\b"),
    _cue(DECISION, "do it so", 0.5, rf"{_LEAD}(?:please\s+|just\s+|then\s+)*(?:do\s+not|don['\u2019]?t|only|{_CHANGE})\b(?!\s+(?:you|we|I)\b)"),
    _cue(DECISION, "implement", 0.6, r"\bimplement\s+(?:this|that|it|the|all|both|option|approach|\d)"),
    _cue(DECISION, "we do not need", 0.8, r"\b(?:we|I)\s+(?:do\s+not|don['\u2019]?t|won['\u2019]?t)\s+(?:need|want|care|support|have\s+to)\b|\bno\s+need\s+(?:to|for)\b"),
    _cue(DECISION, "rather than", 0.5, r"\b(?:instead\s+of|rather\s+than|in\s+favou?r\s+of|and\s+not|over)\s+(?:the\s+|a\s+)?\S+"),
    _cue(DECISION, "the reason", 0.4, r"\b(?:because|since|so\s+that|the\s+reason)\b"),
    # ---- corrections -----------------------------------------------------------------------
    _cue(CORRECTION, "no", 1.0, r"^(?:no|nope|nah)\b(?!\s+(?:problem|worries|need|rush|response|idea))[\s,.!:]"),
    _cue(CORRECTION, "wait", 0.7, r"^(?:wait|hold\s+on|stop|hmm+|hm|actually|oh|oops|uh+|ugh|sorry)\b"),
    _cue(CORRECTION, "is wrong", 1.0, r"\b(?:is|are|was|were|looks?|seems?|still|that['\u2019]?s|it['\u2019]?s|this\s+is)\s+(?:(?:still|just|completely|totally|a\s+bit|now|clearly)\s+)?(?:wrong|incorrect|broken|backwards|misleading|confusing|inconsistent|not\s+(?:right|correct|true|what|fully|quite|the|how|working|really)|off\b)"),
    _cue(CORRECTION, "have it backwards", 1.0, r"\b(?:have|got|has)\s+(?:this|that|it|them)\s+(?:backwards|wrong|mixed|the\s+wrong)"),
    _cue(CORRECTION, "you did", 1.1, r"\byou\s+(?:missed|forgot|didn['\u2019]?t|did\s+not|should(?:n['\u2019]?t)?\s+(?:not\s+)?have|broke|removed|deleted|ignored|skipped|misunderstood|misread|keep\s+(?:\w+ing)|changed|are\s+(?:wrong|missing|not)|haven['\u2019]?t|weren['\u2019]?t|still)\b"),
    _cue(CORRECTION, "why did you", 1.0, r"\bwhy\s+(?:did|are|do|have|would|didn['\u2019]?t)\s+you\b|\bhow\s+many\s+times\b|\bI\s+(?:already\s+)?(?:told|said|asked)\b|\bas\s+I\s+said\b|\bnot\s+again\b", asked=True),
    _cue(CORRECTION, "I meant", 1.1, r"\bI\s+(?:meant|mean)\b|\bnot\s+what\s+I\s+(?:want|ask|mean|said)|\bI\s+(?:did\s+not|didn['\u2019]?t)\s+(?:ask|mean|want|say)\b"),
    _cue(CORRECTION, "still", 0.9, r"\bstill\s+(?:not|fail|fails|failing|shows?|showing|reads?|broken|get(?:ting)?|see(?:ing)?|wrong|the\s+same|doesn|don|isn)"),
    _cue(CORRECTION, "does not work", 0.9, r"\b(?:does|do|did|is|are|was)(?:n['\u2019]?t|\s+not)\s+(?:work|working|seem|look|show|fix|help|match|happen|appear|change|compile|come|do\b)|\b(?:not|never)\s+(?:working|seeing|showing|getting|coming)\b|\bfails?\s+(?:with|again|to|on)\b"),
    _cue(CORRECTION, "do not", 1.0, r"^(?:please\s+)?(?:do\s+not|don['\u2019]?t|stop|quit|never)\s+(?!worry|bother|forget|think|know|mind|have|want)[a-z]+"),
    _cue(CORRECTION, "undo", 0.9, r"\b(?:revert|undo|roll\s*back|put\s+(?:it|that|this|them)\s+back|back\s+out|take\s+(?:it|that)\s+out|go\s+back\s+to)\b"),
    _cue(CORRECTION, "should be", 0.7, r"\b(?:should|must|has\s+to|needs\s+to)\s+(?:be|have\s+been|return|say|show|read|use)\b.{0,80}\b(?:not|instead|rather)\b|\bshould(?:n['\u2019]?t|\s+not)\s+(?:be|have|do|use|change|need)\b|\bit\s+should\s+be\b"),
    _cue(CORRECTION, "instead", 0.8, r"\binstead\s+of\b.{0,120}\b(?:use|print|do|say|write|show|call|put|make|create|return)\b|\b(?:use|do|try|say|make|write|rename\s+to|change\s+to)\b.{0,60}\binstead\b"),
    _cue(CORRECTION, "not true", 1.0, r"\b(?:not|isn['\u2019]?t|wasn['\u2019]?t|aren['\u2019]?t)\s+(?:\w+\s+)?(?:true|correct|right|accurate|the\s+case|necessary)\b"),
    _cue(CORRECTION, "I do not think", 0.9, r"\bI\s+(?:don['\u2019]?t|do\s+not)\s+(?:think|believe|understand\s+why|see\s+(?:why|the|it|any)|agree)\b"),
    _cue(CORRECTION, "should it not", 0.9, r"\b(?:shouldn['\u2019]?t|isn['\u2019]?t|wasn['\u2019]?t|aren['\u2019]?t|wouldn['\u2019]?t|doesn['\u2019]?t)\s+(?:we|it|this|that|these|those|you|the)\b", asked=True),
    _cue(CORRECTION, "why is it", 0.6, r"^(?:but\s+|so\s+|and\s+|then\s+|wait,?\s+)?why\s+(?:is|are|does|do|would|was|were)\b", asked=True),
    _cue(CORRECTION, "a problem", 0.7, r"\bthere(?:['\u2019]s|\s+is|\s+are|\s+seems\s+to\s+be)\s+(?:still\s+)?(?:a|an|some|no)\s+(?:issue|problem|bug|error|mistake|regression)s?\b|\b(?:broke|breaks|crash(?:es|ed)?|hangs?)\b"),
    _cue(CORRECTION, "too much", 0.7, r"\b(?:too|overly|unnecessarily)\s+(?:verbose|long|complex|complicated|much|many|generic|noisy|strict|aggressive|clever|specific|big)\b|\boverkill\b|\b(?:un|not\s+)necessary\b"),
    _cue(CORRECTION, "not helping", 0.8, r"\b(?:not|isn['\u2019]?t|doesn['\u2019]?t)\s+(?:really\s+)?(?:help|helping|helpful|useful|needed|make\s+sense)|\bmakes?\s+no\s+sense\b"),
    _cue(CORRECTION, "somehow", 0.9, r"\bit\s+(?:somehow|always|now|again|just|keeps?)\s+(?:always\s+)?(?:lists?|shows?|prints?|fails?|does|says?|returns?|breaks?|crash(?:es)?|hangs?|ignores?)\b|\bI(?:['\u2019]m|\s+am)\s+(?:still\s+)?(?:not\s+seeing|getting\s+(?:an?\s+)?error|seeing\s+(?:an?\s+)?(?:error|the\s+same))"),
    _cue(CORRECTION, "missed", 0.6, r"\b(?:missed|missing|forgot|forgotten|overlooked|mistake|typo|regression|wrong)\b"),
    # ---- preferences -----------------------------------------------------------------------
    _cue(PREFERENCE, "I prefer", 1.2, r"\bI\s*(?:['\u2019]d|\s+would)?\s+(?:strongly\s+|really\s+|much\s+)?(?:prefer|rather|favou?r)\b|\bmy\s+preference\b|\bprefers?\b|\bpreferred\b", asked=True),
    _cue(PREFERENCE, "I would like", 0.7, r"\bI\s*(?:['\u2019]d|\s+would)\s+(?:like|love)\s+(?:to\s+(?:do|have|keep|use|work|follow)|it\s+if|you\s+to|that)\b"),
    _cue(PREFERENCE, "I like", 1.0, r"\bI\s+(?:really\s+|always\s+|usually\s+|never\s+|don['\u2019]?t\s+)?(?:like|love|hate|enjoy|dislike)\s+(?!to\s+know)(?:it|the|when|to|that|this|how|using|having|[a-z]+ing)\b|\bI\s+(?:always|usually|never|tend\s+to)\s+\w+"),
    _cue(PREFERENCE, "always", 1.0, r"\b(?:always|never|every\s+time|each\s+time|whenever)\s+(?:use|run|do|add|write|ask|commit|push|check|make|keep|call|put|include|start|create|prefer|update|follow)\b"),
    _cue(PREFERENCE, "from now on", 1.2, r"\bfrom\s+now\s+on\b|\bgoing\s+forward\b|\bin\s+(?:the\s+)?future\b.{0,40}\b(?:use|do|don|please|always|never)\b|\bby\s+default\b|\bas\s+a\s+(?:general\s+)?rule\b|\bremember\s+(?:to|that)\b"),
    _cue(PREFERENCE, "instruction file", 1.0, r"\b(?:add|put|write|save|note|include)\b.{0,40}\b(?:in|into|to)\s+(?:the\s+|your\s+|our\s+)?(?:CLAUDE|AGENTS|GEMINI|BEANS|MEMORY)(?:\.local)?\.md\b|\b(?:memorize|memorise|remember)\s+this\b", asked=True),
    _cue(PREFERENCE, "name it so", 1.1, r"\b(?:use|with)\s+(?:the\s+|a\s+|an\s+)?(?:prefix|suffix|format|style|convention|naming|tabs?|spaces|snake|camel|kebab|pascal|conventional|single|double)\b"),
    _cue(PREFERENCE, "stick to", 0.9, r"\bstick\s+(?:to|with)\b|\bfollow\s+(?:the|our|my|this)\s+(?:style|convention|pattern|guide|workflow|approach)", asked=True),
    _cue(PREFERENCE, "use this not that", 1.0, r"\buse\b.{1,50}\b(?:and\s+not|not|instead\s+of|rather\s+than)\b"),
    _cue(PREFERENCE, "way of working", 0.7, r"\b(?:TDD|test[- ]driven|test[- ]first|small(?:er)?\s+commits?|separate\s+commits?|feature\s+branch|draft\s+PR|commit\s+messages?|workflow)\b"),
    _cue(PREFERENCE, "how to work", 0.6, rf"{_LEAD}(?:please|let['\u2019]?s|always|don['\u2019]?t|do\s+not|use|keep|make|we\s+should|I\s+want|I['\u2019]?d\s+like)\b.{{0,80}}\b(?:commits?|branch(?:es)?|PRs?|pull\s+requests?|comments?|naming|style|format(?:ting)?|tone|wording|docstrings?|changelog|lint(?:er)?)\b"),
    _cue(PREFERENCE, "keep it so", 0.8, r"\b(?:keep|make|be)\s+(?:it|them|this|things|your|the\s+(?:comments?|messages?|answers?|tests?|code))?\s*(?:short|shorter|simple|concise|brief|minimal|terse|consistent|explicit|small)\b"),
    _cue(PREFERENCE, "do not act", 1.0, r"^(?:please\s+)?(?:do\s+not|don['\u2019]?t|never|stop)\s+(?:ever\s+)?(?:stash|commit|push|add|create|use|run|touch|edit|write|change|include|mention|put|install|delete|amend|squash|mock|skip|ask)\b"),
    _cue(PREFERENCE, "each thing", 0.5, r"^(?:each|every|all)\s+\w+\s+(?:should|must|has|have|defines?|gets?)\b|\bplease\s+(?:use|keep|always|only|make\s+sure|avoid)\b"),
    # ---- facts -----------------------------------------------------------------------------
    _cue(FACT, "for your information", 1.2, r"\b(?:fyi|btw|by\s+the\s+way|for\s+context|note\s+that|keep\s+in\s+mind|just\s+so\s+you\s+know|heads\s+up|for\s+reference|confirmed)\b"),
    _cue(FACT, "has changed", 1.0, r"\b(?:the|that|this|our|main|upstream)\s+(?:[\w-]+\s+){0,3}(?:altered|changed|removed|added|renamed|introduced|replaced|merged|released|deployed|landed|moved|broke)\b"),
    _cue(FACT, "I have recently", 1.0, r"\b(?:I['\u2019]?ve|I\s+have|we['\u2019]?ve|we\s+have)\s+(?:only\s+|just\s+|also\s+|recently\s+|already\s+|now\s+|previously\s+)+(?:\w+ed|started|seen|had|moved|been|got|made|run|set)\b|\bI\s+(?:also\s+)?(?:moved|switched|upgraded|migrated|installed|updated)\b"),
    _cue(FACT, "we use", 1.0, r"\b(?:we|our\s+\w+|the\s+(?:team|project|repo|company|server|service|database|api|app))\s+(?:currently\s+|always\s+|already\s+|only\s+|still\s+)?(?:use[sd]?|run[s]?|deploy[s]?|live[s]?|lies|support[s]?|require[s]?|host[s]?|depend[s]?|ship[s]?|store[s]?|expect[s]?)\b(?!\s*\?)"),
    _cue(FACT, "the cause", 1.0, r"\b(?:turns?\s+out|the\s+(?:root\s+)?(?:cause|reason|issue|problem|bug)\s+(?:is|was)\s+(?!that\s+you)|it\s+was\s+(?:caused|because)|figured\s+out|found\s+(?:out|it))\b"),
    _cue(FACT, "figure", 0.4, r"\b(?:is|was|takes?|costs?|at|about|around|up\s+to)\s+(?:about\s+|around\s+|only\s+)?[$\u20ac]?\d[\d.,]*\s*(?:%|ms|s\b|sec|seconds?|min|minutes?|h\b|hours?|days?|[kmg]b|[KMG]iB|rows|users|\u00b0|USD|EUR|lines)"),
    _cue(FACT, "it is", 0.4, r"^(?:the|our|this|that|these|those|there|it|they|[A-Z][\w.-]+)\s+(?:\S+\s+){0,4}(?:is|are|was|were|has|have|had|does|lives?|uses?|means?|belongs?|comes?|contains?|happens?|exists?)\b"),
    _cue(FACT, "version or place", 0.5, r"\b(?:version|port|branch|region|endpoint|hostname|path|directory|folder|bucket|account)\s+(?:is|was|=|lives)\b|\bv?\d+\.\d+(?:\.\d+)?\b.{0,20}\b(?:is|was|requires?|supports?|drops?)\b"),
)  # fmt: skip
