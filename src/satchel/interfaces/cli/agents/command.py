"""`satchel agents`: agents' identity files and their decisions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from satchel.core.ids import short_id
from satchel.core.trust import clean_line, clean_text
from satchel.features.agents.decisions import decisions_in, tables
from satchel.features.agents.service import AgentFiles
from satchel.features.agents.values import DECISIONS, MEMORY, SOUL, Decision, read_soul
from satchel.interfaces.cli.arguments import Options, parser_for
from satchel.interfaces.cli.awaiting import warn_unapproved
from satchel.interfaces.rendering import indented


def agent(words: Sequence[str]) -> int:
    """`satchel agents show|list|new|ask|log-decision`."""
    parser = parser_for(
        "agents", "Agents' identity files: SOUL, USER, IDENTITY, MEMORY, DECISIONS."
    )
    action = parser.actions()
    show = action("show", "show who an agent is: SOUL, USER, IDENTITY", _show)
    show.add_argument("name", nargs="?", default="", help="agents.default, or the only one")
    show.flag("--all", "MEMORY and DECISIONS too")
    action("list", "list the agents that have files", _list)
    action("new", "create an agent's files", _new).add_argument("name")
    ask = action("ask", "answer a question from the files: who am I, what are my preferences", _ask)
    ask.add_argument("question", nargs="+")
    ask.option("--agent", "whose files")
    ask.count("--limit", "maximum number of sections (5)", default=5)
    log = action("log-decision", "add a row to DECISIONS.md and remember the decision", _log)
    log.add_argument("--topic", required=True, help="what it is about")
    log.add_argument("--decision", required=True, help="what was decided")
    log.add_argument("--rationale", required=True, help="why")
    log.option("--alternatives", "what else was considered", metavar="A,B")
    log.option("--agent", "whose decision")
    log.option("--applies-to", "what it is about")
    options = parser.parse_args(words)
    with options.opened() as workspace:
        return options.act(workspace.agents)


def _show(agents: AgentFiles, options: Options) -> int:
    name = agents.chosen(options.name)
    files = agents.read(name, everything=options.all)
    warn_unapproved(options, options.workspace, *(file.path for file in files))
    style = options.style
    if not files:
        options.say("No identity files. `satchel agents new NAME` makes some.")
    for number, file in enumerate(files):
        shared = " (shared)" if file.shared else ""
        head = f"{file.label}  {style.dim(clean_line(os.path.relpath(file.path)) + shared)}"
        options.say(("\n" if number else "") + style.bold(head))
        options.say(clean_text(file.text).strip())
    told = [{**file._asdict(), **_parsed(file.label, file.text, name)} for file in files]
    return options.done({"agent": name, "files": told})


def _parsed(label: str, text: str, name: str) -> dict[str, Any]:
    """Return the fields parsed from an identity file, without its text."""
    if label == SOUL:
        return {"soul": read_soul(text, name)}
    if label == MEMORY:
        return {"tables": tables(text)}
    return {"decisions": decisions_in(text)} if label == DECISIONS else {}


def _list(agents: AgentFiles, options: Options) -> int:
    found = []
    for name in agents.names():
        files = agents.read(name, everything=True)
        soul = next((f for f in files if f.label == SOUL), None)
        role = read_soul(soul.text, name).role.split("\n")[0] if soul is not None else ""
        found.append({"name": name, "role": role, "files": [f.label for f in files]})
    style = options.style
    for one in found:
        labels = ", ".join(one["files"])
        name, role = clean_line(str(one["name"])), clean_line(str(one["role"]))[:88]
        options.say(f"{style.bold(name)}  {role}")
        options.say(style.dim(f"  {labels}"))
    if not found:
        options.say("No agents. `satchel agents new NAME` makes one.")
    return options.done(found)


def _new(agents: AgentFiles, options: Options) -> int:
    made = agents.new(options.name)
    return options.reply(
        {"agent": options.name, "made": made},
        *(f"made {clean_line(os.path.relpath(path))}" for path in made),
    )


def _ask(agents: AgentFiles, options: Options) -> int:
    hits = agents.search(" ".join(options.question), options.limit, agent=options.agent)
    warn_unapproved(options, options.workspace, *dict.fromkeys(hit.path for hit in hits))
    style = options.style
    for hit in hits:
        about = f"{hit.label}" + (f" / {clean_line(hit.title)}" if hit.title else "")
        options.say(f"{style.bold(about)} {style.dim(clean_line(hit.agent))}")
        options.say("  " + indented(clean_text(hit.text)))
    if not hits and not options.agent and len(agents.names()) > 1 and not agents.chosen():
        names = clean_line(", ".join(agents.names()))
        options.say(f"There are several agents: {names}. Give --agent, or set agents.default.")
    elif not hits:
        options.say("The identity files do not answer that.")
    return options.done([hit._asdict() for hit in hits])


def _log(agents: AgentFiles, options: Options) -> int:
    others = tuple(word.strip() for word in options.alternatives.split(",") if word.strip())
    decision = Decision(
        options.topic, options.decision, options.rationale, others, options.applies_to
    )
    path, row, record = agents.log_decision(decision, agent=options.agent)
    return options.reply(
        {"path": path, "row": row, "memory": record.id, "agent": record.agent},
        f"{clean_line(row)}\nin {clean_line(os.path.relpath(path))}; memory {short_id(record.id)}",
    )
