"""Which signals are lessons: lasting, specific, and understandable on their own.

A signal says that something was meant; a proposal must be worth a line in a file that is read for
months. So every proposal passes here, whatever found it. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from satchel.application.learning.signals.causes import cause_in
from satchel.application.learning.signals.likelihood import words_of
from satchel.application.learning.signals.speech.wording import SMILES
from satchel.application.learning.signals.values import BEHAVIORAL, LOW, PROJECT, RECURRING, Signal
from satchel.clients.transcript_format.values import USER
from satchel.core.redaction.redactor import redact
from satchel.storage.kept_patterns import spoken

#: Somebody chose to keep these words; they are not filtered.
_MEANT = ("captured", "moved")
_ARCS = ("tests_green", "error_fix", "usage")
#: A compiler's message, which it will repeat for the same mistake.
_MECHANICAL = spoken(
    r"\bundefined:|\bunused\b|\bimported and not used\b|\bis not used\b|^func \w+$|\bundeclared\b"
    r"|\bexpected (?:declaration|'|\")|\bcould not apply\b|\bunexpected (?:token|indent|EOF)\b"
    r"|\bnothing (?:added )?to commit\b|\bno changes added to commit\b"
)
_LEAST_WORDS = 4
_TELLING = 2
_A_FINDING, _TOLD_OUT = 8, 12
_ENDS_BARE = spoken(r"(?:\b(?:it|this|that|them|these|those)|'s)[.!]?$")
#: A finding without a name must be explicit: what is so, and contrary to what, or by what.
_EXPLAINS = spoken(
    r", not \w|\binstead of\b|\brather than\b|\bbecause\b|\bcaused\b|\bonly (?:if|when)\b"
    r"|\bunless\b"
)
#: Something specific: code, a path, a flag, a quoted term, a file, a number with its unit.
_NAMED = re.compile(
    r"`[^`\n]{2,80}`|[\"\u201c][\w][^\"\u201d\n]{1,60}[\"\u201d]"
    r"|(?<![\w/.~-])[.~]?[\w.-]{0,80}/[\w./-]+|\b\w+/(?=[\s.,;]|$)|(?<!\w)--[a-z][\w-]+"
    r"|\b\w+\.(?:go|py|ts|tsx|js|rs|rb|java|md|json|ya?ml|toml|sh|sql)\b|\b[a-z]+_[a-z_]\w*"
    r"|\b[A-Z]{2,}_[A-Z_]+\b"
    r"|\b[a-z]+[A-Z]\w+|\b[A-Z][a-z]+[A-Z]\w*|\w\(\)|(?<=[a-z,]\s)"
    r"(?!(?:NOT|NEW|OLD|ALL|ONLY|VERY|FIRST|AND|BUT|THE|ANY|ALWAYS|NEVER|MUST)\b)[A-Z][\w-]{2,}"
    r"|\b\d+\s?(?:ms|MB|GB|seconds|minutes)\b"
    r"|\b(?:version|port|Python|Node|Go)\s+v?\d[\d.]*"
)
#: Refers to something that only those present can see.
_BARE = spoken(
    r"\b(?:it|this|that|them|these|those|they|here)(?= ?$| ?[.,;!?)]| (?:is|was|are|were|has|have"
    r"|had|should|does|did|do|can|could|would|will|must|needs?|again|too|as|for|in|on|instead|now"
    r"|without|with|and|or|to|from|up|by|only|also|just|entirely|anymore|somehow|always|never)\b)"
    r"|\b(?:this|these|those) (?!is\b|are\b|was\b|were\b"
    r"|(?:repo\w*|project|team|app|codebase|service|company)\b)[a-z]\w+"
    r"|\bthat (?:check|approach|fix|change|way|case|one|problem|issue|bug|part|thing|error|test"
    r"|code|function|feature|point|scenario|stuff|logic|plan)s?\b"
)
#: What stands before a colon is what the rest is about: "Reporting is out of scope: it will ...".
_NAMES_FIRST = spoken(r"^(?!(?:it|this|that|they|these|those)\b)\w[^:]{8,120}: $")
#: What a preceding pronoun may refer to.
_THING = spoken(
    r"\b(?:the|an?|our|your|my|each|every|all|no) "
    r"(?!(?:issue|problem|same|other|first|second|last|rest|fix|bug|real|thing)\b)[a-z][\w-]{2,}"
    r"|\b(?!perhaps|always|sometimes|does|thanks|this)[a-z]{4,}s\b"
)
_TORN = re.compile(
    r"^(?:#|if\b[^,]*$|\"(?!\w[\w .-]{1,40}\"\s)|['\u201d),.:;\]|>]"
    r"|\*\s|\d+[.)]\s|\d+\s*,|e\.g\b|i\.e\b|such\s+as\b"
    r"|like\s+(?:we|the|this)\b|and\s+yes\b|\[)"
    r"|(?:[:,(\u2026]|\b(?:and|or|the|an?|of|to|(?<!\bit\s)is|(?<!\bthey\s)are|when|if|because|with"
    r"|for|would"
    r"|need\s+to\s+update)|:\|)[\s*_`]*$"
)
_LOGGED = re.compile(
    r"\d\d:\d\d:\d\d|\b\w+=\S{1,200}\s+\w+=\S|\|\w{4,5}\||\b(?=[a-f]*\d+[a-f])[0-9a-f]{7,}\b"
    r"|\b[0-9a-f]{8}-[0-9a-f]{4}-|^\[|\bsession id\b|\b(?:created|Author|Date):\s|^>"
    r"|<[\w.+-]{1,64}@\w{1,40}\.\w|\u23bf|\u276f"
)
#: The work at hand: lists, branches, reviews, tickets, conflicts, current states.
_AT_HAND = spoken(
    r"\b(?:option|suggestion|item|point|step|approach|problem|comment|finding|phase|task|commit"
    r"|scenario|session|caveat)s? ?#?\d|(?<!\w)#\d+"
    r"|^(?:[a-z']+ ){0,2}\d+(?: ?(?:[,&+]|and) ?\d+)+\b(?! (?:is|are|mean|need|belong)\b)"
    r"|\b(?:option|scenario|session) [A-E]\b|\bthe (?:first|second|third|last|next) (?:one|two"
    r"|three|four|parts?|steps?|points?|items?|options?|comments?|suggestions?|approach|fix"
    r"|problem|changes?|commits?|prompt|session|checkpoint)\b"
    r"|\bthe (?:latter|former|rest)\b(?! (?:rules?|time|api|day|period|endpoint)\b)"
    r"|^(?:both|neither|all of)\b|\b(?:this|the|our|my|your|that|new) (?:pr|pull request|branch"
    r"|diff|conversation|change|changes|review|doc|docs|plan|ticket|linear|comments?)\b"
    r"|\bmerge conflicts?|\bconflicts? (?:with|to|from)\b|\b(?:PR|MR) ?#?\d+|\b[A-Z]{2,5}-\d+\b"
    r"|\b(?:review|pr) comments?\b|\bstep back\b|\bthinking again\b|\b(?:right|just) now\b"
    r"|\bfor now\b|\bat the moment\b|\bso far\b|\bthis time\b|\bmoving on\b|\bfollow[-\s]?up\b"
    r"|\blet'?s \w+.*\bfirst\b"
)
_IN_TIME = spoken(r"\b(?:now|yet|still|today|yesterday|later|earlier|recently)\b")
_HEDGED = spoken(
    r"\b(?:maybe|perhaps|(?:un)?likely|probably|might|could be|(?:we|it|this|there) may|may be"
    r"|seems?|appears? to|looks? like|wonder\w*|not sure|I guess|suspect|suppose\w*"
    r"|possib(?:le|ly)|hypothes\w+|assum\w+)\b"
)
#: How work went, not what was learned.
_STATUS = spoken(
    r"\b(?:all|the) tests? (?:now )?(?:pass|fail)"
    r"|\bfix(?:es)? (?:is|are|was|addresses|works?) (?!to\b|that\b)(?:\w+ )?(?:complete|in place"
    r"|correct\w*|working|applied|ready|simple|straightforward|minimal|good|the root)"
    r"|\b(?:tests?|lint|build|ci|checks?) (?:is|are|was) failing\b|\bnot a real issue\b"
    r"|\bI (?:realize|see|understand)\b"
    r"|\b(?:issue|problem|bug|fix) (?:is|was) (?:in|with)\b(?!.*\b(?:which|because|where|but)\b)"
    r"|\bmore (?:subtle|fundamental|complex)\b|\bmy (?:current|new)\b"
    r"|\b(?:is|are|was) missing some\b"
)
_ASKED_FOR = spoken(
    r"\b(?:can|could|would|will) (?:you|we|I)\b|\? ?$"
    r"|^(?:please )?(?:check|look|show|explain|review|give|tell|see)\b|\blet me know\b"
    r"|\bI(?:'d| would| do)? (?:(?:also|then|now|really|do) )*"
    r"(?:want|like) (?:to (?:do|make|generate|get|see|explain|have|add|change|update|create|use"
    r"|start|replace|integrate|inform|send)|it|you|us)\b"
)
_TOLD_OF_DOING = spoken(
    r"\b(?:I|we)(?:'ve|'m| have| am| are| do)? (?:(?:just|also|now|only) )*(?:just|did|tried|made"
    r"|merged|ran|run|got|updated|messed|noticed|built|checked|reset|removed|added|see|saw|was|had"
    r"|forgot|fixed|started|liked|thought|put|moved|am|running|testing|getting|think|know|believe"
    r"|realized?|feel|hope|reckon|haven't|didn't|don't|kind of)\b|^(?:\w+ed|had)\s|^(?:question"
    r"|quick|technically|sorry|thanks|oh|ah|uh+|hm+|yeah|thought|wait|nah|nope|tests?)\b"
)
#: "Always" describing what happens, not what to do.
_GOES = spoken(
    r"\b(?:can|could|may|it|they|which|that|this|he|she|somehow|thought we|date|ids?"
    r"|they) (?:\w+ )?(?:always|never)\b|\b(?:always|never) \w+ed\b|\bnever (?:change|happen)s?\b"
)
#: What a rule asks for; a message quoted twice asks for nothing.
_DIRECTS = spoken(
    r"\b(?:should|must|always|never|belongs?|use|keep|don't|do not|prefer|need|needs|instead"
    r"|lives?|goes|avoid|only|make sure)\b"
)
#: Makes a choice more than an order: a reason, an alternative, a scope.
_SETTLES = spoken(
    r"\b(?:instead of|rather than|in favou?r of|and not|over (?:the|an?)|but not|because|since"
    r"|so that|otherwise|to avoid|decided|chose|chosen|opted|agreed|settled|always|never|every"
    r"|by default|everywhere|only (?:when|if|for|in|the)|unless|no longer|must"
    r"|should (?:not|never|always|only|be|live|use))\b|, not \w"
)
#: "The real issue is that we cannot tell" says neither why nor where.
_UNABLE = spoken(r"\b(?:we|I) (?:\w+ )?(?:cannot|can't|can not|couldn't)\b")
_ONE_OF_SEVERAL = spoken(r"^(?:or|then)\b|\bconsider \w+ing\b")
_ABOUT_IT = spoken(r"^(?:it|this|that|there|which|who|thought)\b")
#: A thing and its state: the form of a project's fact.
_THE_THING_IS = spoken(
    r"(?<![\w.-])(?:the|our|my|each|every|we|`[^`]{1,80}`|[A-Z][\w.-]{1,80}"
    r"|\w{1,80}s) (?:\S+ ){0,6}?(?:is|are|has|have|lives?|uses?|means|belongs?|comes?|contains?"
    r"|exists?|writes|keeps?|stores?|needs|runs?|returns|listens|expires|requires?|supports?"
    r"|works?|depends?|expects?|ships?|deploys?|don't|doesn't|only|use|store|deploy|run)\b"
)
_SMALL = frozenset(
    "about after again also always anything been before being cannot does doing done dont "
    "each else ever every everything from gets have here into just like make more much must "
    "need never nothing only other over please really should some something sure than that "
    "their them then there these they thing things this those very want well were what when "
    "where which while will with without would your".split()
)


def why_dropped(signal: Signal) -> str:
    """Return why a signal is no lesson for someone who was not there, or "" if it is one."""
    if signal.role == USER and redact(signal.learning)[1]:
        return "holds a secret: without it, it says nothing"
    if signal.kind in _MEANT:
        return ""
    if signal.kind in _ARCS:
        return "" if _is_solved(signal) else "the failure, or what cured it, has no name"
    text = SMILES.sub("", " ".join(signal.learning.replace("\u2019", "'").split()))
    if signal.weighed:
        return "" if _stands_alone(text) else _NOT_ALONE
    if signal.plain:
        # The sentence's form already shows that it lasts.
        return "a log or an identifier" if _LOGGED.search(text) else ""
    why = next((why for why, holds in _AGAINST if holds(signal, text)), "")
    if why:
        return why
    if signal.group == BEHAVIORAL:
        return _why_no_rule(text)
    return (
        "" if _is_found(signal, text) else "names nothing that others could find, or only reports"
    )


def _why_no_rule(text: str) -> str:
    if _GOES.search(text):
        return "tells how it goes, not how it is to be done"
    if _TOLD_OF_DOING.search(text):
        return "tells what somebody did"
    return "about something that is not named" if _ABOUT_IT.match(text) else ""


def _is_solved(signal: Signal) -> bool:
    """Return whether an arc teaches: the failure has a name, and its fix is stated."""
    told = signal.quote if signal.quote != signal.error else ""
    if not signal.error or _LOGGED.search(signal.error):
        return False
    if _MECHANICAL.search(signal.error) and signal.attempts < RECURRING:
        return False
    if signal.plain or signal.kind == "usage" or signal.attempts >= RECURRING:
        return True
    named = bool(_NAMED.search(told)) or bool(cause_in(told))
    return bool(told) and named and not _HEDGED.search(told)


def _is_found(signal: Signal, text: str) -> bool:
    """Return whether a finding, decision or fact names its subject and is not a status report."""
    if _STATUS.search(text) or (_TOLD_OF_DOING.search(text) and not _SETTLES.search(text)):
        return False
    if signal.group == PROJECT:
        return bool(_THE_THING_IS.search(text) or _SETTLES.search(text))
    words = len(text.split())
    explained = bool(_EXPLAINS.search(text))
    named = bool(_NAMED.search(text)) or (words >= _TOLD_OUT and explained)
    loose = _ENDS_BARE.search(text) or _ABOUT_IT.match(text)
    unable = bool(_UNABLE.search(text)) and not explained
    return words >= _A_FINDING and named and not (loose or unable)


def _without_rule(text: str) -> str:
    """Remove "from now on" and "never ... again", which do not make a rule momentary."""
    return re.sub(
        r"\b(?:from\s+now\s+on|never\b.*\bagain|not\s+yet\b)", " ", text, flags=re.IGNORECASE
    )


def _is_at_hand(text: str) -> bool:
    return bool(_AT_HAND.search(text) or _IN_TIME.search(text))


def _stands_alone(text: str) -> bool:
    """Return whether a sentence is complete and understandable without context."""
    if _TORN.search(text) or _LOGGED.search(text) or not _balanced(text):
        return False
    words = words_of(text)
    telling = [w for w in words if len(w) > 1 + w.isascii() and w not in _SMALL]
    least = _LEAST_WORDS - bool(_NAMED.search(text))
    if len(words) < least or len(telling) < _TELLING:
        return False
    bare = _BARE.search(text)
    if bare is None:
        return True
    before = text[: bare.start()]
    if _NAMED.search(before) or _THING.search(before) or _NAMES_FIRST.search(before):
        return True
    # "It only works with the tunnel": its conditions tell what it is.
    after = text[bare.end() :]
    return (
        not bare.start()
        and bool(re.search(r"\b(?:only|unless|when|if|with|before|after)\b", after))
        and bool(_NAMED.search(after) or len(_THING.findall(after)) > 0)
    )


def _balanced(text: str) -> bool:
    pairs = all(text.count(one) == text.count(other) for one, other in ("()", "[]"))
    return pairs and text.count("`") % 2 == 0 and text.count('"') % 2 == 0


_NOT_ALONE = "cannot be understood without what came before"
#: Reasons against a lesson, in the order checked.
_AGAINST: tuple[tuple[str, Callable[[Signal, str], bool]], ...] = (
    (_NOT_ALONE, lambda _, text: not _stands_alone(text)),
    ("about the work at hand", lambda _, text: _is_at_hand(_without_rule(text))),
    ("asked for once", lambda _, text: bool(_ASKED_FOR.search(text))),
    ("said with a doubt", lambda signal, text: signal.tier != LOW and bool(_HEDGED.search(text))),
    (
        "said twice, but lays nothing down",
        lambda signal, text: signal.kind == "said_twice" and not _DIRECTS.search(text),
    ),
    (
        "one idea of several",
        lambda signal, text: signal.tier == LOW and bool(_ONE_OF_SEVERAL.search(text)),
    ),
)
