from __future__ import annotations

import importlib.util
import sys

import pytest

from satchel.core.redaction.redactor import redact
from satchel.core.redaction.second_pass import second_pass
from unit.redaction_clean_lines import clean_lines

_THERE = importlib.util.find_spec("betterleaks") is not None
# A format that our own table does not know: a Clojars token.
_UNKNOWN = "CLOJARS_" + "q7w3e9r5t1y8u4i6o2p0" * 3


def test_without_the_package_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "betterleaks", None)  # as if it were not installed
    assert second_pass(f"key {_UNKNOWN}") == (f"key {_UNKNOWN}", ())


@pytest.mark.skipif(not _THERE, reason="betterleaks is not installed")
def test_it_finds_what_the_first_pass_does_not() -> None:
    text, kinds = redact(f"key {_UNKNOWN}")
    assert kinds == ()
    cleaned, kinds = second_pass(text)
    assert _UNKNOWN not in cleaned
    assert len(kinds) == 1
    assert second_pass(cleaned) == (cleaned, ())


@pytest.mark.skipif(not _THERE, reason="betterleaks is not installed")
def test_it_leaves_clean_lines_and_marks_alone() -> None:
    lines = [*clean_lines(11, 2000), "key [redacted:github-token] and [redacted:openai-key]"]
    harmed = [line for line in lines if second_pass(line)[1]]
    print(f"\nsecond pass: clean n={len(lines)} harmed={len(harmed)} {harmed[:3]}")
    assert len(harmed) <= len(lines) * 0.005
