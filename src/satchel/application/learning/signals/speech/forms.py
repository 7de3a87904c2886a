"""The forms of lasting statements in English. Pure.

Generality is in the grammar: a marker ("note:"), a quantifier ("always", "every"), a habit ("we
don't"), a contrast ("not npm"), a bare plural. Statements of the moment name one thing, one time.
"""

from __future__ import annotations

from satchel.application.learning.signals.speech import facts, leads, moments, rules
from satchel.application.learning.signals.speech.clauses import Clause, peel
from satchel.application.learning.signals.speech.passing import ASKS, ASKS_BACK, RECALLED
from satchel.application.learning.signals.values import CORRECTION, DECISION, FACT, PREFERENCE
from satchel.core.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_TOLD_OUT, _A_FACT, _POINTS = 5, 4, 2
#: The form of what somebody who is named wants: its words need not be those of a rule.
WANTED = "wanted"


class Form(NamedTuple):
    """A sentence's form; `plain` if it is unambiguous."""

    label: str
    name: str
    plain: bool = True


def form_of(sentence: str, *, rejected: bool = False, objected: bool = False) -> Form | None:
    """Return a lasting sentence's form; None if it is only of the moment.

    Args:
        sentence: one sentence, as written.
        rejected: it was said while rejecting an agent's call.
        objected: an earlier sentence of the turn objects to something.
    """
    clause = _known(peel(sentence))
    objects = clause.objects or objected or clause.begins(leads.DENIES)
    clause = clause._replace(rejected=rejected, objects=objects)
    if clause.words < 2 or (clause.begins(moments.SMALL_TALK) and not clause.lasting):  # noqa: PLR2004
        return None
    if clause.rest.endswith("?") or (clause.begins(moments.QUESTION) and not clause.marked):
        return None
    if clause.now and not (clause.marked and clause.words > _TOLD_OUT):
        return None
    if clause.begins(leads.SHOULD_HAVE_USED):
        return Form(CORRECTION, "should have")
    if clause.begins(facts.TRIED):
        return Form(FACT, "stated")
    passes = clause.has(moments.ACTS_UP) or clause.has(moments.TO_BE_MADE)
    if (
        (passes and not (clause.marked or clause.general))
        or clause.has(moments.TORN)
        or clause.has(moments.PAST_OR_SUPPOSED)
    ):
        return None
    if clause.has(moments.HEDGED) and not (clause.marked or clause.general):
        return None
    return next((form for form, holds in _FORMS if holds(clause)), None)


def noted_on_request(sentence: str) -> Form | None:
    """Return the form of what somebody asks to remember, unless it is only of the moment."""
    clause = _known(peel(sentence))
    torn = clause.has(moments.TORN) or clause.has(moments.JUST_HAPPENED)
    done = clause.begins(moments.I_DID) and not clause.has(rules.PREFERS)
    passing = clause.now or clause.status or torn or done or clause.rest.endswith("?")
    return None if passing or clause.words < _A_FACT else Form(FACT, "noted")


def asks(sentence: str) -> bool:
    """Return whether a sentence asks something without a question mark, or is uncertain."""
    clause = peel(sentence)
    uncertain = (
        *(moments.THIS_DAY, moments.ACTS_UP, moments.MY_WORK, moments.TO_BE_MADE),
        *(RECALLED, ASKS_BACK, moments.ONLY_MIGHT),
    )
    return clause.begins(ASKS) or any(map(clause.has, uncertain))


def _known(clause: Clause) -> Clause:
    """Fill in what a clause's words reveal about it."""
    lasting = clause.has(rules.ALWAYS) and not clause.has(moments.GOES_ON)
    # "returns 200 when validation fails" says how things are, not how the work is going.
    main = facts.CONDITION.compiled.split(clause.rest)[0]
    ours = clause.begins(rules.LET_US) or clause.begins(rules.HABIT)
    if ours or (lasting and clause.begins(rules.REACHES)):
        main = main.partition(",")[0]  # what follows is why
    return clause._replace(
        words=len(clause.rest.split()),
        lasting=lasting,
        now=not lasting and clause.has(moments.NOW) and not clause.begins(moments.FOR_NOW),
        status=bool(moments.STATUS.search(main or clause.rest)),
    )


# ---- the forms, in the order in which they are looked for ----------------------------------------


def _from_now_on(clause: Clause) -> bool:
    if not clause.general or clause.status or clause.begins(moments.OF_MYSELF):
        return False
    told = clause.has(rules.HABIT) or clause.has(rules.OUGHT) or clause.begins(facts.THE_THING)
    return (
        clause.lasting or clause.begins(rules.DIRECTIVE) or told or clause.begins(rules.PROHIBITS)
    )


def _noted(clause: Clause) -> bool:
    if not clause.marked or clause.begins(moments.OF_THE_CODE) or clause.begins(moments.I_DID):
        return False
    if clause.begins(leads.REMEMBER_TO):
        return reaches(clause)
    if clause.status and not clause.has(facts.HOLDS):
        return False
    if clause.begins(moments.DEMONSTRATIVE) and not _points(clause):
        return False
    if clause.begins(facts.THE_THING) or clause.begins(facts.EXISTS) or clause.lasting:
        return True
    ruling = (rules.OUGHT, rules.HABIT, rules.CONTRAST)
    if clause.begins(rules.PROHIBITS) or any(clause.has(pattern) for pattern in ruling):
        return True
    if clause.begins(rules.DIRECTIVE):
        return reaches(clause)
    return clause.words >= _TOLD_OUT and not clause.has(moments.JUST_HAPPENED)


def _prefers(clause: Clause) -> bool:
    if clause.begins(rules.ASKED_FIRST):
        return True
    if not clause.has(rules.PREFERS):
        return False
    over = clause.has(rules.CONTRAST) or clause.has(rules.WANTS_NO)
    over = over or (clause.lasting and clause.has(rules.SAYS_ALWAYS))
    return over or not clause.has(moments.PREFERS_THIS)


def _stated(clause: Clause) -> bool:
    if clause.begins(facts.MOVED) or clause.begins(facts.REVISED):
        return True
    if clause.begins(facts.ONLY_THAT):
        return not clause.begins(rules.DIRECTIVE)
    return clause.begins(facts.STATED) and not clause.status


def _told_off(clause: Clause) -> bool:
    return clause.begins(leads.TOLD_OFF) or (clause.objects and clause.begins(leads.DO_THAT))


def _habit(clause: Clause) -> bool:
    return clause.has(rules.HABIT) and not clause.status and not clause.begins(moments.I_DID)


def _contrast(clause: Clause) -> bool:
    small = clause.has(moments.SMALL_CONTRAST) or clause.begins(moments.I_DID)
    small = small or (clause.status and not clause.begins(rules.DIRECTIVE))
    if clause.begins(ASKS) or (clause.begins(moments.DEMONSTRATIVE) and not clause.objects):
        return False
    return clause.words > 2 and clause.has(rules.CONTRAST) and not small  # noqa: PLR2004


def _forbids(clause: Clause) -> bool:
    if clause.begins(rules.STOP_DOING):
        return True
    if clause.has(moments.AT_THIS_HOUR):
        return False
    return clause.begins(rules.PROHIBITS) and (clause.lasting or clause.words > 2)  # noqa: PLR2004


def _always(clause: Clause) -> bool:
    if not clause.lasting or clause.status or clause.begins(moments.I_DID) or clause.begins(ASKS):
        return False
    if clause.begins(rules.YOU_DO) and not clause.has(rules.SAYS_ALWAYS):
        return False
    if clause.begins(moments.OF_THIS) and not clause.objects and not clause.has(rules.ALWAYS_DO):
        return False
    # "The function always returns true" describes; "tests always run" is a rule.
    if clause.has(rules.SAYS_ALWAYS):
        return clause.has(rules.ALWAYS_DO)
    told = clause.has(rules.OUGHT) or clause.begins(facts.THE_THING)
    return told or clause.begins(rules.DIRECTIVE)


def _when(clause: Clause) -> bool:
    if clause.begins(rules.FIRST_BECAUSE) or clause.begins(rules.TROUBLE):
        return True
    if clause.begins(rules.IN_DOUBT):
        return clause.words > _TOLD_OUT
    return clause.begins(rules.SCOPED) and clause.words >= _TOLD_OUT and not clause.status


def _norm(clause: Clause) -> bool:
    """Return whether a clause states how things are named, written, ordered or done."""
    if clause.status or clause.begins(moments.I_DID):
        return False
    here = clause.begins(rules.USE_HERE) or clause.begins(rules.IN_LANGUAGE)
    return here or clause.begins(rules.POLICY) or clause.begins(rules.NORM)


def _directs(clause: Clause) -> bool:
    step = clause.begins(moments.I_DID) or clause.begins(rules.ADD_TO_FILE)
    return clause.begins(rules.DIRECTIVE) and reaches(clause) and not step


def reaches(clause: Clause) -> bool:
    """Return whether an order applies beyond the matter at hand."""
    return clause.begins(rules.REACHES) or clause.has(rules.OF_OURS) or clause.has(rules.SCOPED_END)


def _elliptic(clause: Clause) -> bool:
    if clause.status or clause.has(moments.POINTS_AT) or clause.begins(moments.HAPPENED):
        return False
    if clause.begins(rules.YOU_DO):
        return False
    return clause.begins(rules.ELLIPTIC) and not clause.begins(rules.DIRECTIVE)


def _decides(clause: Clause) -> bool:
    if not clause.has(rules.DECISION) or clause.has(moments.DECIDES_NOTHING) or clause.status:
        return False
    # "We never use floats for money" is a rule, and so is "don't write there, they drop it".
    ruling = (rules.LET_US, rules.WE_NEVER, rules.DO_NOT)
    return not any(map(clause.begins, ruling))


def _lets(clause: Clause) -> bool:
    """Return whether "let's" settles something: with a reason, a contrast or a named choice."""
    if not clause.begins(rules.LET_US) or not clause.has(rules.DECISION):
        return False
    if clause.has(moments.DECIDES_NOTHING) or clause.status:
        return False
    return clause.has(facts.WHY) or clause.has(rules.CONTRAST) or clause.begins(rules.LET_US_CHOOSE)


def _tells(clause: Clause) -> bool:
    """Return whether a clause states a lasting fact about the project."""
    if clause.objects and clause.begins(facts.IT_IS) and clause.has(facts.NAMED):
        return not clause.status  # "that's not how we name it, it's test_<thing>"
    if clause.words < _A_FACT - clause.objects or clause.status or clause.begins(moments.I_DID):
        return False
    exists = clause.begins(facts.EXISTS)
    if clause.has(facts.TAKES_LONG) and not clause.begins(moments.OF_THIS):
        return True
    if clause.begins(moments.OF_THIS) and not (clause.objects or exists):
        return False
    if clause.begins(rules.DIRECTIVE) and not clause.begins(facts.NOUN_OR_VERB):
        return False
    if not (
        exists or clause.begins(facts.THE_THING) or (clause.objects and clause.begins(facts.IT_IS))
    ):
        return False
    return _points(clause) + exists + clause.objects + clause.begins(facts.OUR) >= _POINTS


def _points(clause: Clause) -> int:
    """Count the marks of a statement about the project: its things, conditions, names."""
    telling = (facts.WORLD, facts.HOLDS, facts.NAMED, facts.WHY, facts.PROPER)
    return sum(clause.has(pattern) for pattern in telling)


def _feedback(clause: Clause) -> bool:
    """Return whether feedback on a rejected call is a correction; postponing is not."""
    if not clause.rejected or clause.begins(moments.I_DID) or clause.begins(moments.PUTS_OFF):
        return False
    return clause.begins(rules.DIRECTIVE) or clause.has(facts.NAMED) or clause.has(moments.ASKS_FOR)


#: The first that applies is a sentence's form.
_FORMS: tuple[tuple[Form, Callable[[Clause], bool]], ...] = (
    (Form(DECISION, "decided"), lambda clause: clause.decides),
    (Form(PREFERENCE, "praised"), lambda clause: clause.praises and clause.words > 1),
    (Form(PREFERENCE, "from now on"), _from_now_on),
    (Form(FACT, "noted"), _noted),
    (Form(PREFERENCE, "prefers"), _prefers),
    (Form(CORRECTION, WANTED), lambda clause: clause.has(rules.WANTED_BY)),
    (Form(DECISION, "lets", plain=False), _lets),
    (Form(DECISION, "decides"), _decides),
    (Form(FACT, "stated"), _stated),
    (Form(CORRECTION, "told off"), _told_off),
    (Form(CORRECTION, "habit"), _habit),
    (Form(CORRECTION, "contrast"), _contrast),
    (Form(CORRECTION, "forbids"), _forbids),
    (
        Form(PREFERENCE, "forbids a thing"),
        lambda clause: clause.has(rules.FORBIDS_THING) and not clause.status,
    ),
    (Form(PREFERENCE, "always"), _always),
    (Form(CORRECTION, "reserved"), lambda clause: clause.begins(rules.RESERVED)),
    (Form(PREFERENCE, "manner"), lambda clause: clause.begins(rules.MANNER)),
    (Form(PREFERENCE, "when"), _when),
    (
        Form(PREFERENCE, "ought"),
        lambda clause: (
            (clause.begins(rules.GENERIC_SUBJECT) or clause.begins(rules.PLURAL_OUGHT))
            and not clause.status
        ),
    ),
    (Form(PREFERENCE, "directs"), _directs),
    (Form(PREFERENCE, "norm", plain=False), _norm),
    (Form(PREFERENCE, "elliptic"), _elliptic),
    (Form(FACT, "tells", plain=False), _tells),
    (Form(CORRECTION, "rejected", plain=False), _feedback),
)


def told_label(clause: Clause, label: str) -> str:
    """Return a lasting clause's label: some forms are used for both rules and facts.

    Args:
        clause: without its lead-in.
        label: the label of its form.
    """
    if label == FACT and (clause.begins(rules.PROHIBITS) or clause.has(rules.SO_NEVER)):
        return CORRECTION
    if label == PREFERENCE and clause.begins(facts.TOLD_OF_IT):
        return FACT
    chosen_for = label == CORRECTION and clause.begins(rules.CHOSEN_FOR)
    if chosen_for or clause.begins(rules.CHOSEN_THEN):
        return DECISION
    if clause.general or clause.begins(rules.PROHIBITS) or clause.has(rules.MUST):
        return label
    if clause.has(rules.DECIDED_WITH):
        return DECISION
    if clause.begins(rules.ENDED) or (label == PREFERENCE and clause.begins(rules.LET_US)):
        return DECISION
    if clause.begins(rules.TROUBLE):
        return FACT
    of_a_thing = clause.begins(facts.ONE_THING) and not clause.has(rules.SAYS_ALWAYS)
    return FACT if label == PREFERENCE and of_a_thing else label


def tells_how_it_is(wording: str) -> bool:
    """Return whether a line states how one thing is, and tells nobody what to do."""
    clause = _known(peel(wording))
    bids = clause.lasting or clause.has(rules.OUGHT) or clause.begins(rules.PROHIBITS)
    return clause.begins(facts.ONE_THING) and not bids
