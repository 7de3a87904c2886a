"""T18: no text makes redaction slow, and what need not be loaded is not."""

from __future__ import annotations

import base64
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

import pytest

from machine_speed import SLOWNESS, slowness
from reliability.stand import FULL, scale
from satchel.core.redaction import key_blocks, scanning
from satchel.core.redaction.assignments import WORDS, find_assignments
from satchel.core.redaction.cards import find_cards
from satchel.core.redaction.commands import find_commands
from satchel.core.redaction.contexts import CONTEXTS
from satchel.core.redaction.encoded import find_encoded
from satchel.core.redaction.given import find_given
from satchel.core.redaction.named_services import SERVICES
from satchel.core.redaction.pairs import find_pairs
from satchel.core.redaction.patterns import TAILED, TOKENS
from satchel.core.redaction.private_spans import NAMES
from satchel.core.redaction.redactor import redact
from satchel.core.redaction.seed_phrases import find_seed_phrases
from satchel.core.redaction.sentences import SENTENCES

pytestmark = pytest.mark.torture
SIZE = 40_000
AT_ONCE = 0.025
CEILING = 0.5
GROWTH = 8
FILLERS = ("", "a", "A1", "-", "_", ".", ":", "=", " ", "0", "/", "eyJ", "aA0-_." * 6, "x" * 300)


#: How often what seems slow is looked at again: other work on the machine can only add.
AGAIN = 7


def _seconds(run: Callable[[], object]) -> float:
    """Processor time."""
    start = time.process_time()
    run()
    return time.process_time() - start


def _check(find: Callable[[str], object], unit: str, what: str, size: int = SIZE) -> float:
    """Milliseconds for `size` characters. Time has to grow with the length, not with its square.

    The square is told by a quarter of the text, measured beside it, so that it is the same
    on any machine: linear time is 4 times as much, the square 16 times.
    """
    text = unit * (size // len(unit) + 1)
    find(unit)
    took = quarter = float("inf")
    for _ in range(AGAIN):
        took = min(took, _seconds(lambda: find(text[:size])))
        if took <= AT_ONCE:
            return took * 1000
        quarter = min(quarter, _seconds(lambda: find(text[: size // 4])))
        if took <= quarter * GROWTH and (took <= CEILING or took <= CEILING * slowness()):
            return took * 1000
    told = f"{what} with {unit[:40]!r}: {quarter * 1000:.1f} -> {took * 1000:.1f} ms"
    raise AssertionError(told)


def _attacks(anchor: str) -> list[str]:
    return [anchor + filler for filler in FILLERS] + [anchor + "a" * 19 + " ", "-" + anchor + "-."]


def _tokens(row: tuple[str, tuple[str, ...], int, str], text: str) -> object:
    return list(scanning.token_spans(text, row))


def _contexts(row: tuple[str, tuple[str, ...], str, str], text: str) -> object:
    return list(scanning.context_spans(text, text.lower(), row))


def _tailed(row: tuple[str, tuple[str, ...], str, str, int, int], text: str) -> object:
    return list(scanning.tailed_spans(text, row))


def test_no_token_pattern_can_be_made_slow() -> None:
    worst = 0.0
    for row in TOKENS:
        for unit in _attacks(row[1][0]):
            find = partial(_tokens, row)
            worst = max(worst, _check(find, unit, row[0]))
    print(f"\ntoken patterns n={len(TOKENS)} worst={worst:.1f} ms for {SIZE} characters")


def test_no_context_pattern_can_be_made_slow() -> None:
    worst = 0.0
    for row in (*CONTEXTS, *SERVICES, *SENTENCES):
        anchor = row[1][0]
        for unit in [*_attacks(anchor), anchor + "a:", anchor + "a" * 120 + ":" + "b" * 250]:
            worst = max(worst, _check(partial(_contexts, row), unit, row[0]))
    print(
        f"\ncontext patterns n={len(CONTEXTS) + len(SENTENCES)} worst={worst:.1f} ms for {SIZE} characters"
    )


def test_no_tailed_pattern_can_be_made_slow() -> None:
    for row in TAILED:
        for unit in [*_attacks(row[1][0]), "12345678" + row[1][0], "0a" * 16 + row[1][0]]:
            _check(partial(_tailed, row), unit, row[0])


@pytest.mark.parametrize("word", WORDS)
def test_assignments_cannot_be_made_slow(word: str) -> None:
    units = [
        *_attacks(word)[:-4],
        word + "a" * 19 + " ",
        word + "=",
        word + ': "',
        word + "=" + "a1" * 200,
        "a" * 47 + word,
    ]
    # One function looks for all words: in the short form each meets a third of the rest.
    for unit in units[WORDS.index(word) % 3 :: 3] if not FULL else units:
        _check(lambda text: find_assignments(text, text.lower()), unit, "assignments")


@pytest.mark.parametrize("unit", [", password='haselmaus'", "  password: haselmaus"])
def test_what_stands_beside_a_password_cannot_make_it_slow(unit: str) -> None:
    _check(lambda text: find_assignments(text, text.lower()), unit, "beside", size=400_000)


@pytest.mark.parametrize("unit", ["as the password ", "Zk9qLw27 is the password.", "as " * 90])
def test_what_is_told_before_its_name_cannot_be_made_slow(unit: str) -> None:
    _check(lambda text: find_assignments(text, text.lower()), unit, "told before")


@pytest.mark.parametrize("program", ["sshpass", "mysql", "curl", "openssl", "vault"])
def test_commands_cannot_be_made_slow(program: str) -> None:
    for filler in (
        "",
        "-p",
        "-pa1 ",
        "-u ",
        "'",
        '"',
        "\\",
        "'|",
        "x:y -u ",
        "a " * 400,
        "'" * 200,
    ):
        _check(find_commands, f"{program} {filler}", "commands")


@pytest.mark.parametrize(
    "start", ["echo ", "<<<", "define('", "password ", "set -x ", "net use ", "setx "]
)
def test_what_is_given_without_an_option_cannot_be_made_slow(start: str) -> None:
    for filler in ("", "a", "a|", "sudo ", "'", "\\", "sudo -S <<< ", "a " * 400, "'a', ", "\n"):
        _check(find_given, f"{start}{filler}", "given")


@pytest.mark.parametrize(
    "start", ["AKIA", "[redacted:aws-access-key-id]", "login ", "creds: ", "user bob "]
)
def test_pairs_cannot_be_made_slow(start: str) -> None:
    for filler in (
        "",
        "a",
        ":",
        "/",
        " ",
        "a:",
        "for ",
        "with ",
        "is ",
        "a" * 20,
        "aA0" * 200,
        "\n",
    ):
        _check(lambda text: find_pairs(text, text.lower()), f"{start}{filler}", "pairs")


def test_what_is_encoded_cannot_be_made_slow() -> None:
    plain = base64.b64encode(b"the token is not here " * 40).decode()
    for unit in ("UEFT", "UEFT" * 30 + "/", "ab/cd_ef-gh", "a" * 15 + "/", plain, "dG9rZW4="):
        _check(lambda text: list(find_encoded(text, lambda _: False)), unit, "encoded")
    deep = b"word "
    while len(deep) < SIZE // 2:
        deep = base64.b64encode(deep * 20)
    _check(redact, deep.decode(), "encoded again and again")


def test_cards_seeds_and_unseen_letters_cannot_be_made_slow() -> None:
    for unit in (
        "4",
        "4111 ",
        "4111-1111-",
        "0000 0000 0000 0001 ",
        "3782 822463 1000",
        "1" * 20 + ".",
    ):
        _check(lambda text: list(find_cards(text)), unit, "cards")
    for unit in ("abandon ", "legal,", "abandon " * 11 + "nowhere ", "zoo\\n", "aaa ", "a "):
        _check(lambda text: list(find_seed_phrases(text)), unit, "seed phrases")
    for unit in (
        "\u200b",
        "\uff50",
        "pass\u200bword=",
        "\u5bc6\u7801\u662f",
        "\u043f\u0430\u0440\u043e\u043b\u044c ",
    ):
        _check(redact, unit, "spellings", SIZE // 4)


def test_key_blocks_and_private_spans_cannot_be_made_slow() -> None:
    for unit in (
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nabc ",
        "-----BEGIN PRIVATE KEY-----" + "a" * 30 + "\n",
        "-----BEGIN PRIVATE KEY-----\n" * 3 + "-----END PRIVATE KEY-----\n",
        "a" * 40 + "\n-----END PRIVATE KEY-----",
        "-----BEGIN " + "A" * 39,
        "----",
    ):
        _check(key_blocks.find_key_blocks, unit, "key blocks")
    for name in NAMES:
        for unit in (f"<{name}>", f"</{name}>", f"<{name} ", f"<{name}>a</{name}>"):
            _check(redact, unit, "private spans")


def test_a_slow_pattern_is_noticed() -> None:
    """Seeded bug: an unbounded part before a part that must follow."""
    row = ("bad", ("eyJ",), 3, r"[\w-]+\.[\w.-]{18,}")
    with pytest.raises(AssertionError, match="ms"):
        _check(partial(_tokens, row), "eyJ-", "bad", 12_000)


def test_megabytes_are_handled() -> None:
    line = "2026-01-02 INFO worker 17: request took 31 ms, see https://example.org/a?b=1\n"
    megabytes = scale(3, 10)
    text = line * (megabytes * 1_000_000 // len(line)) + "token ghp_" + "aB3" * 12
    start = time.thread_time()
    cleaned, kinds = redact(text)
    took = time.thread_time() - start
    print(f"\nredact of {len(text)} characters: {took:.2f} s")
    assert kinds == ("github-token",)
    assert cleaned.endswith("token [redacted:github-token]")
    assert took < megabytes * SLOWNESS


def _loaded(code: str) -> set[str]:
    script = f"import sys; before = set(sys.modules)\n{code}\nprint(*set(sys.modules) - before)"
    path = next(p for p in scanning.__file__.split("satchel/core/redaction")[:1])
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {path!r})\n{script}"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_importing_loads_nothing_else() -> None:
    loaded = _loaded("import satchel.core.redaction.redactor")
    assert {name for name in loaded if not name.startswith("satchel")} <= {"__future__"}


def test_a_text_that_only_talks_of_tokens_does_not_load_re() -> None:
    text = (
        "The token and the password: must be kept. max_tokens=4096, task-runner, disk-usage, MD5, "
        "SKIP, https://example.org/a?b=1, AC/DC, secret_name, key-value, author, cookie."
    )
    code = f"from satchel.core.redaction.redactor import redact\nassert redact({text!r}) == ({text!r}, ())"
    assert "re" not in _loaded(code)


def test_a_secret_does_load_re() -> None:
    """The test above can fail."""
    code = "from satchel.core.redaction.redactor import redact\nredact('ghp_' + 'aB3' * 12)"
    assert "re" in _loaded(code)
