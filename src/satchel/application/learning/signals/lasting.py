"""Whether a sentence lasts, judged by its form, its words, and how it was said."""

from __future__ import annotations

from satchel.core.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.learning.signals.speech.forms import Form

#: A longer turn is a task with its details; only unambiguous forms are heard in it.
_LONG_TURN = 12
#: In a turn this short, a sentence that is likely to last needs no lesson's form; in one of more
#: than a few sentences, most are about the work.
_SHORT_TURN, _FEW, _LEAST_WORDS = 6, 3, 4
#: The same of what is announced as a rule: "TypeScript strict".
_A_RULE = 2
#: The least likelihood of a lasting sentence; and of one without a form in a turn of more than a
#: few sentences.
LASTS, LASTS_AMONG_MANY = 0.5, 0.85
#: The same of one that nothing leads in while a task is told, where what is to be built "never
#: expires" as well; and of one in a briefing about the project.
TASK_LASTS, BRIEFING_LASTS = 0.95, 0.2
#: The same of an item in a list of what is to be done.
_NEVER_LASTS = 1.1
#: The same in the form of a rule, which says more than its words; and while rejecting a call, when
#: most of what is said corrects.
RULE_LASTS, REJECTED_LASTS = 0.4, 0.3
#: The same for such a rule if a reason follows, which an order of the moment needs not; and without
#: a form, for what is wanted instead: "no, cursor paging. we had duplicates".
REASONED_LASTS, INSTEAD_LASTS = 0.2, 0.25
#: The same of an objection that says why, and what to do instead.
CURED_LASTS = 0.1
#: The same behind an order of the moment.
ASIDE_LASTS = 0.6
#: Forms of rules and wishes, which are a lesson each.
AS_A_RULE = frozenset(
    (
        "always",
        "forbids",
        "ought",
        "praised",
        "prefers",
        "stated",
        "told off",
        "contrast",
        "should have",
        "habit",
        "noted",
    )
)
#: The share of a sentence's words that must be known if words alone decide: in a barely learned
#: language they mean nothing.
KNOWN_WORDS = 0.45
#: The form of statements heard only by their words.
LIKELY = "likely"
#: Forms that may explain the sentence before instead of being a rule.
MAY_EXPLAIN = frozenset(("norm", "likely", "when"))
#: Forms of facts and rules alike: "payments go through Adyen", "one component per file".
TOLD_IN_BRIEFINGS = frozenset((LIKELY, "norm", "elliptic", "always", "forbids a thing"))
#: Forms that a report of a fault may have.
MAY_REPORT = frozenset((LIKELY, "tells"))
#: Forms that a fragment may have: "one line, no bullet lists".
MAY_BE_A_FRAGMENT = frozenset((LIKELY, "contrast abroad", "elliptic"))


class Setting(NamedTuple):
    """How a sentence was said.

    `of`: how many sentences the turn has; `purpose`: what it is told for, if known, see
    `briefings`; `rejected`: while rejecting an agent's call; `objected`: an earlier sentence of the
    turn objects to something; `reasoned`: the next sentence gives its reason; `cured`: or what to
    do instead; `harms`: or what comes of it otherwise.
    """

    of: int
    purpose: str = ""
    rejected: bool = False
    objected: bool = False
    reasoned: bool = False
    cured: bool = False
    harms: bool = False


def lasting_form(sentence: str, said: Setting) -> Form | None:
    """Return the form of a sentence that is likely to last; see `hear`."""
    from satchel.application.learning.signals.briefings import RULES
    from satchel.application.learning.signals.likelihood import (
        form_in,
        knows,
        label_of,
        likelihood,
        words_of,
    )
    from satchel.application.learning.signals.reasons import without_reason
    from satchel.application.learning.signals.speech.abroad import asks_abroad
    from satchel.application.learning.signals.speech.forms import Form, asks, noted_on_request
    from satchel.application.learning.signals.speech.leads import ASKED_TO_REMEMBER
    from satchel.application.learning.signals.speech.passing import ASKS_BACK

    form = form_in(sentence, rejected=said.rejected, objected=said.objected)
    if ASKED_TO_REMEMBER.match(sentence):
        asked = noted_on_request(sentence)
        if asked is not None:
            return form or asked  # an explicit request counts, whatever the words
    if form is None and (
        said.of > _SHORT_TURN
        or len(words_of(sentence)) < (_A_RULE if said.purpose == RULES else _LEAST_WORDS)
        or (sentence.isascii() and " " not in sentence)  # a path
        or asks(sentence)
        or asks_abroad(sentence)
        or (said.purpose != RULES and knows(sentence) < KNOWN_WORDS)
    ):
        return None
    passing = form is not None and said.of > _LONG_TURN and not form.plain
    if passing or (form is not None and ASKS_BACK.search(sentence)):
        return None
    least = _least(sentence, form, said)
    if likelihood(sentence, form, rejected=said.rejected) < least:
        # The words of its reason may be of anything.
        rule = without_reason(sentence) if form else ""
        if not rule or form_in(rule) != form or likelihood(rule, form) < least:
            return None
    return form or Form(label_of(sentence), LIKELY, plain=False)


def _least(sentence: str, form: Form | None, said: Setting) -> float:
    """Return how likely a sentence has to be to last."""
    from satchel.application.learning.signals.briefings import BACKGROUND, DETAILS, RULES, TASK
    from satchel.application.learning.signals.speech.clauses import peel
    from satchel.application.learning.signals.speech.forms import WANTED

    least = LASTS
    if form and form.name == WANTED and not said.purpose:
        return 0.0
    if form and form.name in AS_A_RULE:
        least = REASONED_LASTS if said.reasoned else RULE_LASTS
    elif form and form.name == "tells" and said.reasoned:
        least = RULE_LASTS
    if said.rejected:
        return min(least, REJECTED_LASTS)
    if form is None and said.harms:
        return REASONED_LASTS
    if said.objected and said.cured:
        return CURED_LASTS
    if form is None and said.reasoned and said.objected:
        return INSTEAD_LASTS
    if said.purpose in (BACKGROUND, RULES):
        return BRIEFING_LASTS if said.purpose == BACKGROUND else 0.0
    if said.purpose in (TASK, DETAILS) and (form is None or not peel(sentence).led_in):
        return TASK_LASTS if said.purpose == TASK else _NEVER_LASTS
    return LASTS_AMONG_MANY if form is None and said.of > _FEW else least
