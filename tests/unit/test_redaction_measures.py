"""T19: how many planted secrets are removed, and how many clean lines are harmed."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable

import pytest

from reliability.stand import scale
from satchel.core.redaction import assignments, redactor, scanning
from satchel.core.redaction.patterns import TOKENS
from satchel.core.redaction.redactor import redact, redact_value
from unit.redaction_clean_lines import clean_lines
from unit.redaction_corpus import Planted, generic_secrets, known_secrets
from unit.redaction_password_prose import HELD_OUT, SEEN

pytestmark = pytest.mark.torture
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
    assert len(counts) >= 120
    assert min(counts.values()) >= 50
    assert _removed_share(sample) >= 0.995


def test_secrets_told_only_by_their_name_are_removed() -> None:
    assert _removed_share(generic_secrets(SEED, 1000)) >= 0.90


#: Secrets of each kind: in the short form once behind each of those that follow.
EACH = scale(12, 50)
#: What stands before a secret and asks for one itself.
BEFORE = (
    "api_key",
    "Authorization: Bearer",
    "password is",
    "the cache",
    "--token",
    "https://",
    "<",
    "login ",
    "curl -u",
    "-----BEGIN RSA PRIVATE KEY-----",
    "sk-",
    "docker login -p",
)


def test_in_a_value_a_secret_is_removed_as_it_is_alone() -> None:
    """All strings of a value are looked at together first: that must hide none of them."""
    sample = [*known_secrets(SEED, EACH), *generic_secrets(SEED, 1000)]
    for number, planted in enumerate(sample):
        before, text = BEFORE[number % len(BEFORE)], planted.text
        value = {"seen": [before, {"said": text}, before], "count": number}
        assert redact_value(value)[0]["seen"][1]["said"] == redact(text)[0]
    print(f"\nplanted n={len(sample)} seed={SEED} missed=0 (below {3 / len(sample):.4%})")


def test_clean_developer_lines_stay_as_they_are() -> None:
    lines = clean_lines(SEED)
    assert len(lines) == 10_000
    assert _harmed_share(lines, "generated") <= 0.005


def test_what_people_write_of_passwords_stays_as_it_is() -> None:
    """Half of it was kept aside while the patterns of sentences were made."""
    assert _harmed_share(SEEN, "about passwords, seen") == 0
    _harmed_share(HELD_OUT, "about passwords, held out")
    assert _harmed_share((*SEEN, *HELD_OUT), "about passwords") <= 0.005


def test_a_sentence_that_takes_any_word_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeded bug: whatever follows "the password is" counts as one."""
    monkeypatch.setattr(scanning, "looks_made", lambda _: True)
    assert _harmed_share(SEEN, "about passwords, seen") > 0.005


def test_json_that_takes_any_word_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeded bug: letters under a password's name in JSON count without a user beside them."""
    monkeypatch.setattr(assignments, "is_told", lambda *_: True)
    assert _harmed_share(SEEN, "about passwords, seen") > 0.005


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
    without = {
        part: [one for one in anchors if TOKENS[one[1]][0] != kind]
        for part, anchors in scanning._TOKENS.items()
    }
    assert without != scanning._TOKENS
    monkeypatch.setattr(scanning, "_TOKENS", without)
    assert _removed_share(known_secrets(SEED, EACH)) < 0.995


@pytest.mark.parametrize(
    ("finder", "kinds"),
    [
        (
            "_find_commands",
            {
                *("mysql-option", "sshpass", "curl-user", "curl-cookie"),
                *("kubectl-literal", "helm-set", "terraform-var", "ansible-variable"),
            },
        ),
        ("find_known", {"told-in-a-sentence", "told-in-short", "told-with-its-user"}),
        ("find_known", {"pgpass", "wifi-code", "laravel-key", "kaggle-key", "percent-first"}),
        ("is_told", {"json-letters"}),
        (
            "_find_pairs",
            {
                *("aws-secret-beside-its-id", "alibaba-secret-beside-its-id"),
                *("short-beside-its-user", "letters-beside-their-user"),
            },
        ),
        (
            "_find_given",
            {
                *("fed-through-a-pipe", "fed-with-its-user", "given-by-its-place", "given-in-php"),
                *("dockerfile-environment", "sqlplus-login"),
            },
        ),
        ("_find_cards", {"visa", "american-express"}),
        ("_find_seed_phrases", {"seed-12", "seed-24"}),
        ("_find_encoded", {"encoded-token", "encoded-file", "encoded-twice", "hexadecimal-token"}),
    ],
)
def test_a_missing_search_is_noticed(
    finder: str, kinds: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug: without one of the searches its kinds pass."""
    monkeypatch.setattr(redactor, finder, lambda *_: [])
    monkeypatch.setattr(assignments, finder, lambda *_: [], raising=False)
    for kind in sorted(kinds):
        assert _removed_share([p for p in known_secrets(SEED, 12) if p.kind == kind]) < 0.995


def test_a_text_that_is_not_folded_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeded bug: full-width and zero-width spellings pass."""
    monkeypatch.setattr(redactor, "_fold", lambda text: text)
    monkeypatch.setattr(redactor, "_as_shown", lambda text: text)
    for start in ("full-width", "zero-width"):
        sample = [p for p in known_secrets(SEED, 12) if p.kind.startswith(start)]
        assert _removed_share(sample) < 0.995


def test_no_kind_of_secret_passes_as_a_whole() -> None:
    """The share above is of all kinds together; this is of each."""
    by_kind: dict[str, list[Planted]] = {}
    for planted in known_secrets(SEED, 20):
        by_kind.setdefault(planted.kind, []).append(planted)
    shares = {
        kind: sum(_leaks(p, redact(p.text)[0]) for p in sample) / len(sample)
        for kind, sample in by_kind.items()
    }
    assert {kind: share for kind, share in shares.items() if share > 0.05} == {}


def test_the_measure_of_harm_notices_a_greedy_redactor() -> None:
    """Seeded bug: lines that hold a secret count as harmed, so the bar can be missed."""
    lines = [p.text for p in known_secrets(SEED, 1)]
    assert _harmed_share(lines, "seeded") > 0.9
