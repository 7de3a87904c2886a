"""Spellings of secrets that were written down before anyone looked at the patterns.

`redaction_spellings.txt` holds secrets between \u00ab and \u00bb, `redaction_spellings_clean.txt` lines
that look like them and hold none. A third of each, by hash, was not looked at while the patterns
were mended; the last thirty secrets were written afterwards.
"""

import hashlib
import re
from pathlib import Path

import pytest

from satchel.core.redaction import redactor, scanning
from satchel.core.redaction.redactor import redact

_HERE = Path(__file__).parent
_WINDOW = 8
_THIRD = 3


def _records() -> list[str]:
    text = (_HERE / "redaction_spellings.txt").read_text(encoding="utf-8")
    return text.rstrip("\n").split("\n----\n")


def _clean() -> list[str]:
    return (_HERE / "redaction_spellings_clean.txt").read_text(encoding="utf-8").splitlines()


def _held_out(text: str) -> bool:
    return hashlib.sha256(text.encode()).digest()[0] % _THIRD == 0


def _is_missed(record: str) -> bool:
    """Say whether eight characters in a row of a secret are left."""
    shown = re.sub(
        r"\[redacted:[a-z0-9-]+\]", "\n", redact(re.sub("[\u00ab\u00bb]", "", record))[0]
    )
    return any(
        line[i : i + _WINDOW] in shown
        for secret in re.findall("\u00ab(.*?)\u00bb", record, re.DOTALL)
        for line in secret.split("\n")
        for i in range(max(1, len(line) - _WINDOW + 1))
    )


def _share(*, kept_aside: bool) -> float:
    sample = [one for one in _records() if _held_out(one) == kept_aside]
    missed = [one for one in sample if _is_missed(one)]
    what = "held out" if kept_aside else "seen"
    print(f"\nspellings {what} n={len(sample)} missed={len(missed)} {missed}")
    return len(missed) / len(sample)


def test_spellings_that_nobody_looked_for_are_removed() -> None:
    assert _share(kept_aside=False) <= 0.03
    assert _share(kept_aside=True) <= 0.08


def test_lines_that_look_like_them_stay() -> None:
    lines = _clean()
    harmed = [line for line in lines if redact(line) != (line, ())]
    aside = [line for line in harmed if _held_out(line)]
    print(f"\nclean n={len(lines)} harmed={len(harmed)}, held out={len(aside)} {harmed}")
    assert len(harmed) / len(lines) <= 0.005


@pytest.mark.parametrize(
    "finder", ["find_known", "_find_commands", "_find_given", "find_assignments"]
)
def test_a_missing_search_is_noticed(finder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redactor, finder, lambda *_: [])
    assert _share(kept_aside=False) > 0.05


def test_missing_sentences_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanning, "_ANCHORS", {})
    assert _share(kept_aside=False) > 0.05
