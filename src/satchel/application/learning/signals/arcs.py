"""Signals in a session's course rather than its words: resolved failures, repeated requests.

An arc is a command that failed, work in between, and the same command that passes. Pure.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from satchel.application.learning.signals.calls import (
    PREAMBLE,
    SET,
    STEPS,
    commands_in,
    family_of,
    files_in,
)
from satchel.application.learning.signals.causes import cause_in
from satchel.application.learning.signals.cures import whole, with_cure
from satchel.application.learning.signals.error_lines import first_error
from satchel.application.learning.signals.findings import ROOT_CAUSE, findings_in
from satchel.application.learning.signals.own_words import own_words, sentences
from satchel.application.learning.signals.patterns import category_of, stripped, wording_of
from satchel.application.learning.signals.preparations import named_in, prepared_by
from satchel.application.learning.signals.values import (
    BEHAVIORAL,
    HIGH,
    KNOWLEDGE,
    MEDIUM,
    RECURRING,
    Signal,
)
from satchel.clients.transcript_format.values import ASSISTANT, USER, Turn
from satchel.core.values import NamedTuple
from satchel.storage.kept_patterns import spoken

_TESTS = re.compile(
    r"\b(?:pytest|unittest|tox|nox|jest|vitest|mocha|ava|playwright\s+test|go\s+test|cargo\s+(?:test"
    r"|nextest)|rspec|phpunit|mvn\b.{0,40}\btest|gradlew?\b.{0,40}\btest|dotnet\s+test|ctest|make\s+"
    r"(?:test|check)|(?:npm|pnpm|yarn|bun|mise|just|task)\b.{0,12}\btest\S*)(?![\w.])"
)
#: Steps that change nothing.
_VARIABLES = re.compile(rf"(?:env\s+)?(?:{SET})+")
_LOOKS = re.compile(
    r"(?:\Z|(?:cd|ls|cat|grep|rg|find|sed|head|tail|echo|printf|pwd|which|type|git|sleep|export|set|true|wc|diff|jq|test"
    r"|ps|stat|file|tree|awk|clear|env)\b|\[)"
)
#: How clients report a person's "no", and how much of an error to search for it.
_SAYS_NO = (
    "the user doesn't want to",
    "tool use was rejected",
    "rejected by user",
    "rejected by the user",
    "user did not allow",
    "user rejected",
    "user denied",
)
_A_REFUSAL = 200
#: Begins the error of a call that never ran.
_NEVER_RAN = ("<tool_use_error>", "Permission to use")
_FAR = 60
_LONGEST = 400
_SAME = 0.6
_FEW_WORDS = 4
_A_REMARK = 14
#: A wrong command, corrected within this many turns.
_SOON = 3
_MISUSED = spoken(
    r"\b(?:no matches found|(?:unknown|unrecogni[sz]ed|invalid|unsupported|unexpected|ambiguous"
    r"|missing) (?:\w+ )?(?:option|flag|argument|command|subcommand|parameter|value|shorthand)s?"
    r"|no such (?:option|command|file)|command not found|not a (?:valid|git)\b|usage:"
    r"|requires (?:an? )?(?:\w+ )?argument|permission denied|syntax error|unterminated"
    r"|bad substitution|is not recognized|cannot find module)\b"
)


#: Most characters of an error to name beside its cause.
_A_MESSAGE = 80


class _Run(NamedTuple):
    """A run of a command: its turn, whether it failed, and how.

    `last` is the family of the line's last command, `before` of the earlier ones: "docker compose
    up -d db && pytest" runs pytest, after something that may have made it pass.
    """

    turn: int
    family: str
    command: str
    failed: bool
    error: str
    last: str = ""
    before: tuple[str, ...] = ()


def find_arcs(turns: Sequence[Turn]) -> list[Signal]:
    """Find every failure that work resolved: error, investigation, fix, success."""
    runs = _runs(turns)
    found: list[Signal] = []
    done: set[int] = set()
    for at, run in enumerate(runs):
        if not run.failed or at in done:
            continue
        failures, end = [run], None
        for later in range(at + 1, len(runs)):
            other = runs[later]
            if other.turn - failures[-1].turn > _FAR:
                break
            if run.family not in (other.family, "" if other.failed else other.last):
                continue
            if other.failed:
                failures.append(other)
                done.add(later)
                continue
            end = other
            break
        if end is not None:
            signal = _arc(turns, failures, end) or _usage(turns, failures, end)
            if signal is not None:
                found.append(signal)
    return found


def find_repeated(turns: Sequence[Turn]) -> list[Signal]:
    """Find what the user had to repeat in nearly the same words, with work in between."""
    said: list[tuple[Turn, frozenset[str], str]] = []
    sent: set[str] = set()
    found: list[Signal] = []
    for turn in turns:
        if turn.role != USER or _is_resent(turn, sent):
            continue
        for sentence in sentences(own_words(turn.text)):
            words = frozenset(re.findall(r"[a-z][a-z0-9_.-]{2,}", sentence.lower()))
            if len(words) < _FEW_WORDS or sentence.endswith("?"):
                continue
            before = next(
                (one for one in said if one[0].id != turn.id and _alike(one[1], words)), None
            )
            if before is not None:
                found.append(_twice(before[0], turn, sentence))
            else:
                said.append((turn, words, sentence))
    return found


def _is_resent(turn: Turn, sent: set[str]) -> bool:
    """Return whether a whole turn was sent before; resending it is not repeating oneself."""
    words = turn.text.lower().split()
    key = turn.text.strip() if len(words) <= _A_REMARK else " ".join(words[:_A_REMARK])
    if key in sent:
        return True
    sent.add(key)
    return False


def is_test(command: str) -> bool:
    """Return whether a command runs tests."""
    return bool(_TESTS.search(command))


def is_refused(turn: Turn) -> bool:
    """Return whether the user refused the last call of a turn."""
    return bool(turn.errors) and _is_refusal(turn.errors[-1])


def _is_refusal(error: str) -> bool:
    """Return whether an error is a person's "no", in the words of any client."""
    said = error[:_A_REFUSAL].lower().replace("\u2019", "'")
    return any(words in said for words in _SAYS_NO)


def _runs(turns: Sequence[Turn]) -> list[_Run]:
    runs = []
    for at, turn in enumerate(turns):
        if turn.role != ASSISTANT:
            continue
        commands = commands_in(turn)
        errors = [e for e in turn.errors if not (e.startswith(_NEVER_RAN) or _is_refusal(e))]
        # Which of several calls failed is not told: only a turn of one command is certain.
        sure = len(commands) == 1 or not turn.errors
        for command in commands if sure else ():
            error = errors[0] if errors else ""
            if turn.errors and not errors:
                continue
            *before, last = (step.strip() for step in STEPS.split(command))
            did = tuple(step for step in before if not _LOOKS.match(PREAMBLE.sub("", step)))
            run = _Run(
                at,
                family_of(command),
                command,
                failed=bool(errors),
                error=error,
                last=family_of(last),
                before=did,
            )
            runs.append(run)
    return [run for run in runs if run.family]


def _arc(turns: Sequence[Turn], failures: list[_Run], end: _Run) -> Signal | None:
    first = failures[0]
    between = turns[first.turn : end.turn + 1]
    files = list(dict.fromkeys(f for turn in between for f in files_in(turn)))
    answers = _answers(turns, first.turn, end.turn)
    labelled = _labelled(answers)
    told = labelled or next(filter(None, map(cause_in, answers)), "") or _explained(answers)
    done = turns[failures[-1].turn + 1 : end.turn]
    steps = end.before or prepared_by(done) or named_in(told, done)
    if not (files or steps or (told and len(failures) > 1)):
        return None  # it passed by itself: nothing was done about it
    tests = is_test(first.command)
    error = first_error(first.error)
    names = ", ".join(path.rsplit("/", 1)[-1] for path in files[:4])
    after = f"a change in {names}" if names else f"`{' && '.join(steps)[:_SHOWN]}`"
    # The lesson comes first: the cause and the cure, not a log line.
    if not told:
        failed = f"`{first.family}` failed: {error}" if error else f"`{first.family}` failed"
        learning = f"{failed}. It passed after {after}"
    else:
        ends = "" if told.endswith((".", "!")) else "."
        # A longer message is a part of a log.
        named = f"{ends} (`{first.family}` failed: {error})" if len(error) <= _A_MESSAGE else ""
        learning = f"{told}{named}" if error else told
    return Signal(
        HIGH if tests or len(failures) > 1 else MEDIUM,
        "tests_green" if tests else "error_fix",
        KNOWLEDGE,
        learning_type="bug-fix",
        category=category_of(learning),
        learning=learning[:_LONGEST],
        quote=told or error,
        role=ASSISTANT,
        at=turns[end.turn].at,
        turns=tuple(dict.fromkeys(turns[i].id for i in (*(f.turn for f in failures), end.turn))),
        attempts=len(failures),
        error=error,
        files=tuple(files),
        structural=True,
        # A labelled cause is a lesson; what recurs deserves a note.
        plain=bool(labelled) and len(failures) < RECURRING,
    )


def _usage(turns: Sequence[Turn], failures: list[_Run], end: _Run) -> Signal | None:
    """Return the signal of a command that was corrected at once, without an edit between."""
    last = failures[-1]
    if end.turn - last.turn > _SOON or end.command == last.command:
        return None
    if not (_MISUSED.search(last.error) or _needed_a_variable(last.command, end.command)):
        return None
    if end.command.endswith("\u2026") and end.command[:_SHOWN] == last.command[:_SHOWN]:
        return None  # what differs was cut off
    error = first_error(last.error)
    shown = end.command if len(end.command) <= _SHOWN else end.command[:_SHOWN].rstrip() + "\u2026"
    works = f"`{shown.replace('`', chr(39))}`"
    if _differ_by_quotes(last.command, end.command):
        why = "or the shell reads them first"
        learning = f"Quote the arguments of `{last.family}`, {why}: {works} ({error})"
    else:
        learning = f"`{last.family}` failed: {error}. So it works: {works}"
    return Signal(
        MEDIUM,
        "usage",
        KNOWLEDGE,
        learning_type="bug-fix",
        category=category_of(learning),
        learning=learning[:_LONGEST],
        quote=f"{last.command[:_SHOWN]}",
        role=ASSISTANT,
        at=turns[end.turn].at,
        turns=tuple(dict.fromkeys(turns[run.turn].id for run in (*failures, end))),
        attempts=len(failures),
        error=error,
        files=(),
        structural=True,
    )


def _needed_a_variable(failed: str, passed: str) -> bool:
    """Return whether a command passed with nothing but a variable set for it."""
    return passed.endswith(failed) and bool(_VARIABLES.fullmatch(passed.removesuffix(failed)))


def _differ_by_quotes(one: str, other: str) -> bool:
    """Return whether two commands differ by nothing but quotes, as far as both are shown."""
    bare = [_QUOTES.sub("", command) for command in (one, other)]
    length = min(map(len, bare))
    return bare[0][:length] == bare[1][:length] and length > 1


_SHOWN = 110
_QUOTES = re.compile(r"[\"'\\]|\u2026$")


def _labelled(answers: Sequence[str]) -> str:
    """Return the cause that the agent labelled last, or ""."""
    told = (one for text in answers for one in findings_in(text))
    return next((one.text for one in told if one.kind == ROOT_CAUSE), "")


def _answers(turns: Sequence[Turn], first: int, end: int) -> list[str]:
    """Return what the agent said about a failure, the last answer first."""
    near = reversed(turns[first : end + 3])
    return [turn.text for turn in near if turn.role == ASSISTANT and turn.text]


def _explained(answers: Sequence[str]) -> str:
    """Return the agent's explanation of cause or fix that is closest to the end."""
    best, most = "", 0
    for text in answers:
        said = whole(sentences(own_words(text)))
        for sentence, following in itertools.pairwise([*said, ""]):
            bare = _SEEN.sub("", sentence)
            if _PLAN.match(bare):
                continue
            wording = wording_of(sentence)
            if wording is not None and wording.learning_type == "bug-fix" and _CODE.search(bare):
                return with_cure(stripped(sentence)[:240], following)
            worth = 2 * bool(_CURES.search(bare)) + bool(_CODE.search(bare))
            if worth > max(most, 1):
                best, most = with_cure(stripped(bare)[:240], following), worth
    return best


#: "I see the issue" precedes the finding; plans explain nothing.
_SEEN = spoken(
    r"^(?:(?:now|ah|ok(?:ay)?|good|great|right)[,.!]? )*I (?:can )?"
    r"(?:see|found|understand) (?:now )?(?:the|what) \w+(?: is)? ?[-:,.\u2013\u2014]* ?"
)
_PLAN = spoken(
    r"^(?:now )?(?:let me|I['\u2019]ll|I will|let['\u2019]s|next|as expected|should I)\b"
)
_CURES = spoken(
    r"\b(?:fix\w*|because|since|needs?|missing|wrong|instead|unused|must|no longer|caus\w+"
    r"|doesn['\u2019]?t|isn['\u2019]?t|wasn['\u2019]?t|did(?: not|n['\u2019]?t)|ha(?:s|d|ve) to"
    r"|cannot|should|(?:un)?blocked|released|solved|resolved)\b"
)
_CODE = re.compile(
    r"`[^`\n]+`|\b\w+\.\w{1,4}\b(?!\s+[A-Z])|\b[a-z]+[A-Z]\w+|\b\w+_\w+|\w\(\)|\b\w+/\w+"
)


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) / len(one | other) >= _SAME


def _twice(before: Turn, turn: Turn, sentence: str) -> Signal:
    learning = stripped(sentence)
    return Signal(
        HIGH,
        "said_twice",
        BEHAVIORAL,
        learning_type="correction",
        category=category_of(learning),
        learning=learning[:_LONGEST],
        quote=sentence[:200],
        role=USER,
        at=turn.at,
        turns=(before.id, turn.id),
        attempts=2,
        structural=True,
    )
