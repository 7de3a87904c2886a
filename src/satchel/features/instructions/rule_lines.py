"""Lines of an instruction file that may be rules. Apart from saving: each brief asks for them."""

from __future__ import annotations

from satchel.engine.contradictions import Rule

_FEWEST = 2


def rules_in(path: str, text: str) -> list[Rule]:
    """Return lines that may be rules: items and sentences, not headings or code."""
    from satchel.engine.markdown.sections import lines_of

    found = []
    for number, line in enumerate(lines_of(text), 1):
        bare = line.text.strip()
        if line.code or not bare or bare.startswith(("#", "<!--", "|", "---")):
            continue
        bare = bare.lstrip("-*+> \t").strip()
        if len(bare.split()) >= _FEWEST:
            found.append(Rule(path, number, bare))
    return found
