"""`learn`, `remember`: write memories."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Sequence
from typing import Any

from satchel.application.learning.listening.events import source_of
from satchel.application.learning.nudging import nudges
from satchel.application.learning.nudging.standing_rules import Standing, contradicted_by
from satchel.core.errors import BadInputError
from satchel.core.ids import short_id
from satchel.core.kinds import KINDS, LESSON, kind_named
from satchel.core.trust import AGENT, clean_line
from satchel.features.code.anchored import pinned
from satchel.interfaces.cli.arguments import (
    Options,
    Parser,
    content_from,
    moment_from,
    parser_for,
    print_json,
    seconds_from,
)
from satchel.interfaces.rendering import record_json, said_of
from satchel.storage.ledger.record import Record
from satchel.workspace import Workspace

#: How much of a new memory to repeat to its author, in characters.
_SHOWN = 60


def learn(words: Sequence[str]) -> int:
    """`satchel learn "..."`: `remember` under the five systems' name."""
    return remember(words, "learn")


def remember(words: Sequence[str], name: str = "remember") -> int:
    """`satchel remember [--kind K] "..."`."""
    parser = parser_for(name, "Remember a lesson, or something of another kind.")
    _add_content(parser)
    kinds = ", ".join(KINDS)
    parser.add_argument("--kind", "--type", default=LESSON, help=f"one of: {kinds} ({LESSON})")
    parser.option("--key", "name of a preference")
    parser.option("--category", "category of a preference or fact")
    parser.flag("--single", "a fact that has one value at a time")
    parser.add_argument("--from", dest="begin", metavar="TIME", help="when a fact begins to hold")
    parser.add_argument("--until", metavar="TIME", help="when a fact stops holding")
    options = parser.parse_args(words)
    fields: dict[str, Any] = {"key": options.key, "category": options.category}
    if options.single:
        fields["data"] = {"single": True}
    if options.begin:
        fields["valid_from"] = int(moment_from(options.begin))
    if options.until:
        fields["valid_to"] = int(moment_from(options.until))
    return _write(options, kind_named(options.kind).name, fields)


def _add_content(parser: Parser) -> None:
    parser.add_argument("content", nargs="*", help="what to remember; `-` reads standard input")
    parser.option("--title", "a short title")
    parser.option("--task", "id of the task it belongs to")
    parser.option("--epic", "id of the epic it belongs to")
    parser.options("--tag", "a tag; may be repeated")
    parser.option("--source", "who says so")
    parser.option("--agent", "name of the agent")
    parser.add_argument("--confidence", type=float, help="0 to 1")
    parser.add_argument("--expires", metavar="DURATION", help="forget after 30m, 24h, 7d, ...")
    parser.options("--at", "the code it is about; may be repeated", metavar="PATH[:SYMBOL]")
    parser.options(
        "--intent", "the section of the intent it is about; may be repeated", metavar="ANCHOR"
    )
    parser.flag("--user", "keep it in your own store, for every project")
    parser.flag("--private", "never offer it to the team")


def _write(options: Options, kind: str, fields: dict[str, Any]) -> int:
    content = content_from(options.content, missing="There is nothing to remember.")
    if options.confidence is not None and not 0 <= options.confidence <= 1:
        raise BadInputError(f"Confidence is a number from 0 to 1, not {options.confidence:g}.")
    directory = options.base()
    with Workspace.open(directory) as workspace:
        if options.at:
            fields["data"] = {**fields.get("data", {}), **pinned(workspace.code, options.at)}
        if options.intent:
            sections = [workspace.intent.section(anchor) for anchor in options.intent]
            fields["intent_anchors"] = tuple(s.anchor or s.path for s in sections)
        kept = nudges.remember(
            workspace,
            content,
            kind=kind,
            user=options.user,
            title=options.title,
            task=options.task,
            epic=options.epic,
            tags=tuple(options.tag),
            source=options.source or source_of(os.path.realpath(directory)),
            agent=options.agent,
            confidence=options.confidence,
            **({"trust": AGENT} if options.agent else {}),
            visibility="private" if options.private else "",
            expires_in=seconds_from(options.expires) if options.expires else None,
            **fields,
        )
        replaced = workspace.memories.replaced_by(kept.record, user=options.user)
        against = contradicted_by(workspace, kept.record)
    _say_written(kept, options, replaced, against)
    return 0


def _say_written(
    kept: nudges.KeptMemory,
    options: Options,
    replaced: Sequence[Record],
    against: Sequence[Standing],
) -> None:
    record = kept.record
    for one in replaced:
        was = textwrap.shorten(said_of(one), _SHOWN, placeholder=" …")
        options.aside(f"note: it replaces {short_id(one.id)}: {was}")
    if options.json:
        told = [{"place": one.place, "text": one.text} for one in against]
        print_json({**record_json(record), **({"contradicts": told} if told else {})})
        return
    if record.kind == "fact" and "|" in record.content and not record.data:
        hint = "kept as a sentence; `subject | predicate | object` would be a fact with validity"
        options.aside(f"note: {hint}")
    notes = " (secrets were redacted)" if "[redacted:" in record.content else ""
    text = textwrap.shorten(said_of(record), _SHOWN, placeholder=" …")
    print(f"Remembered {KINDS[record.kind].noun} {short_id(record.id)}{notes}: {text}")
    if kept.waits:
        print("As a rule it waits for a person: `satchel review`.")
    for other in against:
        said = textwrap.shorten(clean_line(other.text), _SHOWN, placeholder=" …")
        options.say(f"! contradicts {other.place}: {said}")
    if against:
        options.say("Agents hear both until one is edited, or hidden: `satchel hide ID`.")
