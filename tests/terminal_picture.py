"""Makes the README's picture of a terminal from a real run: `make screenshots`.

It is light or dark as the reader's page is.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from html import escape

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PICTURE = os.path.join("docs", "images", "terminal.svg")
#: A line of the shell, or of whoever explains (`# ...`), and how many lines of its answer are shown.
STORY = (
    ("# Monday. You say to your agent: no, rate limits count per API key, not per user", 0),
    ('satchel learn "rate limits count per API key, not per user"', 1),
    ("# Somebody decides", 0),
    ('satchel remember "Never log request bodies." --kind constraint', 1),
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
    with tempfile.TemporaryDirectory() as place:
        shop = os.path.join(place, "shop")
        os.mkdir(shop)
        here = os.path.dirname(sys.executable)
        environment = {
            "HOME": place,
            "PATH": here + os.pathsep + os.environ["PATH"],
            "TERM": "dumb",
            "COLUMNS": str(COLUMNS),
        }

        def answer(*command: str) -> str:
            done = subprocess.run(
                command, cwd=shop, env=environment, capture_output=True, text=True, check=True
            )
            return done.stdout

        answer("git", "init", "--quiet")
        satchel = os.path.join(here, "satchel")
        answer(satchel, "init", "--yes")
        for line, shown in STORY:
            if line.startswith("#"):
                lines += [("text", ""), ("said", line)] if lines else [("said", line)]
                continue
            lines.append(("typed", f"$ {line}"))
            told = answer(satchel, *shlex.split(line)[1:]).replace(place, "/home/you")
            lines += [("text", one) for one in told.splitlines()[:shown]]
    return lines


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
