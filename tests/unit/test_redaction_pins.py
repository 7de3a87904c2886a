"""PINs after their name are removed, pass phrases and numbers that look like them are told apart."""

from __future__ import annotations

import random

import pytest

from satchel.core.redaction import phrases
from satchel.core.redaction.redactor import redact, redact_value
from unit.redaction_told import phrase

_SEED = 20261130
_PINS = (
    "The PIN is {s}",
    "pin: {s}",
    "PIN {s}",
    "PIN={s}",
    "my pin is {s}, as before",
    "The PIN of the badge printer is {s}.",
    "PIN code: {s}",
    "PIN-Nummer: {s}",
    "die PIN ist {s}",
    "the password is {s}",
    "password: {s}",
    "the passcode is now {s}",
    "passcode: {s}",
    "das Passwort lautet {s}",
    "door code {s}",
    "the unlock code for the lab is {s}",
    "alarm code: `{s}`",
)
_NO_PINS = (
    "pin: 13",
    "pin = 4096",
    "pin=1024",
    "pin the version to 1.2.3",
    "GPIO pin 1024 is the led",
    "spring pin 2200",
    "PIN_COUNT = 2048",
    "the pin is 4 digits",
    "PINs have 4 digits",
    "tests pass: 1234, fail: 3",
    "password length: 4096",
    "the password is 2048 bits",
    "password: 1024 characters at most",
    "the password is 12.5",
    "password: 2024-11-30",
    "passwords: 1200",
    "exit code 1234",
    "status code: 4040",
    "error code 4711",
    "the access code is 403",
    "set the password before 2027",
    "the password was changed in 2024",
    "password rotation 2026",
)
_NO_PHRASES = (
    "Password: minimum twelve characters required",
    "password is stored hashed server side",
    "the password is required login fails otherwise",
    "the password is case sensitive everywhere",
    "password is kept in the wiki",
    "password: enter your current password",
    "passphrase is asked twice during setup",
    'password = "user name or mail"',
    'PASSWORD_HELP = "letters digits symbols spaces"',
    "the password is wrong username unknown",
    "The password was rotated after Friday lunch",
    "password for staging lives in vault",
    "password manager browser extension crash",
    "use one password per service",
)
_NO_CONSTANTS = (
    "TOKEN = None",
    "PASSWORD = PASSWORD_DEFAULT",
    "TOKEN = CONSTANT",
    "FIXTURE_PASSWORD = PASSWORD",
    "token = tokenizer",
    "password = getpass",
    "PASSWORD = required",
    "AUTH = optional",
    "set TOKEN = value in the form",
    "TOKEN = parse(text)",
    "def f(TOKEN = tokens): ...",
    "if TOKEN == abcdefgh:",
    "password-reset-2024.md",
    "docs/password_policy.v2.md",
    "test_password_utf8.py",
    "backup_pw_2024-11-30.sql",
    "pw-2024.zip",
    "cat /etc/passwd-2024.bak",
    "password-strength.min.js",
)


def test_a_pin_after_its_name_is_removed() -> None:
    rng, left = random.Random(_SEED), []
    for number in range(1000):
        pin = str(rng.randrange(1000, 10 ** rng.choice((4, 4, 5, 6))))
        text = _PINS[number % len(_PINS)].format(s=pin)
        cleaned, kinds = redact(text)
        left += [text] if pin in cleaned or not kinds else []
    print(f"\npins n=1000 seed={_SEED} left={len(left)} {left[:5]}")
    assert len(left) <= 5


def test_a_pass_phrase_is_removed_from_values_by_their_keys() -> None:
    rng = random.Random(_SEED)
    for _ in range(50):
        said = phrase(rng)
        cleaned, kinds = redact_value({"wifi_password": said, "note": "on the shelf"})
        assert cleaned == {"wifi_password": "[redacted:password]", "note": "on the shelf"}
        assert kinds == ("password",)


@pytest.mark.parametrize("line", [*_NO_PINS, *_NO_PHRASES, *_NO_CONSTANTS])
def test_a_line_that_only_looks_like_one_stays(line: str) -> None:
    assert redact(line) == (line, ())


def test_prose_that_counts_as_a_phrase_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeded bug: any four words after a password's name are a pass phrase."""
    monkeypatch.setattr(phrases, "_CONNECTING", frozenset())
    monkeypatch.setattr(phrases, "_TOPICS", frozenset())
    monkeypatch.setattr(phrases, "_ENDINGS", ("\0",))
    assert any(redact(line)[1] for line in _NO_PHRASES)
