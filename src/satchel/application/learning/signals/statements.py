"""Judges a turn sentence by sentence, and words what lasts so that each line stands by itself.

Lead-ins are peeled off and recorded, then a sentence's form and the likelihood of its words decide
together. What its neighbours add is told with it: what it is about, its reason, what to do instead.
"""

from __future__ import annotations

from satchel.application.learning.signals.asides import aside_in, is_order, reason_last
from satchel.application.learning.signals.briefings import BACKGROUND, RULES, Told, told_for
from satchel.application.learning.signals.choices import choice_among
from satchel.application.learning.signals.context import completed, is_fragment
from satchel.application.learning.signals.joining import (
    all_of_which,
    joined,
    points_back,
    with_subject,
)
from satchel.application.learning.signals.lasting import (
    ASIDE_LASTS,
    LIKELY,
    MAY_BE_A_FRAGMENT,
    MAY_EXPLAIN,
    MAY_REPORT,
    TOLD_IN_BRIEFINGS,
    Setting,
    lasting_form,
)
from satchel.application.learning.signals.likelihood import form_in, likelihood
from satchel.application.learning.signals.own_words import (
    own_words,
    sentences,
)
from satchel.application.learning.signals.reasons import (
    accuses,
    cure_behind,
    does_harm,
    looks_back,
    reason_behind,
    tells_more,
    what_follows,
)
from satchel.application.learning.signals.run_on import with_marks
from satchel.application.learning.signals.speech.clauses import peel
from satchel.application.learning.signals.speech.forms import Form, told_label
from satchel.application.learning.signals.speech.leads import (
    CHALLENGES,
    DO_THAT,
    FORGET_IT,
    NOT_HOW,
)
from satchel.application.learning.signals.speech.passing import (
    ASKS_OF_IT,
    ASKS_OF_THAT,
    FAILS,
    LOOK_INTO,
    LOOK_LAST,
)
from satchel.application.learning.signals.speech.roundabout import meant_by
from satchel.application.learning.signals.speech.rules import DIRECTIVE, PROHIBITS
from satchel.application.learning.signals.speech.wording import (
    REMARK,
    begun_with_a_capital,
    wording_of,
)
from satchel.application.learning.signals.values import Heard
from satchel.core.values import NamedTuple
from satchel.engine.statements.passing_steps import STEP_LAST
from satchel.storage.kept_patterns import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST_SENTENCE = 600
_A_QUOTE = 20
#: Begins what to do instead of a rejected call, in at most so many words.
_CURES, _SHORT_CURE = ("Use", "Run", "Call", "Take"), 4
#: Fewest words of an order that the next sentence explains, and what makes it one.
_AN_ORDER = 3
_BINDS = spoken(r"\b(?:must|should|has to|have to|needs? to|only|always|never|not|no|says?)\b")


class _Place(NamedTuple):
    """A sentence's place in its turn.

    `text` is the whole turn, `quoted` the agent's message before in lower case; `rejected` and
    `objected`: see `lasting.Setting`.
    """

    turn: Sequence[Told]
    at: int
    text: str
    quoted: str
    rejected: bool
    objected: bool

    @property
    def told(self) -> Told:
        """The sentence itself."""
        return self.turn[self.at]

    @property
    def alone(self) -> bool:
        """Whether its neighbours say nothing of it: in a briefing, or a list."""
        return self.told.briefs or self.told.listed

    @property
    def previous(self) -> str:
        """The sentence before, or ""."""
        return self.turn[self.at - 1].text if self.at else ""

    @property
    def following(self) -> str:
        """The sentence behind that may belong to it, or ""."""
        last = self.at + 1 == len(self.turn)
        return "" if last or self.alone else self.turn[self.at + 1].text


def statements_in(
    text: str, prev: str = "", *, rejected: bool = False, asked: str = ""
) -> list[Heard]:
    """Return every lasting statement in a user's turn, in order; see `hearing.hear`."""
    # What is roundabout is known by its beginning, which run-on speech shows only with marks.
    words = meant_by(with_marks(own_words(text)))
    turn = told_for(sentences(words), text)
    found: list[Heard] = []
    objected = rejected
    chosen, taken = _chosen(
        [one.text for one in turn], f"{prev.rstrip().rpartition(chr(10))[2]}\n{asked}"
    )
    for at, told in enumerate(turn):
        if chosen is not None and at == min(taken):
            found, chosen = [*found, chosen], None
        if at in taken or not _may_be_heard(told.text):
            continue
        peeled = peel(told.text)
        objected = objected or peeled.objects or bool(CHALLENGES.match(told.text))
        objected = objected or (not at and accuses(told.text))
        place = _Place(turn, at, words, prev.lower(), rejected, objected)
        one, whole = _statement(place)
        if one is not None:
            taken |= {at + 1} if whole else set()
            _add(one, found, place.previous)
    if not prev or any(one.purpose or one.listed for one in turn):
        return found
    from satchel.application.learning.signals.replies import with_explained

    return with_explained(found, [one.text for one in turn], prev)


def sentences_in(text: str) -> list[str]:
    """Return the sentences of a user's turn that `statements_in` judges."""
    said = sentences(meant_by(with_marks(own_words(text))))
    return [one for one in said if _may_be_heard(one)]


def _chosen(said: list[str], offers: str) -> tuple[Heard | None, set[int]]:
    """Return a choice among what was offered, and the sentences that it takes."""
    choice = choice_among(said, offers)
    if choice is None:
        return None, set()
    taken = range(choice.at, choice.at + choice.sentences)
    whole = " ".join(said[at] for at in taken)
    return Heard(choice.label, "chosen", whole, choice.wording), set(taken)


def _may_be_heard(sentence: str) -> bool:
    """Return whether a sentence is more than an introduction to a list, a quotation or code."""
    return 0 < len(sentence) <= _LONGEST_SENTENCE and not sentence.endswith(":")


def _statement(place: _Place) -> tuple[Heard | None, bool]:
    """Return a place's lasting statement, and whether it takes the sentence behind as well."""
    whole, following = place.told.text, place.following
    bare = REMARK.sub("", whole)
    cure = cure_behind(whole, following, rejected=place.rejected) if following else ""
    reasoned = bool(following and (cure or reason_behind(bare, whole, following, place.text)))
    of = 1 if place.alone else len(place.turn)
    said = Setting(of, place.told.purpose, place.rejected, place.objected, reasoned, bool(cure))
    said = said._replace(harms=reasoned and looks_back(following))
    sentence, form = whole, lasting_form(bare, said)
    if form is None and not place.rejected:
        sentence, form = _aside(whole)
    if form is None or (len(sentence) > _A_QUOTE and sentence.lower() in place.quoted):
        return None, False  # repeating the agent's words is not a statement
    if form.name == LIKELY and following and accuses(bare):
        return None, False  # what it did is not what it should do
    before = all_of_which(whole, [told.text for told in place.turn[: place.at]]) or place.previous
    one = _heard(sentence, form, before)
    one = one._replace(label=_label_in(place.told.purpose, one))
    if place.at and not place.alone and form.name in MAY_BE_A_FRAGMENT:
        if form.name == LIKELY and is_fragment(one.wording) and is_order(place.previous):
            return None, False  # a detail of what is to be done: "add a banner. closed in august"
        one = one._replace(wording=completed(one.wording, place.previous))
    if form.name in MAY_REPORT and _is_of_the_moment(one, whole, following):
        return None, False
    peeled = peel(whole)
    orders = peeled.begins(DIRECTIVE) or peeled.begins(PROHIBITS)
    if whole == sentence and place.previous and not (place.alone or orders):
        one = one._replace(wording=_with_what_it_explains(one, place))
    if cure:
        return one._replace(wording=joined(one.wording, cure)), True
    # While rejecting a call, what follows a fact is why as well.
    meant = one._replace(label="correction") if place.rejected else one
    reason = _reason_of(meant, following, place.text) if following else ""
    return one._replace(wording=f"{one.wording}{reason}"), bool(reason)


def _with_what_it_explains(one: Heard, place: _Place) -> str:
    """Return a wording behind the order before it whose reason it is."""
    before = peel(place.previous).rest.rstrip(" .!;,:")
    if len(before.split()) < _AN_ORDER or before.endswith("?") or not _BINDS.search(before):
        return one.wording
    reason = reason_behind(before, place.previous, place.told.text, place.text)
    return f"{begun_with_a_capital(before)}{reason}" if reason else one.wording


def _reason_of(one: Heard, following: str, words: str) -> str:
    """Return what the next sentence adds to a rule or decision, with leading punctuation; or ""."""
    if one.label == "fact" and not looks_back(following):
        added = what_follows(one.wording, one.sentence, following)
        more = not added and tells_more(following)
        return reason_behind(one.wording, one.sentence, following, words) if more else added
    added = reason_behind(one.wording, one.sentence, following, words)
    if not added.startswith((": ", "; ")) or does_harm(following):
        return added
    form = lasting_form(following, Setting(2))
    by_itself = form is not None and form.label != "fact" and form.name not in MAY_EXPLAIN
    return "" if by_itself else added


def _label_in(purpose: str, one: Heard) -> str:
    """Return a statement's label, which a briefing may tell: about the project, or its rules."""
    if one.label not in ("preference", "fact") or one.form not in TOLD_IN_BRIEFINGS:
        return one.label
    return {BACKGROUND: "fact", RULES: "correction"}.get(purpose, one.label)


def _add(one: Heard, found: list[Heard], previous: str) -> None:
    """Add a statement to those before it, joined with the last if it is about the same."""
    if found and found[-1].sentence == previous and points_back(one.wording):
        one = one._replace(wording=joined(found[-1].wording, one.wording))
    if found and _belong_together(found[-1], one, previous):
        one = _together(found.pop(), one)
    found.append(one)


def _is_of_the_moment(one: Heard, whole: str, following: str) -> bool:
    """Return whether what comes next shows that a sentence says what is wrong now, or is asked."""
    asks_of_it = whole[-1:] not in ".!;" and ASKS_OF_IT.match(following)
    fails = FAILS.search(whole) and ASKS_OF_THAT.match(following)
    if asks_of_it or fails or LOOK_LAST.search(whole):
        return True
    return one.form == LIKELY and one.label == "fact" and bool(LOOK_INTO.match(following))


def _aside(sentence: str) -> tuple[str, Form | None]:
    """Return what is said behind a sentence's order, and its form if that is likely to last."""
    detail, told = reason_last(sentence)
    form = form_in(told) if detail else None
    if form is not None and form.label == "fact":
        return f"{detail}, {told}", form
    told = aside_in(sentence)
    form = lasting_form(told, Setting(1)) if told else None
    lasts = form is not None and likelihood(told, form_in(told)) >= ASIDE_LASTS
    return (told, form) if lasts else (sentence, None)


def _heard(sentence: str, form: Form, before: str) -> Heard:
    """Return a sentence's lasting statement, worded to stand alone."""
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
