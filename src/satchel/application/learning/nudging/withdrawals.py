"""What a user takes back in words: "forget what I said about pnpm"."""

from __future__ import annotations

import itertools
import re

from satchel.application.briefs.accepted_elsewhere import accepted_here
from satchel.application.learning.drafting.proposing import key_of
from satchel.application.learning.reviewing.bringing_back import brought_back
from satchel.application.learning.reviewing.targets import ProjectTargets, changed_since
from satchel.application.learning.signals.own_words import own_words
from satchel.application.learning.signals.unmeant import (
    corrects_answer,
    reconsiders,
    said_instead,
    withdrawn,
)
from satchel.application.outlet import ASIDE
from satchel.clients.transcript_format.values import USER
from satchel.core.excerpts import beginning
from satchel.core.kinds import KNOWLEDGE as LASTING
from satchel.core.kinds import kinds_for
from satchel.engine.search.tokens import ATTRIBUTES, distinctive_words, meaning, words_of
from satchel.features.proposals.values import (
    ARCHIVE,
    KNOWLEDGE,
    MEMORIES,
    SET_ASIDE,
    Edit,
    Proposal,
)
from satchel.storage.kept_patterns import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeVar

    from satchel.application.learning.signals.values import Signal
    from satchel.application.services import Services
    from satchel.clients.transcript_format.values import Turn
    from satchel.engine.statements.contradictions import Rule
    from satchel.storage.ledger.record import Record

    T = TypeVar("T")

#: Most memories about one subject to offer; with more, the words are too vague.
_MOST, _LOOKED_AT = 3, 20
_TITLE, _QUOTE, _KEPT = 120, 200, 400
#: Fewest significant words of a statement that an answer quotes, and how much of one to read.
_TELLING, _AN_ANSWER = 3, 800
#: Precedes what a rule rejects.
_REFUSED = spoken(
    r"\bfrom (?P<left>\S+) to\b|\b(?:not|never|no longer|no more|instead of|rather than"
    r"|in place of|don't|do not|nicht|statt)\b(?P<rest>[^\n]*?)(?=[,;:] (?:we|use|now|take)\b|$)"
)
_BACK_TO = spoken(r"\b(?:back to|(?:stay|stick|remain) with|keep) (?P<what>[^,;!?\n]{2,60})")
#: Words for a rule's subject that the rule itself need not contain.
_MATTERS = ATTRIBUTES | {"thing", "things", "rule", "rules", "stuff", "style"}
#: File suffixes, which say nothing about a text's subject.
_ENDING = re.compile(r"(?<=[A-Za-z_])\.[A-Za-z]\w{0,4}\b")


def _told(text: str) -> set[str]:
    """Return the stems of a text's significant words: "answering" may take back "answer"."""
    return set(map(meaning, distinctive_words(_ENDING.sub(" ", text))))


def _closest(subject: str, found: Sequence[T], text_of: Callable[[T], str]) -> Sequence[T]:
    """Return the items with every word of a subject, including common ones, or else all items.

    "Ts only" means "no js files, typescript only", and not all that names TypeScript.
    """
    words = set(map(meaning, words_of(subject)))
    whole = [one for one in found if words <= set(map(meaning, words_of(text_of(one))))]
    return whole or found


def _subject_of(subject: str) -> str:
    """Return a subject without its general noun: the branch "names", the port "thing"."""
    words = [word for word in subject.split() if word.lower().strip(",") not in _MATTERS]
    return " ".join(words) or subject


def taken_back_by(work: Services, said: str) -> dict[str, Record]:
    """Return the memories that somebody's words take back, by id."""
    return {
        record.id: record
        for one in withdrawn(said)
        for record in memories_about(work, one.subject)
        if not _holds_instead(record.content, said)
    }


def rules_taken_back_by(work: Services, said: str, command: str) -> list[tuple[str, str]]:
    """Return the rules that somebody's words take back, each with how to remove it.

    Args:
        command: the command that starts Satchel.
    """
    targets = ProjectTargets(work)
    about = [one for each in withdrawn(said) for one, _ in _rules_about(targets, each.subject)]
    found = []
    for rule in about:
        if _holds_instead(rule.text, said):
            continue
        how = f"take it out of {work.instructions.shown(rule.path)}:{rule.line}"
        if rule.path == work.project.tracked.place("instincts"):
            soft = work.instincts.read().instincts
            ident = next(one.id for one in soft if one.line == rule.line)
            how = f"{command} rules remove {ident} --yes"
        found.append((rule.text, how))
    return found


def memories_about(work: Services, subject: str) -> list[Record]:
    """Return this project's lasting memories with every significant word of a subject.

    [] if there are more than three: the meaning is unclear.
    """
    subject = _subject_of(subject)
    words = _told(subject)
    found = _lasting_memories(work, subject)
    about = [one for one in found if words <= _told(f"{one.title} {one.content}")]
    meant = _closest(subject, about, lambda one: f"{one.title} {one.content}")
    # "A table instead of kafka" still holds once kafka is scrapped.
    meant = [one for one in meant if not _says_instead(one.content, words)] or list(meant)
    return meant if words and len(meant) <= _MOST else []


def _lasting_memories(work: Services, asked: str) -> list[Record]:
    """Return this project's lasting memories that share words with a text, the closest first."""
    from satchel.application.recall.questions import KEYWORD
    from satchel.application.recall.service import recall_memories

    found = recall_memories(work, asked, limit=_LOOKED_AT, method=KEYWORD, weak=True, partial=True)
    lasting = kinds_for(LASTING)
    records = [one.record for one in found.items]
    return [one for one in records if one.kind in lasting and ASIDE not in one.tags]


def still_said(signals: Sequence[Signal], turns: Sequence[Turn]) -> list[Signal]:
    """Leave out what the same session said before taking it back."""
    at = {turn.id: number for number, turn in enumerate(turns)}
    persons = [turn for turn in turns if turn.role == USER and own_words(turn.text).strip()]
    undone = {
        before.id
        for before, turn in itertools.pairwise(persons)
        if before.id and reconsiders(own_words(turn.text))
    }
    taken = [
        (number, _told(one.subject))
        for number, turn in enumerate(turns)
        if turn.role == USER
        for one in withdrawn(own_words(turn.text))
    ]

    def is_taken_back(signal: Signal) -> bool:
        said = _told(signal.learning)
        last = max((at[turn] for turn in signal.turns if turn in at), default=len(turns))
        named = any(last < number and words <= said for number, words in taken)
        return named or (bool(signal.turns) and signal.turns[-1] in undone)

    return [one for one in signals if not is_taken_back(one)]


def with_withdrawals(
    drafted: Sequence[Proposal],
    work: Services,
    targets: ProjectTargets,
    turns: Sequence[Turn],
    session: str,
) -> list[Proposal]:
    """Return a session's suggestions, with those of what its person took back."""
    back = withdrawal_proposals(work, targets, turns, session)
    return [*(one for one in drafted if not _comes_back(one, back)), *back]


def withdrawal_proposals(
    work: Services, targets: ProjectTargets, turns: Sequence[Turn], session: str
) -> list[Proposal]:
    """Suggest hiding what a session's user took back, and removing it from files."""
    proposals = []
    accepted = accepted_here(work)
    answer = ""
    for turn in turns:
        if turn.role != USER:
            answer = turn.text.strip() or answer
            continue
        for sentence, what, edit in _taken_back_in(work, targets, turn, answer):
            if _holds_instead(what, turn.text):
                continue
            again = brought_back(work, targets, accepted, edit, said_instead(sentence))
            proposals.append(
                Proposal(
                    ARCHIVE,
                    KNOWLEDGE,
                    beginning(f"Take back: {what}", _TITLE),
                    why=f'From you: "{sentence[:_QUOTE]}"',
                    tier="high",
                    edits=(edit, *again),
                    key=key_of(ARCHIVE, f"take back {session} {edit.path} {what}"),
                    session=session,
                    turns=(turn.id,) if turn.id else (),
                )
            )
    return proposals


def _taken_back_in(
    work: Services, targets: ProjectTargets, turn: Turn, answer: str
) -> Iterator[tuple[str, str, Edit]]:
    """Yield what a turn takes back: in which words, the statement, and the edit that does it.

    Args:
        answer: what the agent said before: "that's outdated" takes back what it quoted.
    """
    own = own_words(turn.text)
    for one in withdrawn(own):
        for what, edit in _edits(work, targets, one.subject, turn.at):
            yield one.sentence, what, edit
    if corrects_answer(own):
        for what, edit in _told_in(work, targets, answer[:_AN_ANSWER]):
            yield own, what, edit


def _told_in(work: Services, targets: ProjectTargets, answer: str) -> list[tuple[str, Edit]]:
    """Return the statements whose every significant word is in an answer; [] for more than three.

    Each with the edit that takes it back.
    """
    words = _told(answer)
    found = [
        (one.title or one.content, Edit(SET_ASIDE, MEMORIES, one.id, one.content[:_KEPT]))
        for one in _lasting_memories(work, answer)
        if _is_told(f"{one.title} {one.content}", words)
    ]
    rules = (one for one in targets.rules() if _is_told(one.text, words))
    found += [(one.text, edit) for one in rules if (edit := targets.edit_without(one))]
    return found if len(found) <= _MOST else []


def _is_told(text: str, words: set[str]) -> bool:
    told = _told(text)
    return len(told) >= _TELLING and told <= words


def _comes_back(drafted: Proposal, back: Sequence[Proposal]) -> bool:
    """Return whether a suggestion only says that something stays that is brought back anyway."""
    stays = _BACK_TO.search(drafted.title)
    return bool(stays and stays.end() == len(drafted.title)) and any(
        _holds_instead(edit.text, drafted.title)
        for other in back
        if set(drafted.turns) & set(other.turns)
        for edit in other.edits[1:]
    )


def _edits(
    work: Services, targets: ProjectTargets, subject: str, at: float
) -> Iterator[tuple[str, Edit]]:
    """Yield statements on a subject, each with the edit that takes it back.

    `at` is when it was taken back, Unix seconds, 0 if unknown: a memory written since says what
    holds instead, and so may a line in a file changed since ("bun, not pnpm").
    """
    for record in memories_about(work, subject):
        if at and record.when > at:
            continue
        said = record.title or record.content
        yield said, Edit(SET_ASIDE, MEMORIES, record.id, record.content[:_KEPT])
    words = _told(_subject_of(subject))
    for rule, edit in _rules_about(targets, subject):
        if at and changed_since(rule.path, at) and _says_instead(rule.text, words):
            continue
        yield rule.text, edit


def _rules_about(targets: ProjectTargets, subject: str) -> list[tuple[Rule, Edit]]:
    """Return this project's rules with every significant word of a subject, and how to remove them.

    [] if there are more than three: the meaning is unclear.
    """
    subject = _subject_of(subject)
    words = _told(subject)
    about = [
        (rule, targets.edit_without(rule)) for rule in targets.rules() if words <= _told(rule.text)
    ]
    rules = [(rule, edit) for rule, edit in about if edit is not None]
    meant = _closest(subject, rules, lambda one: one[0].text)
    return list(meant) if words and len(meant) <= _MOST else []


def _holds_instead(text: str, said: str) -> bool:
    """Return whether a text is what somebody returns to: "... back to name/topic"."""
    back = _BACK_TO.search(said)
    words = _told(back["what"]) if back else set()
    return bool(words) and words <= _told(text) and not _says_instead(text, words)


def _says_instead(text: str, words: set[str]) -> bool:
    """Return whether a line only names a subject as no longer to be used."""
    refused = _REFUSED.search(text)
    return bool(refused and words & _told(refused["left"] or refused["rest"] or ""))
