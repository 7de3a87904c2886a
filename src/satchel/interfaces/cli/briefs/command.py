"""`brief` and `prime`: show a person what agents are told, without recording it."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.application.briefs.sections import Brief, Reader
from satchel.application.briefs.templates import END, START
from satchel.core.errors import BadInputError
from satchel.core.trust import clean_line, clean_text
from satchel.interfaces.cli.arguments import Options, parser_for
from satchel.interfaces.rendering import picked
from satchel.workspace import Workspace

_KINDS = {
    "session": "what a session starts with (default)",
    "memory": "scoped memories of a task, as Markdown",
    "intent": "the intent, as far as it concerns a task",
    "instructions": "project instructions in six parts",
    START: "the session prompt for a start, filled in",
    END: "the session prompt for an end, filled in",
    "assembled": "a whole prompt: instructions, intent, memory, code and --message",
}


def brief(words: Sequence[str]) -> int:
    """`satchel brief [KIND]`: show what an agent would be told."""
    parser = parser_for("brief", "Show what an agent would be told. Nothing is recorded.")
    told = "; ".join(f"{name}: {text}" for name, text in _KINDS.items())
    parser.add_argument("kind", nargs="?", default="session", choices=_KINDS, help=told)
    parser.option("--task", "for a session that works on this task")
    parser.option("--role", "for a subagent of this type")
    parser.option("--prompt", "show what would be added to this prompt instead", default=None)
    parser.option("--message", "the user's message, in a whole prompt")
    parser.option("--skill", "non-coder, junior, senior or principal")
    parser.option("--pack", "add code about this", metavar="TEXT")
    parser.count("--max-tokens", "budget in tokens (from the settings)")
    options = parser.parse_args(words)
    with options.opened() as workspace:
        if options.kind == "session" and options.prompt is not None:
            return _show(
                workspace.briefs.prompt(options.prompt, session="", most=options.max_tokens),
                options,
            )
        if options.kind == "session":
            reader = Reader(role=options.role)
            made = workspace.briefs.session(reader, task=options.task, most=options.max_tokens)
            return _show(made, options)
        if options.kind in (START, END):
            return _template(workspace, options)
        if options.kind == "assembled":
            return _assembled(workspace, options, options.max_tokens)
        return _plain(workspace, options, options.max_tokens)


def _show(made: Brief, options: Options) -> int:
    options.say(made.text or "Nothing to tell yet.")
    left = f", {made.left_out} left out" if made.left_out else ""
    options.warn(f"\n{made.tokens} of {made.budget} tokens (estimated){left}")
    placed = [
        {"section": p.section, "rank": p.rank, "tokens": p.tokens, "id": p.item.id}
        for p in made.placed
    ]
    return options.done({**picked(made, "text", "tokens", "budget", "left_out"), "items": placed})


def _plain(workspace: Workspace, options: Options, budget: int) -> int:
    briefing = workspace.briefs
    if options.kind == "memory":
        text = briefing.parts.memory(task=options.task, budget=budget)
    elif options.kind == "intent":
        text = workspace.briefs.parts.intent(task=options.task, budget=budget).text
    else:
        text = briefing.parts.instructions(task=options.task, skill_level=options.skill)
    counted = briefing.parts.token_count()
    tokens = counted.count(text)
    options.say(clean_text(text) or "Nothing to tell yet.")
    options.warn(f"\n{tokens} tokens ({counted.label})")
    return options.done({"text": clean_text(text), "tokens": tokens, "exact": counted.exact})


def _template(workspace: Workspace, options: Options) -> int:
    template = workspace.briefs.parts.template(options.kind)
    if not template.enabled:
        raise BadInputError(
            f"{template.path} is not enabled.",
            hint="Remove `enabled: false` from its front matter.",
        )
    made = workspace.briefs.parts.rendered(template, task=options.task)
    options.say(clean_text(made.text))
    if made.unknown:
        names = ", ".join(clean_line(name) for name in made.unknown)
        options.warn(f"note: unknown placeholders {{{{{names}}}}}; it stays as it is")
    return options.done({"text": made.text, "path": template.path, "unknown": made.unknown})


def _assembled(workspace: Workspace, options: Options, budget: int) -> int:
    how = {"skill_level": options.skill, "pack": options.pack, "budget": budget}
    made = workspace.briefs.parts.assembled(options.message, task=options.task, **how)
    options.say(made.text)
    counted = workspace.briefs.parts.token_count()
    parts = ", ".join(f"{name} {size}" for name, size in made.sections.items())
    left = f"; left out: {', '.join(made.left_out)}" if made.left_out else ""
    options.warn(f"\n{made.tokens} of {made.budget} tokens ({counted.label}): {parts}{left}")
    return options.done(made)


def prime(words: Sequence[str]) -> int:
    """`satchel overview`: show what a new session should know about the project."""
    parser = parser_for(
        "overview", "Show the project at a glance: stack, README, what a newcomer must know."
    )
    parser.option("--task", "for a session that works on this task")
    parser.count("--max-tokens", "budget, tokens (prime.max_tokens)")
    options = parser.parse_args(words)
    with options.opened() as workspace:
        return _show(workspace.briefs.prime(budget=options.max_tokens, task=options.task), options)
