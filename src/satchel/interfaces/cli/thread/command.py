"""`why` and `thread`: why code is the way it is, and what followed."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.core.errors import NotFoundError
from satchel.interfaces.cli.arguments import (
    directory_of,
    parser_for,
    print_answer,
    print_json,
    style_of,
)
from satchel.interfaces.cli.thread.memory import memory_json, memory_lines
from satchel.workspace import Workspace


def why(words: Sequence[str]) -> int:
    """`satchel why WHAT`."""
    parser = parser_for(
        "why",
        "Show why a line, commit, task or session is as it is: who asked for it, what the agent "
        "had been told and what was learnt; or where a memory comes from and what came of it.",
    )
    parser.add_argument(
        "what",
        metavar="WHAT",
        help="FILE:LINE, FILE:FIRST-LAST, FILE:SYMBOL, a commit, a task, a session, or a memory",
    )
    options = parser.parse_args(words)
    with Workspace.open(directory_of(options)) as workspace:
        from satchel.application.thread.explaining import Explainer

        story = Explainer(workspace, directory_of(options)).why(options.what)
        if story is not None:
            from satchel.interfaces.thread_rendering import story_json, story_text

            return print_answer(options, story_json(story), story_text(story, style_of(options)))
        from satchel.application.history.provenance import provenance

        told = provenance(workspace, options.what)
        state = workspace.branches.states([told.record]).get(told.record.id)
    if options.json:
        print_json(memory_json(told, state))
    else:
        print("\n".join(memory_lines(told, state, style_of(options).bold)))
    return 0


def thread(words: Sequence[str]) -> int:
    """`satchel thread WHAT`."""
    parser = parser_for(
        "thread", "Show what was asked, learnt and committed around a task, session or commit."
    )
    parser.add_argument("what", metavar="WHAT", help="a task, a session, or a commit")
    options = parser.parse_args(words)
    with Workspace.open(directory_of(options)) as workspace:
        from satchel.application.thread.explaining import Explainer
        from satchel.interfaces.thread_rendering import story_json, thread_text

        story = Explainer(workspace, directory_of(options)).thread(options.what)
        if story is None:
            raise NotFoundError(
                f"Nothing here is called {options.what[:60]!r}.",
                hint="Name a task, a session or a commit.",
            )
    return print_answer(options, story_json(story), thread_text(story, style_of(options)))


COMMANDS = {"why": why, "thread": thread}
