"""Where two sources say the opposite. By words alone, so that it is the same every time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satchel.application.research.values import Conflict, Finding
from satchel.engine.contradictions import AGAINST, Rule, clashes

_MOST = 8
_SENTENCES = 12
_FEWEST_WORDS, _MOST_WORDS = 4, 40


def conflicts_between(findings: Sequence[Finding]) -> list[Conflict]:
    """Return pairs of sentences of different findings that cannot both hold, each pair once."""
    found: list[Conflict] = []
    told: set[tuple[str, str]] = set()
    said = [(finding, sentence) for finding in findings for sentence in _sentences(finding.text)]
    for number, (one, sentence) in enumerate(said):
        rules = [
            Rule(str(n), 0, text)
            for n, (other, text) in enumerate(said[number + 1 :], start=number + 1)
            if other is not one and other.place != one.place
        ]
        for clash in clashes(sentence, rules):
            pair = (sentence.lower(), clash.rule.text.lower())
            if clash.what != AGAINST or pair in told:
                continue
            told.add(pair)
            other = said[int(clash.rule.path)][0]
            found.append(Conflict(one, sentence, other, clash.rule.text, clash.why))
            if len(found) >= _MOST:
                return found
    return found


def _sentences(text: str) -> Iterator[str]:
    """Yield the first sentences of a text that are statements: no code, no headings."""
    given = 0
    for line in text.splitlines():
        bare = line.strip().lstrip("-*+> ").strip()
        if not bare or bare.startswith(("#", "```", "|", "<")):
            continue
        for part in bare.replace("; ", ". ").split(". "):
            words = len(part.split())
            if _FEWEST_WORDS <= words <= _MOST_WORDS and not part.endswith("?"):
                yield part.strip()
                given += 1
                if given >= _SENTENCES:
                    return
