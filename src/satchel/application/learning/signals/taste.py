"""How somebody wants to be addressed: one person's taste, in every project. Pure."""

from __future__ import annotations

from satchel.storage.kept_patterns import spoken

_TALK = spoken(
    r"\b(?:(?:answer|reply|respond|talk|write to me)(?:ing|s)? (?:to me )?in \w+"
    r"|(?:answer|reply|respond|explain|talk) (?:(?:it|things|a bit|much) )?"
    r"(?:shorter|longer|briefly|slower|simpler|in fewer words|with fewer words)"
    r"|(?:need|want|without|skip|drop|no) (?:(?:a|the|any) )?summar"
    r"(?:y|ies) (?:at the end|after\b)|(?:short|shorter|brief|long|longer|terse) (?:answers?"
    r"|replies|explanations?|summar(?:y|ies))"
    r"|(?:your|with an?|trailing|closing) (?:answers?|replies|explanations?|summar(?:y|ies))"
    r"|(?:answers?|replies|explanations?|summaries) (?:short|brief|terse|concise|to the point)"
    r"|summar(?:ize|ise|izing|ising) what|apologi[sz]\w+|preambles?|be (?:brief|terse|concise)"
    r"|call me|bullet points|(?:tell|telling) me what you|what you(?:'re| are) about to"
    r"|long explanations|explain (?:it )?like i|repeat(?:ing)? my questions?|no praise"
    r"|(?:get|come) to the point"
    # What an answer is to begin or end with: "the summary at the end of every answer".
    r"|(?:summar(?:y|ies)|recaps?|emojis?|headings?|disclaimers?"
    r"|sign-?offs?) (?:(?:at|in|on|after|before|the|start|top|end|bottom|beginning|of) ){1,5}"
    r"(?:(?:every|each|all|any|your) ){0,2}(?:answers?|reply|replies|messages?))\b"
)
#: The language of the answers, wished for in another language than English.
_ASKED = spoken(
    r"\b(?:antwort|antwoord|schreib|rede|sprich|sprech|erklär|praat|r[ée]pond|[ée]cri|parle|expli"
    r"|resp[óo]nd|contest|cont[ée]sta|h[áa]bla|rispond|parla|scriv|spieg"
    r"|fal[ae])\w*[^.!?;:]{0,60}?\b(?:auf|in|en|em|op) (?:(?:dem|het) )?(?:deutsch|englisch"
    r"|franz[öo]sisch|spanisch|italienisch|allemand|anglais|fran[çc]ais|espagnol|italien"
    r"|alem[áaã]o?n?|ingl[éeê]s|franc[éeê]s|espa[ñn]ol|espanhol|italiano|portugu[éeê]s|tedesco"
    r"|inglese|francese|spagnolo|duits|engels|frans|nederlands)\b"
)
#: Lets the agent do without asking: "don't ask me before every small edit".
_LEAVE = spoken(
    r"\b(?:don['\u2019]?t|do not|never|no need to|stop|needn['\u2019]?t|not (?:have|need) to) "
    r"(?:(?:need|have) to )?ask(?:ing)? me\b(?! (?:for|about|to) (?!every\b|each\b|any\b))"
)
#: Texts written for others are the project's.
_WORK = spoken(
    r"\b(?:commits?|pull requests?|prs?|changelog|code|comments?|docs|readme|api|endpoints?|http"
    r"|json|tests?|ui|logs?|errors?|clients?|servers?|requests?|customers?|users?|tickets?|issues?"
    r"|kommentare?|fehler\w*|kunden?|nutzer|benutzer|doku\w*|commentaires?|erreurs?|utilisateurs?"
    r"|comentarios?|errores|usuarios?|clientes?|commenti|errori|utenti|clienti|coment[áa]rios?"
    r"|erros)\b"
)
#: Statements about every project go where every project reads them.
_EVERYWHERE = spoken(
    r"\b(?:in|across|for) (?:all|any|every|each)(?: (?:of )?(?:our|my|the))? (?:other )?(?:repos?"
    r"|repositor(?:y|ies)|projects?|codebases?)\b"
)


def is_taste(text: str) -> bool:
    """Return whether a sentence holds in every project: by its words, or as taste."""
    if _EVERYWHERE.search(text) or _LEAVE.search(text):
        return True
    told = _TALK.search(text) or _ASKED.search(text)
    # What follows says why: "answer in English, for the screenshots in the pull requests".
    main = text[: told.end()] + text[told.end() :].partition(",")[0] if told else ""
    return bool(told) and not _WORK.search(main)
