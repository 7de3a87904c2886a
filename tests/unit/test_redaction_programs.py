"""Secrets given to programs, and those that only their own form or a program's name tells.

`redaction_programs.txt` has how each is written; the secrets are random.
"""

import base64
import os
import random
import string
from collections.abc import Callable

import pytest

from satchel.core.hashing import digest
from satchel.core.redaction import redactor, wallets
from satchel.core.redaction.redactor import redact

SEED, EACH = 20261129, 25
_HERE = os.path.dirname(os.path.abspath(__file__))
_HEX, _ALNUM = "0123456789abcdef", string.ascii_letters + string.digits
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_WORDS = ("harbour", "relay", "tulip", "copper", "lantern", "meadow", "violet", "pepper")
_WINDOW = 8


def _pick(rng: random.Random, letters: str, n: int) -> str:
    return "".join(rng.choices(letters, k=n))


def _base58(data: bytes) -> str:
    number, said = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        said = _BASE58[digit] + said
    return said


def _bitcoin(rng: random.Random) -> str:
    key = b"\x80" + rng.randbytes(32) + b"\x01" * rng.randrange(2)
    return _base58(key + digest(digest(key))[:4])


def _card(rng: random.Random) -> str:
    begin = rng.choice(("4", "51", "55", "6011"))
    digits = begin + _pick(rng, string.digits, 15 - len(begin))
    last = next(n for n in range(10) if _luhn(f"{digits}{n}"))
    whole = f"{digits}{last}"
    return ".".join(whole[i : i + 4] for i in range(0, 16, 4))


def _luhn(digits: str) -> bool:
    doubled = (int(c) * (1 + i % 2) for i, c in enumerate(reversed(digits)))
    return sum(n - 9 * (n > 9) for n in doubled) % 10 == 0


def _made(rng: random.Random) -> str:
    """A password as people and password managers make them."""
    one, two, number = rng.choice(_WORDS), rng.choice(_WORDS), rng.randrange(10, 9999)
    return rng.choice(
        (
            f"{one.capitalize()}{number}{rng.choice('!#?')}",
            _pick(rng, _ALNUM, 12) + str(number),
            f"{one}{two}{number}",
            _pick(rng, _ALNUM, 6) + rng.choice("!#%^*_") + _pick(rng, _ALNUM, 7),
        )
    )


def _token(rng: random.Random) -> str:
    return rng.choice((_pick(rng, _ALNUM, 30) + "7q", _pick(rng, _HEX, 40)))


def _any(rng: random.Random) -> str:
    return rng.choice((_made(rng), _token(rng), rng.choice(_WORDS) + rng.choice(_WORDS)))


def _bytes(rng: random.Random) -> str:
    return f"[{rng.choice((',', ', ')).join(str(rng.randrange(256)) for _ in range(64))}]"


MAKERS: dict[str, Callable[[random.Random], str]] = {
    "wif": _bitcoin,
    "eth": lambda rng: "0x" + _pick(rng, _HEX, 64),
    "stellar": lambda rng: "SC" + _pick(rng, string.ascii_uppercase + "234567", 54),
    "solana": lambda rng: _base58(b"\x05" + rng.randbytes(63)),
    "solana-json": _bytes,
    "ntlm": lambda rng: _pick(rng, _HEX, 32),
    "pagerduty": lambda rng: "u+" + _pick(rng, _ALNUM, 15) + "3x7",
    "pagerduty-routing": lambda rng: _pick(rng, _HEX, 32),
    "mattermost": lambda rng: _pick(rng, string.ascii_lowercase + string.digits, 24) + "k7",
    "card-dots": _card,
    "unseal": lambda rng: base64.b64encode(rng.randbytes(33)).decode(),
    "unseal-hex": lambda rng: _pick(rng, _HEX, 66),
    "gem": lambda rng: rng.choice((_pick(rng, _HEX, 46) + "7f", _pick(rng, _ALNUM, 38) + "7q")),
    "fernet": lambda rng: base64.urlsafe_b64encode(rng.randbytes(32)).decode(),
    **dict.fromkeys(("from-literal", "ssm", "snmp", "mount", "mysql-pw", "make-pw"), _any),
    **dict.fromkeys(("pass-insert", "secret-tool", "useradd"), _made),
    **dict.fromkeys(("vercel", "gcloud", "make"), _token),
}


def _lines(name: str) -> list[str]:
    with open(os.path.join(_HERE, name), encoding="utf-8") as file:
        return file.read().splitlines()


FORMS: dict[str, list[str]] = {}
for _line in _lines("redaction_programs.txt"):
    _kind, _, _form = _line.partition("\t")
    FORMS.setdefault(_kind, []).append(_form.replace("\\n", "\n").replace("\\t", "\t"))


def leaked(kind: str) -> list[str]:
    """Return the lines of a kind of which some of the secret is still there."""
    rng, found = random.Random(f"{SEED} {kind}"), []
    for number in range(max(EACH, len(FORMS[kind]))):
        secret = MAKERS[kind](rng)
        line = FORMS[kind][number % len(FORMS[kind])].replace("@@", secret).replace("@U", "anna")
        cleaned = redact(line)[0]
        parts = (secret[i : i + _WINDOW] for i in range(max(1, len(secret) - _WINDOW)))
        if any(part in cleaned for part in parts):
            found.append(line)
    return found


@pytest.mark.parametrize("kind", FORMS)
def test_what_a_program_is_given_is_removed(kind: str) -> None:
    assert leaked(kind) == []


@pytest.mark.parametrize("line", _lines("redaction_programs_clean.txt"))
def test_what_looks_like_it_stays(line: str) -> None:
    assert redact(line) == (line, ())


def test_a_key_with_a_wrong_checksum_is_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    key = _bitcoin(random.Random(SEED))
    assert redact(f"the paper has {key}")[1] == ("bitcoin-key",)
    wrong = f"the paper has {key[:-1]}{'2' if key[-1] != '2' else '3'}"
    assert redact(wrong) == (wrong, ())
    monkeypatch.setattr(wallets, "_checks", lambda _: True)
    assert redact(wrong)[1] == ("bitcoin-key",)


@pytest.mark.parametrize(
    ("finder", "kinds"),
    [
        ("_find_wallet_keys", ("wif", "solana-json")),
        ("find_known", ("eth", "solana", "ntlm", "pagerduty", "mattermost", "fernet", "mysql-pw")),
        ("_find_commands", ("from-literal", "snmp", "mount", "useradd")),
        ("_find_given", ("ssm", "pass-insert", "vercel", "gcloud", "secret-tool")),
        ("find_assignments", ("make", "make-pw")),
        ("_find_cards", ("card-dots",)),
    ],
)
def test_a_missing_search_is_noticed(
    finder: str, kinds: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug."""
    monkeypatch.setattr(redactor, finder, lambda *_: [])
    assert [kind for kind in kinds if not leaked(kind)] == []
