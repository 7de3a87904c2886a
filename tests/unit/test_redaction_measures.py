"""T19: how many planted secrets are removed, and how many clean lines are harmed."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable

import pytest

from satchel.core.redaction import scanning
from satchel.core.redaction.patterns import TOKENS
from satchel.core.redaction.redactor import redact
from unit.redaction_clean_lines import clean_lines
from unit.redaction_corpus import Planted, generic_secrets, known_secrets

SEED = 20260101
WINDOW = 8


def _leaks(planted: Planted, cleaned: str) -> bool:
    """Any eight characters in a row of the secret that are still there."""
    shown = re.sub(r"\[redacted:[a-z0-9-]+\]", "\n", cleaned)
    for line in planted.secret.split("\n"):
        for i in range(max(1, len(line) - WINDOW + 1)):
            if line[i : i + WINDOW] in shown:
                return True
    return False


def _removed_share(sample: list[Planted]) -> float:
    missed = Counter(p.kind for p in sample if _leaks(p, redact(p.text)[0]))
    share = 1 - sum(missed.values()) / len(sample)
    print(f"\nplanted n={len(sample)} seed={SEED} removed={share:.4%} missed={dict(missed)}")
    return share


def _harmed_share(lines: Iterable[str], what: str) -> float:
    checked = 0
    harmed: list[str] = []
    for line in lines:
        checked += 1
        if redact(line) != (line, ()):
            harmed.append(line)
    share = len(harmed) / checked
    bound = f" (0 seen: below {3 / checked:.4%})" if not harmed else ""
    print(f"\nclean {what} n={checked} harmed={len(harmed)} = {share:.4%}{bound} {harmed[:5]}")
    return share


def test_known_formats_are_removed_to_the_last_byte() -> None:
    sample = known_secrets(SEED)
    counts = Counter(p.kind for p in sample)
    assert len(counts) >= 40
    assert min(counts.values()) >= 50
    assert len(sample) >= 2000
    assert _removed_share(sample) >= 0.995


def test_secrets_told_only_by_their_name_are_removed() -> None:
    assert _removed_share(generic_secrets(SEED, 1000)) >= 0.90


def test_clean_developer_lines_stay_as_they_are() -> None:
    lines = clean_lines(SEED)
    assert len(lines) == 10_000
    assert _harmed_share(lines, "generated") <= 0.005


def test_the_standard_library_stays_as_it_is() -> None:
    """A sample that we did not write: every tenth line of the interpreter's own modules."""
    folder = os.path.dirname(os.__file__)
    lines: list[str] = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".py"):
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                lines += [line for line in file.read().split("\n") if line.strip()]
    assert _harmed_share(lines[::10], "standard library") <= 0.005


@pytest.mark.parametrize("kind", ["github-token", "slack-token"])
def test_a_missing_pattern_is_noticed(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeded bug: without one kind's rows, the first test's measure falls below its bar."""
    rows = tuple(row for row in TOKENS if row[0] != kind)
    assert len(rows) < len(TOKENS)
    monkeypatch.setattr(scanning, "TOKENS", rows)
    assert _removed_share(known_secrets(SEED)) < 0.995


def test_the_measure_of_harm_notices_a_greedy_redactor() -> None:
    """Seeded bug: lines that hold a secret count as harmed, so the bar can be missed."""
    lines = [p.text for p in known_secrets(SEED, 1)]
    assert _harmed_share(lines, "seeded") > 0.9
