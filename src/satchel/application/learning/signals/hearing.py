"""Finds lasting statements: a rule, a correction, a decision, a fact, a preference.

Works sentence by sentence: lead-ins are peeled off and recorded, then the sentence's form and the
likelihood of its words decide together. `heard` is fast enough for a hook.
"""

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
#: The same behind an order of the moment.
ASIDE_LASTS = 0.6
_AS_A_RULE = frozenset(
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
_KNOWN_WORDS = 0.45
_LONGEST_SENTENCE = 600
_A_QUOTE = 20
#: Nearly every lasting statement contains one of these words. A prompt without any costs a hook
#: nothing: no pattern is compiled.
_HINTS = frozenset(
    (
        "actually after agreed aina aldrig all alltid altijd always any are ask asla avoid aware "
        "background be because before belong belongs beware bitte btw can can't cannot careful "
        "chose chosen context convention conventions decided decision default don don't dont "
        "dropped each every exactly expects expires figured forget found from future fyi "
        "generally go goes going gotcha has hate have heads i i'd i'm if immer important instead "
        "is jamais jangan keep kein keine let let's lets like lives love make mind moved must my "
        "nb need needs never nie niemals nigdy no nooit nope not note nunca only otherwise our "
        "perfect please pls prefer preferred quit rather record reference remember reminder "
        "requires rule rules runs said selalu sempre should shouldn shouldn't siempre since statt "
        "still stop sure switched tip told toujours turns unless until use used using vez want "
        "watch we went when whenever without wrong zawsze"
    ).split()
)


#: Begins what to do instead of a rejected call, in at most so many words.
_CURES, _SHORT_CURE = ("Use", "Run", "Call", "Take"), 4
#: Forms that may explain the sentence before instead of being a rule.
_MAY_EXPLAIN = frozenset(("norm", "likely", "when"))
#: The form of statements heard only by their words.
LIKELY = "likely"
#: Forms of facts and rules alike: "payments go through Adyen", "one component per file".
_TOLD_IN_BRIEFINGS = frozenset((LIKELY, "norm", "elliptic", "always", "forbids a thing"))
#: Forms that a report of a fault may have.
_MAY_REPORT = frozenset((LIKELY, "tells"))
#: Forms that a fragment may have: "one line, no bullet lists".
_MAY_BE_A_FRAGMENT = frozenset((LIKELY, "contrast abroad", "elliptic"))


class Heard(NamedTuple):
    """A lasting statement.

    `label` is decision, correction, fact or preference; `form` names how it was put; `sentence` is
    the original, `wording` the same as a standalone line.
    """

    label: str
    form: str
    sentence: str
    wording: str


def heard(text: str, prev: str = "", *, rejected: bool = False) -> Heard | None:
    """Return the first lasting statement in a user's turn, or None.

    Args:
        text: the user's turn; pasted text does not count.
        prev: the agent's message before; quotations from it do not count.
        rejected: whether it was said while rejecting an agent's call.
    """
    if not rejected and text.isascii() and not may_last(text):
        return None
    return next(iter(hear(text, prev, rejected=rejected)), None)


def may_last(text: str) -> bool:
    """Return whether a prompt contains a word that marks lasting statements; very cheap."""
    words = text.lower().replace("\u2019", "'").translate(_MARKS).split()
    if text.rstrip().endswith("?") and _PUT_AS_A_QUESTION.isdisjoint(words):
        return any(mark in text.rstrip(" ?") for mark in ".,:;?!")
    return len(words) > 1 and not _HINTS.isdisjoint(words)


#: Words that make a question a rule: "could you from now on ...?"
_PUT_AS_A_QUESTION = frozenset(("always", "never", "now", "future", "stop", "instead"))
_MARKS = dict.fromkeys(map(ord, '.,:;!?()*"`'), " ")


def hear(text: str, prev: str = "", *, rejected: bool = False) -> list[Heard]:
    """Return every lasting statement in a user's turn, in order."""
    from satchel.application.learning.signals.asides import is_order
    from satchel.application.learning.signals.briefings import told_for
    from satchel.application.learning.signals.context import completed, is_fragment
    from satchel.application.learning.signals.joining import joined
    from satchel.application.learning.signals.own_words import own_words, sentences
    from satchel.application.learning.signals.run_on import with_marks
    from satchel.application.learning.signals.speech.clauses import peel
    from satchel.application.learning.signals.speech.leads import CHALLENGES
    from satchel.application.learning.signals.speech.roundabout import meant_by
    from satchel.application.learning.signals.speech.wording import REMARK

    found: list[Heard] = []
    # What is roundabout is known by its beginning, which run-on speech shows only with marks.
    words = meant_by(with_marks(own_words(text)))
    turn = told_for(sentences(words), text)
    said = [one.text for one in turn]
    objected, told = rejected, -1
    before = prev.lower()
    chosen = _chosen(said, prev)
    if chosen is not None:
        found, told = [chosen], 1
    for at, whole in enumerate(said):
        sentence = whole
        if at == told or (chosen is not None and not at) or not _may_be_heard(sentence):
            continue
        objected = objected or peel(sentence).objects or bool(CHALLENGES.match(sentence))
        bare = REMARK.sub("", sentence)
        alone = turn[at].briefs or turn[at].listed
        following = said[at + 1] if at + 1 < len(said) and not alone else ""
        cure = _cure_of(sentence, following, rejected=rejected)
        reasoned = bool(cure) or _gives_reason(bare, sentence, following, words)
        of = 1 if alone else len(said)
        form = _form_of(bare, _Setting(of, turn[at].purpose, rejected, objected, reasoned))
        if form is None and not rejected:
            sentence, form = _aside(whole)
        if form is None or (len(sentence) > _A_QUOTE and sentence.lower() in before):
            continue  # repeating the agent's words is not a statement
        one = _heard(sentence, form, said[at - 1] if at else "")
        one = one._replace(label=_label_in(turn[at].purpose, one))
        if at and not alone and form.name in _MAY_BE_A_FRAGMENT:
            if form.name == LIKELY and is_fragment(one.wording) and is_order(said[at - 1]):
                continue  # a detail of what is to be done: "add a banner. closed in august"
            one = one._replace(wording=completed(one.wording, said[at - 1]))
        if form.name in _MAY_REPORT and _is_of_the_moment(one, whole, following):
            continue
        # While rejecting a call, what follows a fact is why as well.
        meant = one._replace(label="correction") if rejected else one
        reason = _reason_of(meant, following, words) if following else ""
        if cure:
            told, one = at + 1, one._replace(wording=joined(one.wording, cure))
        elif reason:
            told = at + 1
            one = one._replace(wording=f"{one.wording}{reason}")
        _add(one, found, said[at - 1])
    return found


def _label_in(purpose: str, one: Heard) -> str:
    """Return a statement's label, which a briefing may tell: about the project, or its rules."""
    from satchel.application.learning.signals.briefings import BACKGROUND, RULES

    if one.label not in ("preference", "fact") or one.form not in _TOLD_IN_BRIEFINGS:
        return one.label
    return {BACKGROUND: "fact", RULES: "correction"}.get(purpose, one.label)


def _add(one: Heard, found: list[Heard], previous: str) -> None:
    """Add a statement to those before it, joined with the last if it is about the same."""
    from satchel.application.learning.signals.joining import joined, points_back

    if found and found[-1].sentence == previous and points_back(one.wording):
        one = one._replace(wording=joined(found[-1].wording, one.wording))
    if found and _belong_together(found[-1], one, previous):
        one = _together(found.pop(), one)
    found.append(one)


def _is_of_the_moment(one: Heard, whole: str, following: str) -> bool:
    """Return whether what comes next shows that a sentence says what is wrong now, or is asked."""
    from satchel.application.learning.signals.speech import passing
    from satchel.application.learning.signals.speech.passing import LOOK_INTO, LOOK_LAST

    asks_of_it = whole[-1:] not in ".!;" and passing.ASKS_OF_IT.match(following)
    fails = passing.FAILS.search(whole) and passing.ASKS_OF_THAT.match(following)
    if asks_of_it or fails or LOOK_LAST.search(whole):
        return True
    return one.form == LIKELY and one.label == "fact" and bool(LOOK_INTO.match(following))


def sentences_in(text: str) -> list[str]:
    """Return the sentences of a user's turn that `hear` judges."""
    from satchel.application.learning.signals.own_words import own_words, sentences
    from satchel.application.learning.signals.run_on import with_marks
    from satchel.application.learning.signals.speech.roundabout import meant_by

    said = sentences(meant_by(with_marks(own_words(text))))
    return [one for one in said if _may_be_heard(one)]


def _may_be_heard(sentence: str) -> bool:
    """Return whether a sentence is more than an introduction to a list, a quotation or code."""
    return 0 < len(sentence) <= _LONGEST_SENTENCE and not sentence.endswith(":")


def _chosen(said: list[str], prev: str) -> Heard | None:
    """Return the choice among what the agent offered, if a reason follows: "jooq. It is typed"."""
    from satchel.application.learning.signals.reasons import choice_in, reason_behind

    chosen = choice_in(said, prev)
    if not chosen:
        return None
    reason = reason_behind(chosen, "chosen;", said[1], "")
    return Heard("decision", "chosen", " ".join(said[:2]), f"{chosen}{reason}") if reason else None


def _aside(sentence: str) -> tuple[str, Form | None]:
    """Return what is said behind a sentence's order, and its form if that is likely to last."""
    from satchel.application.learning.signals.asides import aside_in
    from satchel.application.learning.signals.likelihood import form_in, likelihood

    told = aside_in(sentence)
    form = _form_of(told, _Setting(1)) if told else None
    lasts = form is not None and likelihood(told, form_in(told)) >= ASIDE_LASTS
    return (told, form) if lasts else (sentence, None)


def _heard(sentence: str, form: Form, before: str) -> Heard:
    """Return a sentence's lasting statement, worded to stand alone."""
    from satchel.application.learning.signals.joining import with_subject
    from satchel.application.learning.signals.speech.clauses import peel
    from satchel.application.learning.signals.speech.forms import told_label
    from satchel.application.learning.signals.speech.leads import DO_THAT, FORGET_IT, NOT_HOW
    from satchel.application.learning.signals.speech.wording import wording_of
    from satchel.engine.statements.passing_steps import STEP_LAST

    peeled = peel(sentence)
    label = told_label(peeled, form.label)
    wording = wording_of(peeled.rest or sentence)
    if label != "decision":  # "we take vitest, drop the jest config" is all of it
        wording = STEP_LAST.sub("", wording)
    wording = with_subject(wording, before)
    about = NOT_HOW.match(sentence)
    if DO_THAT.match(peeled.rest):
        about = FORGET_IT.match(sentence)
    if about and wording:
        wording = f"{about['topic'].capitalize()}: {wording[:1].lower()}{wording[1:]}"
    return Heard(label, form.name, sentence, wording)


def _belong_together(before: Heard, one: Heard, previous: str) -> bool:
    """Return whether one statement includes another, or is what to do instead: "use -sms=fake"."""
    words = one.wording.split()
    cure = before.form == one.form == "rejected" and before.sentence == previous
    cure = cure and words[0] in _CURES and len(words) <= _SHORT_CURE
    return before.wording in one.wording or (cure and before.wording.split()[0] not in _CURES)


def _together(before: Heard, one: Heard) -> Heard:
    if before.wording in one.wording:
        return one
    return before._replace(wording=f"{before.wording}: {one.wording[:1].lower()}{one.wording[1:]}")


def _cure_of(sentence: str, following: str, *, rejected: bool) -> str:
    """Return what the next sentence names in place of what a sentence refuses, or ""."""
    from satchel.application.learning.signals.reasons import cure_behind

    return cure_behind(sentence, following, rejected=rejected) if following else ""


def _gives_reason(bare: str, sentence: str, following: str, words: str) -> bool:
    """Return whether the next sentence gives a sentence's reason."""
    if not following:
        return False
    from satchel.application.learning.signals.reasons import reason_behind

    return bool(reason_behind(bare, sentence, following, words))


def _reason_of(one: Heard, following: str, words: str) -> str:
    """Return what the next sentence adds to a rule or decision, with leading punctuation; or ""."""
    from satchel.application.learning.signals.reasons import does_harm, reason_behind, what_follows

    if one.label == "fact":
        return what_follows(one.wording, following)
    added = reason_behind(one.wording, one.sentence, following, words)
    if not added.startswith((": ", "; ")) or does_harm(following):
        return added
    form = _form_of(following, _Setting(2))
    by_itself = form is not None and form.label != "fact" and form.name not in _MAY_EXPLAIN
    return "" if by_itself else added


class _Setting(NamedTuple):
    """How a sentence was said.

    `of`: how many sentences the turn has; `purpose`: what it is told for, if known, see
    `briefings`; `rejected`: while rejecting an agent's call; `objected`: an earlier sentence of the
    turn objects to something; `reasoned`: the next sentence gives its reason.
    """

    of: int
    purpose: str = ""
    rejected: bool = False
    objected: bool = False
    reasoned: bool = False


def _form_of(sentence: str, said: _Setting) -> Form | None:
    """Return the form of a sentence that is likely to last; see `hear`."""
    from satchel.application.learning.signals.briefings import RULES
    from satchel.application.learning.signals.likelihood import (
        form_in,
        knows,
        label_of,
        likelihood,
        words_of,
    )
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
        or (said.purpose != RULES and knows(sentence) < _KNOWN_WORDS)
    ):
        return None
    passing = form is not None and said.of > _LONG_TURN and not form.plain
    if passing or (form is not None and ASKS_BACK.search(sentence)):
        return None
    if likelihood(sentence, form, rejected=said.rejected) < _least(sentence, form, said):
        return None
    return form or Form(label_of(sentence), LIKELY, plain=False)


def _least(sentence: str, form: Form | None, said: _Setting) -> float:
    """Return how likely a sentence has to be to last."""
    from satchel.application.learning.signals.briefings import BACKGROUND, DETAILS, RULES, TASK
    from satchel.application.learning.signals.speech.clauses import peel

    least = LASTS
    if form and form.name in _AS_A_RULE:
        least = REASONED_LASTS if said.reasoned else RULE_LASTS
    if said.rejected:
        return min(least, REJECTED_LASTS)
    if form is None and said.reasoned and said.objected:
        return INSTEAD_LASTS
    if said.purpose in (BACKGROUND, RULES):
        return BRIEFING_LASTS if said.purpose == BACKGROUND else 0.0
    if said.purpose in (TASK, DETAILS) and (form is None or not peel(sentence).led_in):
        return TASK_LASTS if said.purpose == TASK else _NEVER_LASTS
    return LASTS_AMONG_MANY if form is None and said.of > _FEW else least
