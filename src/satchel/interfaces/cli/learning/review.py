"""`satchel review`: show suggestions; accept, change, reject or undo them."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from satchel.application.learning.reviewing.reconsidering import reconsider
from satchel.application.learning.reviewing.review import AppliedProposal, Review, ReviewReport
from satchel.application.learning.reviewing.words import in_one_line, lesson_of, noun_of
from satchel.core.errors import BadInputError, ConflictError, NotFoundError
from satchel.core.ids import short_id
from satchel.core.plurals import counted
from satchel.core.trust import clean_line
from satchel.features.proposals.selection import select_proposals
from satchel.features.proposals.values import PENDING, QueuedProposal
from satchel.interfaces.cli.arguments import Options, parser_for, print_json
from satchel.interfaces.cli.wrapping import print_wrapped
from satchel.interfaces.rendering import Style, picked
from satchel.storage.settings.environment import wants_colour

#: Fewest characters of an id, more than any number has.
_SHORTEST_ID = 6
_DECIDING = """`satchel review {some}` accepts {those}, `Y` all of them.
`satchel review --reject {last}` rejects one, `N` all."""
_DECIDING_ONE = """`satchel review {last}` accepts it, `satchel review --reject {last}` does not."""
_EVERY_LINE = " `--diff {last}` shows every line."


def review(words: Sequence[str]) -> int:
    """`satchel review`."""
    parser = parser_for("review", "Review suggestions, and decide.")
    parser.words(
        "answer",
        "Y: all, N: none, 1,3: these, all-knowledge, all-behavioral; nothing: ask",
        metavar="ANSWER",
    )
    one = parser.add_mutually_exclusive_group()
    one.add_argument(
        "--reject", metavar="N", help="reject these numbers, beside what ANSWER accepts: 2 or 2,5"
    )
    change = "change this one: with the new words, --text or --kind"
    one.add_argument("--modify", "--edit", metavar="N", help=change)
    parser.add_argument("--text", help="the new words; - for standard input")
    parser.add_argument("--kind", help="rule, soft-rule, or a kind of memory, such as decision")
    one.add_argument(
        "--undo", metavar="ID", help="take back a decision: the suggestion waits again"
    )
    parser.flag("--all", "include decided ones")
    parser.flag("--list", "only list them, without asking")
    parser.flag("--diff", "show every line that would change")
    parser.flag("--plain", "ask line by line, without a screen")
    if sum(word.partition("=")[0] in ("--modify", "--edit") for word in words) > 1:
        raise BadInputError("Change one suggestion at a time.", hint='`--edit 2 "..."`')
    options = parser.parse_args(["accept" if one == "--accept" else one for one in words])
    if options.modify and options.answer and options.text is None:
        options.text, options.answer = " ".join(options.answer), []
    _decides_one_thing(options)
    with options.opened() as project, Review(project) as queue:
        done = queue.resume()
        if done.applied and not options.json:
            before = counted(len(done.applied), "change")
            options.aside(f"Finished: {before} accepted before.")
        return _decide(queue, options)


def _decide(queue: Review, options: Options) -> int:
    """Do what the options and the answer say; without any, ask."""
    named = {"undo": _undo, "modify": _modify, "reject": _reject}
    chosen = next((run for name, run in named.items() if getattr(options, name)), None)
    if chosen is not None:
        return chosen(queue, options)
    if len(options.answer) > 1 and options.answer[0].lower() == "reject":
        options.reject, options.answer = ",".join(options.answer[1:]), []
        return _reject(queue, options)
    if len(options.answer) > 1 and options.answer[0].lower() == "show":
        options.diff, options.answer = True, options.answer[1:]
    # Looking decides nothing: `--diff 2` shows that one.
    listing = options.answer in (["list"], ["ls"]) or options.diff or options.list
    if options.answer and not listing and options.answer not in (["accept"], ["reject"]):
        return _report(queue, _answered(queue, options.answer), options)
    listing = listing or options.all or options.json
    if listing or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return _list(queue, options)
    if not queue.pending():
        print("Nothing waits for review.")
        return 0
    return _ask(queue, options)


def _decides_one_thing(options: Options) -> None:
    named = next((name for name in ("modify", "undo") if getattr(options, name)), "")
    if named and options.answer:
        raise BadInputError(
            f"An answer cannot be combined with --{named}.", hint="Run one after the other."
        )
    if (options.text is not None or options.kind) and named != "modify":
        raise BadInputError(f"--{'kind' if options.kind else 'text'} needs --edit N.")


def _ask(queue: Review, options: Options) -> int:
    from satchel.interfaces.cli.learning.review_screen import can_show, show

    if options.plain or not can_show():
        _list(queue, options)
        print(
            "Y (all), N (none), numbers such as 1,3, all-knowledge, all-behavioral; "
            "nothing leaves all waiting: ",
            end="",
            flush=True,
        )
        answer = sys.stdin.readline().strip()
        return _report(queue, _settled(queue, queue.answer(answer)), options) if answer else 0
    return _report(queue, _settled(queue, show(queue)), options)


def _settled(queue: Review, done: ReviewReport) -> ReviewReport:
    """Ask of each line that says the opposite of what was accepted whether it goes."""
    for one in done.against:
        if one.removal is not None:
            print(f"{one.place} says the opposite: {clean_line(one.text)}")
            print("Remove it? [y/N] ", end="", flush=True)
            if sys.stdin.readline().strip().lower() in ("y", "yes"):
                more = queue.accept([one.removal])
                left = tuple(other for other in done.against if other != one)
                done = done._replace(applied=(*done.applied, *more.applied), against=left)
    return done


def _list(queue: Review, options: Options) -> int:
    pending = queue.pending()
    if options.answer and options.answer not in (["list"], ["ls"], ["accept"], ["reject"]):
        pending = _numbered(queue, ",".join(options.answer))
    decided = [one for one in queue.queue.all() if one.state != PENDING] if options.all else []
    if options.json:
        return print_json([proposal_json(queue, one) for one in (*pending, *decided)])
    if not pending and not decided:
        print("Nothing waits for review. `satchel reflect` looks for more.")
    colour = wants_colour(terminal=sys.stdout.isatty())
    for one in pending:
        print_one(queue, one, whole=options.diff, colour=colour)
    for one in decided:
        ident = short_id(one.proposal.id)
        print(
            f"{ident}  {one.state:<9} {noun_of(one.proposal):<10} {clean_line(one.proposal.title)}"
        )
    if pending:
        print(
            f"{counted(len(pending), 'suggestion')}. "
            + _how_to_decide([one.number for one in pending], whole=options.diff)
        )
    return 0


def _how_to_decide(numbers: Sequence[int], *, whole: bool) -> str:
    """Return how to answer, with existing numbers; `whole`: every line is shown already."""
    first, last = numbers[0], numbers[-1]
    more = "" if whole else _EVERY_LINE.format(last=last)
    if len(numbers) == 1:
        return _DECIDING_ONE.format(last=last) + more
    several = len(numbers) > 2  # noqa: PLR2004 -- of two, naming both is `Y`
    some, those = (f"{first},{last}", "those") if several else (first, "that one")
    return _DECIDING.format(some=some, those=those, last=last) + more


def proposal_json(queue: Review, one: QueuedProposal) -> dict[str, object]:
    """Return a suggestion as JSON, with its diff if pending, or its commit if accepted."""
    proposal = one.proposal
    told: dict[str, object] = {
        "number": one.number if one.state == PENDING else 0,
        "id": proposal.id,
        "state": one.state,
        **picked(proposal, "kind", "group", "tier", "title", "why", "quote", "session"),
        **picked(proposal, "turns", "warnings", "trust"),
        "files": [edit.path for edit in proposal.edits],
    }
    if one.state == PENDING:
        return {**told, "diff": queue.diff(proposal)}
    return {**told, **picked(one.decided, "commit", "note")}


def print_one(
    queue: Review, one: QueuedProposal, *, whole: bool = True, colour: bool = False
) -> None:
    """Print a suggestion with its number, its reason, and its diff or a summary of it."""
    proposal = one.proposal
    print_wrapped(
        f"[{one.number}] {noun_of(proposal)} ({proposal.tier}): {clean_line(lesson_of(proposal))}"
    )
    short = "" if whole else in_one_line(proposal)
    print_wrapped(f"    {clean_line(f'{proposal.why}. {short}.' if short else proposal.why)}")
    for gone in queue.replaces(proposal):
        print_wrapped(f"    It replaces: {gone}")
    for warning in proposal.warnings:
        print_wrapped(f"    ! {clean_line(warning)}")
    if not short:
        for line in Style(colour=colour).diff(queue.diff(proposal)).splitlines():
            print(f"    {line}")
    print()


def _answered(queue: Review, answer: Sequence[str]) -> ReviewReport:
    words = answer[1:] if answer[0] in ("accept", "apply") else answer
    chosen = _by_ids(queue, ",".join(words))
    if chosen:
        return queue.accept([one.proposal for one in chosen])
    return queue.answer(" ".join(answer))


def _numbered(queue: Review, given: str) -> list[QueuedProposal]:
    return _by_ids(queue, given) or select_proposals(given, queue.pending())[0]


def _by_ids(queue: Review, given: str) -> list[QueuedProposal]:
    """Return the suggestions that an answer names by id; none if it has numbers or words."""
    words = given.replace(",", " ").split()
    if words and all(map(_is_id, words)):
        return [queue.queue.find(word) for word in words]
    return []


def _is_id(word: str) -> bool:
    return len(word) >= _SHORTEST_ID and word.isalnum() and not (word.isalpha() or word.isdigit())


def _reject(queue: Review, options: Options) -> int:
    named = _numbered(queue, options.reject)
    if not named:
        raise BadInputError(
            f"--reject needs numbers, and {options.reject[:20]!r} is none.",
            hint="`satchel review --reject 2` rejects one, `satchel review N` all.",
        )
    answer = ",".join(options.answer)
    chosen = _numbered(queue, answer) if answer else []
    both = next((one.number for one in chosen if one in named), 0)
    if both and any(map(str.isdigit, answer)):  # `Y` means all others
        raise BadInputError(f"Suggestion {both} cannot be both accepted and rejected.")
    gone = queue.reject([one.proposal for one in named])
    done = queue.accept([one.proposal for one in chosen if one not in named])
    return _report(queue, done._replace(rejected=gone), options)


def _modify(queue: Review, options: Options) -> int:
    if options.text is None and not options.kind:
        hint = '`--edit 2 "..."`, or `--text -` to read them.'
        raise BadInputError("--edit needs the new words, or --kind.", hint=hint)
    found = _numbered(queue, options.modify)
    if len(found) != 1:
        raise BadInputError("Change one suggestion at a time.", hint='`--edit 2 "..."`')
    proposal = found[0].proposal
    text = sys.stdin.read() if options.text == "-" else options.text
    made = queue.modify(proposal, text or proposal.edits[0].text, options.kind or "")
    standing = queue.queue.find(made.id)
    if options.json:
        return print_json(proposal_json(queue, standing))
    print_one(queue, standing)
    if made.title != proposal.title:
        print(f"It was: {clean_line(proposal.title)}")
    print(f"It waits as [{standing.number}]; `satchel review {standing.number}` accepts it.")
    return 0


def _undo(queue: Review, options: Options) -> int:
    standing = queue.last_decided() if options.undo == "last" else queue.queue.find(options.undo)
    if standing is None:
        raise NotFoundError("No suggestion has been decided.")
    titles = reconsider(queue, [standing.proposal.id])
    if not titles:
        raise ConflictError(f"This suggestion is {standing.state}; there is nothing to take back.")
    again = queue.find(standing.proposal.id)
    files = list(dict.fromkeys(queue.places.shown(path) for path, *_ in standing.decided.files))
    return options.reply(
        {"id": standing.proposal.id, "files": files},
        f"It waits again: [{again.number}] {clean_line(titles[0])}",
        *(f"  {clean_line(path)}" for path in files),
    )


def _report(queue: Review, done: ReviewReport, options: Options) -> int:
    for one in done.applied:
        _print_applied(one, options)
    if done.rejected:
        again = "it is" if len(done.rejected) == 1 else "they are"
        which = short_id(done.rejected[0].id) if len(done.rejected) == 1 else "ID"
        options.say(
            f"Rejected {counted(len(done.rejected), 'suggestion')}; {again} not made again. "
            f"`satchel review --undo {which}` brings {'it' if which != 'ID' else 'one'} back."
        )
        for gone in done.rejected:
            options.say(f"  {short_id(gone.id)}  {clean_line(gone.title)}")
    for line in done.against:
        goes = f"`satchel review {short_id(line.removal.id)}` removes it" if line.removal else ""
        options.say(f"! {line.place} says the opposite: {clean_line(line.text)}")
        options.say(f"  {goes or 'Edit it by hand'} if it no longer holds.")
    for proposal, why in done.failed:
        options.warn(f"not applied: {clean_line(proposal.title)}: {clean_line(why)}")
    waiting = len(queue.pending())
    if done.applied or done.failed:
        options.say(f"{len(done.applied)} applied, {waiting or 'none'} waiting.")
    elif waiting or not done.rejected:
        options.say(f"{waiting or 'Nothing'} waiting.")
    tracked = sorted({path for one in done.applied for path in one.files if _is_tracked(path)})
    if tracked:
        told = "\n".join(f"  {path}" for path in tracked)
        options.say(f"Your colleagues get, once you commit:\n{told}")
    return options.done(
        {
            "applied": [
                {"id": one.proposal.id, **picked(one, "files", "memories", "commit")}
                for one in done.applied
            ],
            "rejected": [one.id for one in done.rejected],
            "failed": [{"id": one.id, "why": why} for one, why in done.failed],
            "waiting": len(queue.pending()),
        },
        1 if done.failed else 0,
    )


def _is_tracked(path: str) -> bool:
    """Return whether a display name is a path in the work tree; others include their location."""
    return not path.startswith(("~", "/"))


def _print_applied(one: AppliedProposal, options: Options) -> None:
    commit = f" ({one.commit[:9]})" if one.commit else ""
    options.say(f"applied: {clean_line(one.proposal.title)}{commit}")
    for path in one.files:
        options.say(f"  {clean_line(path)}")
    for text in one.gone:
        options.say(f"  No longer shown: {text}")
    for ident in one.memories:
        options.say(f"  memory {short_id(ident)}")
