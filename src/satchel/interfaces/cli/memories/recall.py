"""`recall`, and beads memory's `recall.sh`: search memories."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from satchel.core.errors import BadInputError, BusyError
from satchel.core.plurals import counted
from satchel.core.trust import clean_line
from satchel.engine.search.documents import Filter
from satchel.features.memories.embedding import embed_in_background
from satchel.features.memories.ledgers import PRIVATE
from satchel.features.memories.shared import shared_among
from satchel.interfaces.cli.wrapping import print_wrapped
from satchel.interfaces.list_rendering import list_text
from satchel.interfaces.rendering import (
    Style,
    answer_json,
    answer_text,
    record_json,
    routed_json,
    routed_text,
)
from satchel.storage.settings.environment import wants_colour
from satchel.workspace import Workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.application.recall.results import Answer, RoutedAnswer
    from satchel.features.code.anchored import CodeState
    from satchel.interfaces.cli.arguments import Options, Parser

#: How many memories to check for each one shown as of a commit.
_AMONG = 4
_NOTHING = "There is nothing to search for."


def recall(words: Sequence[str]) -> int:
    """`satchel recall "question"`."""
    if words and not any(word.startswith("-") for word in words):
        # A plain question needs no parser, which costs as much as the search.
        return _recall_plainly(" ".join(words))
    from satchel.interfaces.cli.arguments import content_from, moment_from

    options = _parser().parse_args(words)
    question = content_from(options.question, missing=_NOTHING).strip()
    if not question:
        raise BadInputError(_NOTHING, hint='`satchel recall "words"`.')
    only = Filter(
        kinds=tuple(k.lower().replace("-", "_") for k in options.kind),
        tag=options.tag,
        since=int(moment_from(options.since)) if options.since else 0,
        until=int(moment_from(options.until)) if options.until else 0,
    )
    filtered = only != Filter() or options.task or options.memories
    if filtered and options.tier:
        raise BadInputError(
            "--tier and a filter of memories exclude each other.", hint="Leave one of them out."
        )
    if options.everywhere and (filtered or options.at):
        raise BadInputError(
            "--everywhere cannot be combined with a filter or --at.", hint="Leave one of them out."
        )
    with options.opened() as workspace:
        if options.everywhere:
            return _show_everywhere(workspace, question, options)
        if options.at:
            return _show_at(workspace, question, options)
        if filtered:
            answer = workspace.recall(
                question,
                limit=options.limit,
                only=only,
                task=options.task,
                method=options.method,
                weak=options.weak,
                partial=True,
            )
            missing = _show_memories(workspace, answer, options)
        else:
            missing = _show_routed(workspace, question, options)
        _print_model_problem(workspace)
        return _ended(workspace, missing)


def _parser() -> Parser:
    from satchel.interfaces.cli.arguments import parser_for

    parser = parser_for("recall", "Search everything remembered in this project and by you.")
    parser.add_argument("question", nargs="*", help="words, an error message, a question")
    parser.count("--limit", "how many items (10)")
    parser.options("--kind", "--type", "only this kind")
    parser.option("--task", "prefer memories of this task")
    parser.option("--tag", "only with this tag")
    parser.option("--since", "only written since then", metavar="TIME")
    parser.option("--until", "only written before then", metavar="TIME")
    parser.option(
        "--at", "by words, as of that time; or what holds at that commit", metavar="TIME|COMMIT"
    )
    parser.option("--method", "keyword, fast (default), hybrid or semantic")
    parser.flag("--weak", "include weak matches")
    parser.option(
        "--tier", "search only this tier: hot, warm, structured, archive or code", metavar="TIER"
    )
    parser.flag("--memories", "search only memories, no tiers")
    parser.flag("--everywhere", "search all your projects on this machine")
    parser.option("--agent", "answer as this agent, with its identity and preferences")
    parser.flag("--explain", "show how each score was made up")
    return parser


def _show_memories(workspace: Workspace, answer: Answer, options: Options) -> str:
    """Print memories that were found; return problems."""
    from satchel.interfaces.cli.arguments import print_json

    now = workspace.project.clock.now()
    if options.json:
        print_json(answer_json(answer, now))
    else:
        print_wrapped(answer_text(answer, options.style, now, explain=options.explain))
    return answer.missing


def _show_at(workspace: Workspace, question: str, options: Options) -> int:
    """Search memories as of a time, or those that hold at a commit."""
    from satchel.application.history.time_travel import recalled_at
    from satchel.interfaces.cli.arguments import moment_from
    from satchel.storage.commits import History

    most = options.limit or workspace.project.settings.integer("recall.limit")
    try:
        at = moment_from(options.at)
    except BadInputError as error:
        in_git = workspace.project.place.common
        commit = History(workspace.project.place.root).find(options.at) if in_git else ""
        if not commit:
            raise BadInputError(
                f"{options.at[:40]!r} is neither a time nor a commit.",
                hint=f"{error.hint} Or name a commit, branch or tag that git has here.",
            ) from None
        answer = _holding(workspace, question, commit, most, options)
        return _ended(workspace, _show_memories(workspace, answer, options))
    if workspace.project.place.common:
        places = (f"refs/tags/{options.at}", f"refs/heads/{options.at}")
        for name in History(workspace.project.place.root).names(*places):
            taken = f"{options.at[:40]} is taken as a time. For what git calls so: --at {name[:60]}"
            print(f"satchel: {clean_line(taken)}", file=sys.stderr)
    found = recalled_at(workspace, question, at, most)
    nothing = "Nothing was found among the memories of that time."
    return options.reply(
        [record_json(one.record, one.source) for one in found],
        list_text(found, options.style, at) or nothing,
    )


def _holding(
    workspace: Workspace, question: str, commit: str, most: int, options: Options
) -> Answer:
    """Search current memories that hold at a commit."""
    table = workspace.branches.make(commit)
    found = workspace.recall(
        question, limit=most * _AMONG, method=options.method, weak=options.weak, partial=True
    )
    holding = [one for one in found.items if table is None or one.record.id not in table.states]
    # Their state in the current checkout is not relevant here.
    return found._replace(items=tuple(one._replace(branch=None) for one in holding[:most]))


def _show_routed(workspace: Workspace, question: str, options: Options) -> str:
    """Send the question to the matching tier; return problems."""
    answer = _asked(workspace, question, options, options.agent)
    if options.json:
        from satchel.interfaces.cli.arguments import print_json

        standings = _standings(workspace, answer)
        print_json(routed_json(answer, workspace.project.clock.now(), standings))
        _print_problem(answer)
    else:
        _print_routed(workspace, answer, options.style, explain=options.explain)
    return answer.missing


def _print_routed(
    workspace: Workspace, answer: RoutedAnswer, style: Style, *, explain: bool = False
) -> None:
    now, standings = workspace.project.clock.now(), _standings(workspace, answer)
    shared = _shared(workspace, answer)
    answer = _below(workspace.project.place.root, answer)
    print_wrapped(
        routed_text(answer, style, now, explain=explain, standings=standings, shared=shared)
    )
    _print_problem(answer)


def _below(root: str, answer: RoutedAnswer) -> RoutedAnswer:
    """Return an answer with relative paths for places below the project."""
    heads = (f"{root}{os.sep}", f"{os.path.realpath(root)}{os.sep}")
    pieces = tuple(
        one._replace(place=one.place.removeprefix(heads[0]).removeprefix(heads[1]))
        for one in answer.pieces
    )
    return answer._replace(pieces=pieces)


def _standings(workspace: Workspace, answer: RoutedAnswer) -> dict[str, CodeState]:
    return workspace.code_states([p.found.record for p in answer.pieces if p.found])


def _shared(workspace: Workspace, answer: RoutedAnswer) -> frozenset[str]:
    """Return which of the memories in your own ledger were shared."""
    own = [one.found.record for one in answer.pieces if one.found and one.found.source == PRIVATE]
    return shared_among(workspace.memories.own, own)


def _asked(workspace: Workspace, question: str, options: Options, agent: str) -> RoutedAnswer:
    """Ask as the options say. A partial answer is accepted, since the command reports it."""
    return workspace.ask(
        question,
        limit=options.limit,
        tier=options.tier,
        method=options.method,
        weak=options.weak,
        agent=agent,
        partial=True,
    )


def _show_everywhere(workspace: Workspace, question: str, options: Options) -> int:
    """Search every project of this user, the current one first."""
    from satchel.project.registry import places_of

    here = workspace.project.place.root
    roots = [here, *(one for one in places_of(workspace.owner().home) if one != here)]
    told, style, missing = [], options.style, ""
    for root in roots:
        with Workspace.open(root) as other:
            # An agent's files are in one project: elsewhere nobody has that name.
            answer = _asked(other, question, options, options.agent if root == here else "")
            now, shared = other.project.clock.now(), _shared(other, answer)
            shown = _below(root, answer)
        if answer.missing:
            missing = answer.missing
            print(f"{clean_line(root)}: {clean_line(missing)}", file=sys.stderr)
        if not answer.pieces:
            continue
        told.append({"project": root, "answer": routed_json(answer, now)})
        if not options.json:
            print(style.bold(clean_line(root)))
            print_wrapped(routed_text(shown, style, now, explain=options.explain, shared=shared))
    if not told:
        options.say(f"Nothing found for {question!r} in {counted(len(roots), 'project')}.")
    return options.done(told, BusyError.exit_code if missing else 0)


def _recall_plainly(question: str) -> int:
    question = question.encode("utf-8", "surrogateescape").decode("utf-8", "replace").strip()
    if not question:
        raise BadInputError(_NOTHING, hint='`satchel recall "words"`.')
    with Workspace.open() as workspace:
        answer = workspace.ask(question, partial=True)
        _print_routed(workspace, answer, Style(colour=wants_colour(terminal=sys.stdout.isatty())))
        _print_model_problem(workspace)
        return _ended(workspace, answer.missing)


def _print_problem(answer: RoutedAnswer) -> None:
    if answer.problem:
        print(f"note: {clean_line(answer.problem)}", file=sys.stderr)


def _ended(workspace: Workspace, missing: str) -> int:
    """Queue missing vectors, report partial answers, and return the exit code."""
    if missing:
        print(f"Partial answer: {clean_line(missing)}", file=sys.stderr)
        return BusyError.exit_code
    embed_in_background(workspace)
    return 0


def _print_model_problem(workspace: Workspace) -> None:
    """Explain why a requested model took no part in the answer."""
    if workspace.models.why:
        print(f"note: {clean_line(workspace.models.why)}", file=sys.stderr)


def recall_sh(words: Sequence[str]) -> int:
    """`recall.sh`: the command line and output of beads memory."""
    from satchel.interfaces.cli.memories.recall_sh import run

    return run(words)
