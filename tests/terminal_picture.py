"""Makes the README's picture of a terminal from a real run: `make screenshots`.

It is light or dark as the reader's page is.
"""

from __future__ import annotations

import os
import shlex
import tempfile
from contextlib import redirect_stdout
from html import escape

from acceptance.story import Session, Story

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PICTURE = os.path.join("docs", "images", "terminal.svg")
#: What a developer says to their agent on Monday, and what it answers.
SAID = (
    ("why do clients get 429 all the time?", "The limiter counts each user on its own."),
    ("no, rate limits count per API key, not per user", "It counts keys now."),
    ("and never log request bodies, support reads those logs", "Removed."),
)
#: A line of the shell, or of whoever explains (`# ...`), and how many lines of its answer are shown.
STORY = (
    (f"# Monday. You say to your agent: {SAID[1][0]}", 0),
    ("# In the evening", 0),
    ("satchel review --list", 5),
    ("satchel review Y", 4),
    ("# Tuesday. The next session starts with this", 0),
    ("satchel brief", 8),
    ("# And anybody can ask", 0),
    ('satchel recall "why do we hit the rate limit"', 2),
    ('satchel recall "kubernetes"', 1),
)
#: The colours of the paper, its edge, and of lines that are text, said and typed.
LIGHT = {"paper": "#ffffff", "edge": "#d0d7de", "text": "#1f2328", "said": "#656d76"}
LIGHT |= {"typed": "#0550ae"}
DARK = {"paper": "#0d1117", "edge": "#30363d", "text": "#e6edf3", "said": "#8b949e"}
DARK |= {"typed": "#79c0ff"}
COLUMNS = 92
LINE, WIDTH, MARGIN = 19, 8.0, 18


def main() -> None:
    """Run the story, draw it, and say where it went."""
    with open(os.path.join(ROOT, PICTURE), "w", encoding="utf-8") as file:
        file.write(drawn(list(run())))
    print(PICTURE)


def run() -> list[tuple[str, str]]:
    """Run each command in a new project; return lines with what they are: said, typed or text."""
    lines: list[tuple[str, str]] = []
    with tempfile.TemporaryDirectory() as place, open(os.devnull, "w") as nowhere:
        shop = os.path.join(place, "shop")
        os.mkdir(shop)
        story = Story(os.path.join(place, "you"), shop)
        story.environment |= {"TERM": "dumb", "COLUMNS": str(COLUMNS)}
        story.satchel("init", "--yes")
        with redirect_stdout(nowhere):
            monday(story)
        for line, shown in STORY:
            if line.startswith("#"):
                lines += [("text", ""), ("said", line)] if lines else [("said", line)]
                continue
            lines.append(("typed", f"$ {line}"))
            told = story.satchel(*shlex.split(line)[1:]).replace(f"{story.command} ", "satchel ")
            lines += [("text", one) for one in told.splitlines()[:shown]]
    return lines


def monday(story: Story) -> None:
    """Work with an agent; then reflection runs, as it does by itself after a session."""
    session = Session(story)
    session.fire("SessionStart", source="startup")
    for prompt, answer in SAID:
        session.person(prompt)
        session.agent(answer)
    session.fire("SessionEnd", reason="prompt_input_exit")
    story.satchel("reflect")


def drawn(lines: list[tuple[str, str]]) -> str:
    """Return an SVG of a terminal with these lines."""
    wide = int(COLUMNS * WIDTH + 2 * MARGIN)
    high = len(lines) * LINE + 2 * MARGIN
    rows = "\n".join(
        f'<text x="{MARGIN}" y="{MARGIN + LINE * number + 14}" class="{kind}">'
        f"{escape(text[:COLUMNS])}</text>"
        for number, (kind, text) in enumerate(lines)
        if text
    )
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}">
<style>
text {{ font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre }}
{_rules(LIGHT)}
@media (prefers-color-scheme: dark) {{
{_rules(DARK)}
}}
</style>
<rect x=".5" y=".5" width="{wide - 1}" height="{high - 1}" rx="8" class="paper"/>
{rows}
</svg>
"""


def _rules(colours: dict[str, str]) -> str:
    """Return the rules of style for these colours."""
    paper = f".paper {{ fill: {colours['paper']}; stroke: {colours['edge']} }}"
    rest = (f".{kind} {{ fill: {colours[kind]} }}" for kind in ("text", "said", "typed"))
    return "\n".join([paper, *rest])


if __name__ == "__main__":
    main()
