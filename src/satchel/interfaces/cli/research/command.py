"""`satchel research`: put one question to every source and write a dossier."""

from __future__ import annotations

from collections.abc import Sequence

from satchel.application.research.dossier import quoted
from satchel.application.research.values import SOURCES, Dossier
from satchel.core.trust import clean_line, clean_text
from satchel.interfaces.cli.arguments import content_from, parser_for
from satchel.interfaces.rendering import Style


def research(words: Sequence[str]) -> int:
    """`satchel research "question"`."""
    parser = parser_for(
        "research", "Ask learnings, memories, code, documentation and a configured web search."
    )
    parser.add_argument("question", nargs="*", help="the question")
    parser.options("--source", "only this source; may be repeated", choices=SOURCES)
    parser.flag("--fresh", "ask again, ignoring kept answers")
    parser.flag("--no-save", "write no file below research/")
    options = parser.parse_args(words)
    question = content_from(options.question, missing="There is nothing to research.")
    with options.opened() as workspace:
        made = workspace.research.ask(
            question, only=options.source, fresh=options.fresh, save=not options.no_save
        )
    return options.reply(made, _text(made, options.style))


def _text(made: Dossier, style: Style) -> str:
    lines = [clean_text(made.summary), ""]
    for number, one in enumerate(made.findings, start=1):
        said = quoted(made.question, one)
        lines.append(f"{number:>2}. {style.bold(f'[{one.source}]')} {clean_line(one.title)}")
        if said:
            lines.append(f"    {said}")
        mark = f" · {one.trust} (`satchel approve`)" if one.trust else ""
        lines.append(style.dim(f"    {clean_line(one.place)}{mark}"))
    if made.conflicts:
        lines += ["", style.bold("Sources disagree:")]
        for clash in made.conflicts:
            lines += [
                f"  {clash.one.source}: {clean_line(clash.said)}",
                f"  {clash.other.source}: {clean_line(clash.against)}",
                style.dim(f"    {clean_line(clash.why)}"),
            ]
    whys = [f": {clean_line(one.why)}" if one.why else "" for one in made.reports]
    asked = ", ".join(
        f"{one.source} {one.found} ({one.milliseconds:.0f} ms{why})"
        for one, why in zip(made.reports, whys, strict=True)
    )
    lines += ["", style.dim(f"asked {asked}" + (", kept from before" if made.cached else ""))]
    if made.path:
        lines.append(f"written to {clean_line(made.path)}")
    return "\n".join(lines)
