"""Hashes of passwords are redacted in their own form; what only talks about them stays."""

import pytest

from satchel.core.redaction.redactor import redact

_A, _B = "Zk3/uT9.qLm0", "XcVbNm12QwErTyUi"


@pytest.mark.parametrize(
    "made",
    [
        "$2b$12$" + (_A * 5)[:53],
        "$argon2id$v=19$m=65536,t=3,p=4$" + _B + "$" + _B * 2,
        "$6$rounds=5000$" + _B + "$" + (_A * 8)[:86],
        "$6$" + _B + "$" + (_A * 8)[:86],
        "$y$j9T$" + _B + "$" + (_A * 4)[:43],
        "$apr1$" + _B[:8] + "$" + (_A * 2)[:22],
    ],
)
@pytest.mark.parametrize("around", ["{}", "root:{}:19000:0:99999:7:::", "usermod -p '{}' bob"])
def test_a_password_s_hash_does_not_pass(made: str, around: str) -> None:
    told, kinds = redact(around.format(made))
    assert made[-20:] not in told
    assert kinds == ("password-hash",)


@pytest.mark.parametrize(
    "line",
    [
        "bcrypt's hashes begin with $2b$12$",
        "the form is $argon2id$v=19$m=65536,t=3,p=4$<salt>$<hash>",
        "awk '{print $1$2$5$6}' lines.txt",
        "cost=$5$6 and $y$z",
    ],
)
def test_a_line_about_hashes_stays(line: str) -> None:
    assert redact(line)[0] == line
