"""How somebody wants to be addressed: one person's taste, in every project. Pure."""

from __future__ import annotations

import re

from satchel.storage.kept_patterns import LazyPattern

_TALK = LazyPattern(
    r"\b(?:(?:answer|reply|respond|talk|write\s+to\s+me)(?:ing|s)?\s+(?:to\s+me\s+)?in\s+\w+"
    r"|(?:answer|reply|respond|explain|talk)\s+(?:(?:it|things|a\s+bit|much)\s+)?"
    r"(?:shorter|longer|briefly|slower|simpler|in\s+fewer\s+words|with\s+fewer\s+words)"
    r"|(?:need|want|without|skip|drop|no)\s+(?:(?:a|the|any)\s+)?summar(?:y|ies)\s+(?:at\s+the\s+end|after\b)"
    r"|(?:short|shorter|brief|long|longer|terse)\s+(?:answers?|replies|explanations?|summar(?:y|ies))"
    r"|(?:your|with\s+an?|trailing|closing)\s+(?:answers?|replies|explanations?|summar(?:y|ies))"
    r"|(?:answers?|replies|explanations?|summaries)\s+(?:short|brief|terse|concise|to\s+the\s+point)"
    r"|summar(?:ize|ise|izing|ising)\s+what|apologi[sz]\w+|preambles?|be\s+(?:brief|terse|concise)"
    r"|call\s+me|bullet\s+points|(?:tell|telling)\s+me\s+what\s+you|what\s+you(?:'re|\s+are)\s+about\s+to"
    r"|long\s+explanations|explain\s+(?:it\s+)?like\s+i|repeat(?:ing)?\s+my\s+questions?|no\s+praise"
    r"|(?:get|come)\s+to\s+the\s+point"
    # What an answer is to begin or end with: "the summary at the end of every answer".
    r"|(?:summar(?:y|ies)|recaps?|emojis?|headings?|disclaimers?|sign-?offs?)\s+"
    r"(?:(?:at|in|on|after|before|the|start|top|end|bottom|beginning|of)\s+){1,5}"
    r"(?:(?:every|each|all|any|your)\s+){0,2}(?:answers?|reply|replies|messages?))\b",
    re.IGNORECASE,
)
#: The language of the answers, wished for in another language than English.
_ASKED = LazyPattern(
    r"\b(?:antwort|antwoord|schreib|rede|sprich|sprech|erklär|praat|r[ée]pond|[ée]cri|parle|expli"
    r"|resp[óo]nd|contest|cont[ée]sta|h[áa]bla|rispond|parla|scriv|spieg|fal[ae])\w*"
    r"[^.!?;:]{0,60}?\b(?:auf|in|en|em|op)\s+(?:(?:dem|het)\s+)?"
    r"(?:deutsch|englisch|franz[öo]sisch|spanisch|italienisch|allemand|anglais|fran[çc]ais|espagnol"
    r"|italien|alem[áaã]o?n?|ingl[éeê]s|franc[éeê]s|espa[ñn]ol|espanhol|italiano|portugu[éeê]s"
    r"|tedesco|inglese|francese|spagnolo|duits|engels|frans|nederlands)\b",
    re.IGNORECASE,
)
#: Lets the agent do without asking: "don't ask me before every small edit".
_LEAVE = LazyPattern(
    r"\b(?:don['\u2019]?t|do\s+not|never|no\s+need\s+to|stop|needn['\u2019]?t|not\s+(?:have|need)\s+to)\s+"
    r"(?:(?:need|have)\s+to\s+)?ask(?:ing)?\s+me\b(?!\s+(?:for|about|to)\s+(?!every\b|each\b|any\b))",
    re.IGNORECASE,
)
#: Texts written for others are the project's.
_WORK = LazyPattern(
    r"\b(?:commits?|pull\s+requests?|prs?|changelog|code|comments?|docs|readme|api|endpoints?|http"
    r"|json|tests?|ui|logs?|errors?|clients?|servers?|requests?|customers?|users?|tickets?|issues?"
    r"|kommentare?|fehler\w*|kunden?|nutzer|benutzer|doku\w*|commentaires?|erreurs?|utilisateurs?"
    r"|comentarios?|errores|usuarios?|clientes?|commenti|errori|utenti|clienti|coment[áa]rios?|erros)\b",
    re.IGNORECASE,
)
#: Statements about every project go where every project reads them.
_EVERYWHERE = LazyPattern(
    r"\b(?:in|across|for)\s+(?:all|any|every|each)(?:\s+(?:of\s+)?(?:our|my|the))?\s+(?:other\s+)?"
    r"(?:repos?|repositor(?:y|ies)|projects?|codebases?)\b",
    re.IGNORECASE,
)


def is_taste(text: str) -> bool:
    """Return whether a sentence holds in every project: by its words, or as taste."""
    if _EVERYWHERE.search(text) or _LEAVE.search(text):
        return True
    told = _TALK.search(text) or _ASKED.search(text)
    # What follows says why: "answer in English, for the screenshots in the pull requests".
    main = text[: told.end()] + text[told.end() :].partition(",")[0] if told else ""
    return bool(told) and not _WORK.search(main)
