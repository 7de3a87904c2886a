"""The forms of lasting statements in English. Pure.

Generality is in the grammar: a marker ("note:"), a quantifier ("always", "every"), a habit ("we
don't"), a contrast ("not npm"), a plural without an article. What is said of the moment names one
thing, one place, one time.
"""

from __future__ import annotations

from satchel.application.learning.signals import speech_patterns as say
from satchel.application.learning.signals.own_words import begun_with_a_capital
from satchel.application.learning.signals.passing_patterns import ASKS, ASKS_BACK
from satchel.application.learning.signals.values import CORRECTION, DECISION, FACT, PREFERENCE
from satchel.core.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

#: Lead-ins that are taken off one after the other.
_MOST_LEADS = 8
#: "Perfect" alone praises nothing in particular.
_A_PHRASE = 12
_TOLD_OUT = 5
_A_FACT = 4
_POINTS = 2


class Form(NamedTuple):
    """A sentence's form; `plain` if it is unambiguous."""

    label: str
    name: str
    plain: bool = True


class Clause(NamedTuple):
    """A sentence without its lead-in, and what is known about it.

    `objects` is true of what corrects, `lasting` of what says by itself how far it reaches, `now`
    of what is about the moment, `status` of what tells how the work stands.
    """

    rest: str
    words: int = 0
    marked: bool = False
    objects: bool = False
    praises: bool = False
    general: bool = False
    decides: bool = False
    rejected: bool = False
    lasting: bool = False
    now: bool = False
    status: bool = False

    def has(self, pattern: say.LazyPattern) -> bool:
        """Return whether a pattern occurs anywhere in it."""
        return bool(pattern.search(self.rest))

    def begins(self, pattern: say.LazyPattern) -> bool:
        """Return whether it begins with a pattern."""
        return bool(pattern.match(self.rest))


_LEADS = (
    (say.DECIDES, "decides"),
    (say.MARKER, "marked"),
    (say.GENERAL_LEAD, "general"),
    (say.OBJECTION, "objects"),
    (say.FILLER, ""),
)


def peel(sentence: str) -> Clause:
    """Remove a sentence's lead-in, and return what it was."""
    rest = _unquoted(sentence.replace("\u2019", "'").lstrip(" \t*>"))
    asked = say.ASKED_RULE.match(rest)
    rest = rest[asked.end() :].rstrip(" ?") if asked else rest
    found: set[str] = set()
    for _ in range(_MOST_LEADS):
        praise = say.PRAISE.match(rest)
        if praise and praise.end() > _A_PHRASE:
            found.add("praises")
            rest = rest[praise.end() :].lstrip(" :,.-")
            continue
        lead, what = _lead_of(rest)
        if not lead:
            break
        found.add(what)
        rest = rest[lead:].lstrip(" ,:-")
        asked = say.ASKED_RULE.match(rest)
        rest = rest[asked.end() :].rstrip(" ?") if asked else rest
    return Clause(_unquoted(rest), **dict.fromkeys(found - {""}, True))


def _unquoted(text: str) -> str:
    """Return a sentence without emphasis and the quotes around the whole of it."""
    bare = text.strip(" \t*")
    if bare.startswith("_") and bare.endswith("_"):
        bare = bare.strip("_")
    whole = bare.startswith('"') and bare.endswith('"') and bare.count('"') == 2  # noqa: PLR2004
    return bare.strip('"') if whole or bare.count('"') % 2 else bare


def _lead_of(rest: str) -> tuple[int, str]:
    for pattern, what in _LEADS:
        lead = pattern.match(rest)
        if lead and lead.end():
            return lead.end(), what
    return 0, ""


def form_of(sentence: str, *, rejected: bool = False, objected: bool = False) -> Form | None:
    """Return a lasting sentence's form; None if it is only of the moment.

    Args:
        sentence: one sentence as the person put it.
        rejected: it was said while rejecting what the agent was about to do.
        objected: what was said before it in the turn objects to something.
    """
    clause = _known(peel(sentence))
    objects = clause.objects or objected or clause.begins(say.DENIES)
    clause = clause._replace(rejected=rejected, objects=objects)
    if clause.words < 2 or (clause.begins(say.SMALL_TALK) and not clause.lasting):  # noqa: PLR2004
        return None
    if clause.rest.endswith("?") or (clause.begins(say.QUESTION) and not clause.marked):
        return None
    if clause.now and not (clause.marked and clause.words > _TOLD_OUT):
        return None
    if clause.begins(say.SHOULD_HAVE_USED):
        return Form(CORRECTION, "should have")
    if clause.has(say.TORN) or clause.has(say.PAST_OR_SUPPOSED):
        return None
    if clause.has(say.HEDGED) and not (clause.marked or clause.general):
        return None
    return next((form for form, holds in _FORMS if holds(clause)), None)


def asks(sentence: str) -> bool:
    """Return whether a sentence asks something, though no mark says so."""
    clause = peel(sentence)
    return clause.begins(ASKS) or clause.has(ASKS_BACK)


def _known(clause: Clause) -> Clause:
    """Fill in what a clause's words reveal about it."""
    lasting = clause.has(say.ALWAYS) and not clause.has(say.GOES_ON)
    # "returns 200 when validation fails" says how things are, not how the work stands.
    main = say.CONDITION.compiled.split(clause.rest)[0]
    if clause.begins(say.LET_US) or (lasting and clause.begins(say.REACHES)):
        main = main.partition(",")[0]  # what follows is why
    return clause._replace(
        words=len(clause.rest.split()),
        lasting=lasting,
        now=not lasting and clause.has(say.NOW) and not clause.begins(say.FOR_NOW),
        status=bool(say.STATUS.search(main or clause.rest)),
    )


# ---- the forms, in the order in which they are looked for ----------------------------------------


def _from_now_on(clause: Clause) -> bool:
    if not clause.general or clause.status or clause.begins(say.OF_MYSELF):
        return False
    told = clause.has(say.HABIT) or clause.has(say.OUGHT) or clause.begins(say.THE_THING)
    return clause.lasting or clause.begins(say.DIRECTIVE) or told or clause.begins(say.PROHIBITS)


def _noted(clause: Clause) -> bool:
    if not clause.marked or clause.begins(say.OF_THE_CODE) or clause.begins(say.I_DID):
        return False
    if clause.begins(say.REMEMBER_TO):
        return reaches(clause)
    if clause.status and not clause.has(say.HOLDS):
        return False
    if clause.begins(say.DEMONSTRATIVE) and not _points(clause):
        return False
    declares = clause.begins(say.THE_THING) or clause.begins(say.EXISTS) or clause.has(say.OUGHT)
    rules = clause.has(say.HABIT) or clause.begins(say.PROHIBITS) or clause.has(say.CONTRAST)
    if declares or rules or clause.lasting:
        return True
    if clause.begins(say.DIRECTIVE):
        return reaches(clause)
    return clause.words >= _TOLD_OUT and not clause.has(say.JUST_HAPPENED)


def _prefers(clause: Clause) -> bool:
    if not clause.has(say.PREFERS):
        return False
    over = clause.has(say.CONTRAST) or clause.has(say.WANTS_NO)
    over = over or (clause.lasting and clause.has(say.SAYS_ALWAYS))
    return over or not clause.has(say.PREFERS_THIS)


def _habit(clause: Clause) -> bool:
    return clause.has(say.HABIT) and not clause.status and not clause.begins(say.I_DID)


def _contrast(clause: Clause) -> bool:
    small = clause.has(say.SMALL_CONTRAST) or clause.begins(say.I_DID)
    small = small or (clause.status and not clause.begins(say.DIRECTIVE))
    if clause.begins(say.DEMONSTRATIVE) and not clause.objects:
        return False
    return clause.words > 2 and clause.has(say.CONTRAST) and not small  # noqa: PLR2004


def _forbids(clause: Clause) -> bool:
    if clause.begins(say.STOP_DOING):
        return True
    return clause.begins(say.PROHIBITS) and (clause.lasting or clause.words > 2)  # noqa: PLR2004


def _always(clause: Clause) -> bool:
    if not clause.lasting or clause.status or clause.begins(say.I_DID):
        return False
    if clause.begins(say.OF_THIS) and not clause.objects and not clause.has(say.ALWAYS_DO):
        return False
    # "The function always returns true" tells how it goes; "tests always run" lays it down.
    if clause.has(say.SAYS_ALWAYS):
        return clause.has(say.ALWAYS_DO)
    told = clause.has(say.OUGHT) or clause.begins(say.THE_THING)
    return told or clause.begins(say.DIRECTIVE)


def _when(clause: Clause) -> bool:
    if clause.begins(say.FIRST_BECAUSE) or clause.begins(say.TROUBLE):
        return True
    if clause.begins(say.IN_DOUBT):
        return clause.words > _TOLD_OUT
    return clause.begins(say.SCOPED) and clause.words >= _TOLD_OUT and not clause.status


def _norm(clause: Clause) -> bool:
    """Return whether a clause states how things are named, written, ordered or done."""
    if clause.status or clause.begins(say.I_DID):
        return False
    here = clause.begins(say.USE_HERE) or clause.begins(say.IN_LANGUAGE)
    return here or clause.begins(say.POLICY) or clause.begins(say.NORM)


def _directs(clause: Clause) -> bool:
    return clause.begins(say.DIRECTIVE) and reaches(clause) and not clause.begins(say.I_DID)


def reaches(clause: Clause) -> bool:
    """Return whether an order applies beyond the matter at hand."""
    return clause.begins(say.REACHES) or clause.has(say.OF_OURS) or clause.has(say.SCOPED_END)


def _elliptic(clause: Clause) -> bool:
    if clause.status or clause.has(say.POINTS_AT):
        return False
    return clause.begins(say.ELLIPTIC) and not clause.begins(say.DIRECTIVE)


def _decides(clause: Clause) -> bool:
    if not clause.has(say.DECISION) or clause.has(say.DECIDES_NOTHING) or clause.status:
        return False
    return not clause.begins(say.LET_US)


def _lets(clause: Clause) -> bool:
    """Return whether "let's" settles something: with a reason, a contrast or a named choice."""
    if not clause.begins(say.LET_US) or not clause.has(say.DECISION):
        return False
    if clause.has(say.DECIDES_NOTHING) or clause.status:
        return False
    return clause.has(say.WHY) or clause.has(say.CONTRAST) or clause.begins(say.LET_US_CHOOSE)


def _tells(clause: Clause) -> bool:
    """Return whether a clause states a lasting fact about the project."""
    if clause.objects and clause.begins(say.IT_IS) and clause.has(say.NAMED):
        return not clause.status  # "that's not how we name it, it's test_<thing>"
    if clause.words < _A_FACT - clause.objects or clause.status or clause.begins(say.I_DID):
        return False
    exists = clause.begins(say.EXISTS)
    if clause.has(say.TAKES_LONG) and not clause.begins(say.OF_THIS):
        return True
    if clause.begins(say.OF_THIS) and not (clause.objects or exists):
        return False
    if clause.begins(say.DIRECTIVE) and not clause.begins(say.NOUN_OR_VERB):
        return False
    if not (
        exists or clause.begins(say.THE_THING) or (clause.objects and clause.begins(say.IT_IS))
    ):
        return False
    return _points(clause) + exists + clause.objects + clause.begins(say.OUR) >= _POINTS


def _points(clause: Clause) -> int:
    """Count the marks of a statement about the project: its things, conditions, names."""
    telling = (say.WORLD, say.HOLDS, say.NAMED, say.WHY, say.PROPER)
    return sum(clause.has(pattern) for pattern in telling)


def _feedback(clause: Clause) -> bool:
    """Return whether feedback on a rejected call is a correction; postponing is not."""
    if not clause.rejected or clause.begins(say.I_DID) or clause.begins(say.PUTS_OFF):
        return False
    return clause.begins(say.DIRECTIVE) or clause.has(say.NAMED) or clause.has(say.ASKS_FOR)


#: The first that holds is how a sentence was put.
_FORMS: tuple[tuple[Form, Callable[[Clause], bool]], ...] = (
    (Form(DECISION, "decided"), lambda clause: clause.decides),
    (Form(PREFERENCE, "praised"), lambda clause: clause.praises and clause.words > 1),
    (Form(PREFERENCE, "from now on"), _from_now_on),
    (Form(FACT, "noted"), _noted),
    (Form(PREFERENCE, "prefers"), _prefers),
    (Form(DECISION, "lets", plain=False), _lets),
    (Form(DECISION, "decides"), _decides),
    (Form(CORRECTION, "habit"), _habit),
    (Form(CORRECTION, "contrast"), _contrast),
    (Form(CORRECTION, "forbids"), _forbids),
    (
        Form(PREFERENCE, "forbids a thing"),
        lambda clause: clause.has(say.FORBIDS_THING) and not clause.status,
    ),
    (Form(PREFERENCE, "always"), _always),
    (Form(CORRECTION, "reserved"), lambda clause: clause.begins(say.RESERVED)),
    (Form(PREFERENCE, "manner"), lambda clause: clause.begins(say.MANNER)),
    (Form(PREFERENCE, "when"), _when),
    (
        Form(PREFERENCE, "ought"),
        lambda clause: clause.begins(say.GENERIC_SUBJECT) and not clause.status,
    ),
    (Form(PREFERENCE, "directs"), _directs),
    (Form(PREFERENCE, "norm", plain=False), _norm),
    (Form(PREFERENCE, "elliptic"), _elliptic),
    (Form(FACT, "tells", plain=False), _tells),
    (Form(CORRECTION, "rejected", plain=False), _feedback),
)


def told_label(clause: Clause, label: str) -> str:
    """Return what a lasting clause is: some forms are those of rules and of facts alike.

    Args:
        clause: without its lead-in.
        label: of its form.
    """
    if label == FACT and clause.begins(say.PROHIBITS):
        return CORRECTION
    if label == PREFERENCE and clause.begins(say.TOLD_OF_IT):
        return FACT
    if label == CORRECTION and clause.begins(say.CHOSEN_FOR):
        return DECISION
    if clause.general or clause.begins(say.PROHIBITS) or clause.has(say.MUST):
        return label
    if clause.has(say.DECIDED_WITH):
        return DECISION
    if clause.begins(say.ENDED) or (label == PREFERENCE and clause.begins(say.LET_US)):
        return DECISION
    if clause.begins(say.TROUBLE):
        return FACT
    of_a_thing = clause.begins(say.ONE_THING) and not clause.has(say.SAYS_ALWAYS)
    return FACT if label == PREFERENCE and of_a_thing else label


def tells_how_it_is(wording: str) -> bool:
    """Return whether a line states how one thing is, and tells nobody what to do."""
    clause = _known(peel(wording))
    bids = clause.lasting or clause.has(say.OUGHT) or clause.begins(say.PROHIBITS)
    return clause.begins(say.ONE_THING) and not bids


def wording_of(rest: str) -> str:
    """Return a sentence as a standalone line: no lead-in, no "here", no full stop."""
    plain = say.NOT_TO.sub("don't ", say.DROP_WORDS.sub("", say.SMILES.sub("", rest)))
    return begun_with_a_capital(_trimmed(" ".join(say.HERE.sub("", plain).split())))


def _trimmed(text: str) -> str:
    """Return a sentence without the marks around it; a name that ends with a hyphen keeps it."""
    bare = text.rstrip(" ,;:.!?").lstrip(" ,;:-.!?")
    return bare if bare[-2:-1].isalnum() else bare.rstrip(" ,;:-.!?")
