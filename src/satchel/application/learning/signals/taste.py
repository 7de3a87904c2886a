"""How somebody wants to be addressed: one person's taste, in every project. Pure."""

from __future__ import annotations

import re

_TALK = re.compile(
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
    r"|(?:get|come)\s+to\s+the\s+point)\b",
    re.IGNORECASE,
)
#: The language of the answers, wished for in another language than English.
_LANGUAGES = (
    r"(?:deutsch|englisch|franz[öo]sisch|spanisch|italienisch|allemand|anglais|fran[çc]ais"
    r"|espagnol|italien|alem[áa]n|ingl[ée]s|franc[ée]s|espa[ñn]ol|italiano|tedesco|inglese"
    r"|francese|spagnolo|alem[ãa]o|ingl[êe]s|franc[êe]s|espanhol|portugu[êeé]s|portugiesisch"
    r"|portugais|portoghese|duits|engels|frans|nederlands|holländisch|polnisch|t[üu]rkisch)"
)
_ASKED = re.compile(
    r"\b(?:(?:be)?antworte(?:n|t|st)?|schreib(?:e|en|t)?|red(?:e|en|et)|sprich|sprecht|erklär(?:e|en|t)?"
    r"|r[ée]pond(?:s|ez|re)|[ée]cri(?:s|vez)|parle[zr]?|explique[zr]?"
    r"|resp[óo]nd[ae](?:me|nos|r)?|responder?me|contest[áae]r?(?:me|nos)?|cont[ée]stame|h[áa]bla(?:me|r)?"
    r"|esc[rí]+beme|expl[íi]came"
    r"|rispond(?:i|imi|ere|ermi|ete|etemi)|parla(?:mi)?|scrivi(?:mi)?|spiega(?:mi)?"
    r"|responda(?:-me)?|responde(?:-me)?|fal[ae](?:\s+comigo)?|antwoord|praat)\b"
    r"[^.!?;:]{0,60}?\b(?:auf|in|en|em|op)\s+(?:(?:dem|het)\s+)?" + _LANGUAGES + r"\b",
    re.IGNORECASE,
)
#: Texts written for others are the project's.
_WORK = re.compile(
    r"\b(?:commits?|pull\s+requests?|prs?|changelog|code|comments?|docs|readme|api|endpoints?|http"
    r"|json|tests?|ui|logs?|errors?|clients?|servers?|requests?|customers?|users?|tickets?|issues?)\b",
    re.IGNORECASE,
)


_FOREIGN_WORK = re.compile(
    r"\b(?:kommentare?n?|fehler\w*|tests?|nutzern?|kunden?|benutzern?|doku\w*|commit\w*"
    r"|kunde|commentaires?|erreurs?|utilisateurs?|clients?|comentarios?|errores|usuarios?|clientes?"
    r"|commenti|errori|utenti|clienti|documenta\w+|coment[áa]rios?|erros|mensajes?|messaggi)\b",
    re.IGNORECASE,
)
#: Statements about every project go where every project reads them.
_EVERYWHERE = re.compile(
    r"\b(?:in|across|for)\s+(?:all|any|every|each)(?:\s+(?:of\s+)?(?:our|my|the))?\s+(?:other\s+)?"
    r"(?:repos?|repositor(?:y|ies)|projects?|codebases?)\b",
    re.IGNORECASE,
)


def is_taste(text: str) -> bool:
    """Return whether a sentence holds in every project: by its words, or as taste."""
    if _EVERYWHERE.search(text):
        return True
    talks = _TALK.search(text) or _ASKED.search(text)
    return bool(talks) and not (_WORK.search(text) or _FOREIGN_WORK.search(text))
