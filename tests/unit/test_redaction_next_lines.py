"""Secrets that stand below their names: blocks of YAML, strings of JSON and code."""

import pytest

from satchel.core.redaction.redactor import redact

_SECRET = "abcDEF123ghiJKL456mno"
_BELOW = (
    "secret_key: >-\n  {}\n",
    "secret_key: |\n  {}\nuser: x\n",
    "secret_key: |-  # of the worker\n\n    {}\n",
    "a:\n  - api_key: >+2\n      {}\n",
    "password: &here !!str |\r\n  {}\r\n",
    "password:\n  {}\n",
    '{{"password":\n  "{}",\n "user": "x"}}',
    '"api_key":\n    "{}"',
    "password = (\n    '{}'\n)",
    "password = \\\n    '{}'",
)
_KEPT = (
    "password: |\n  The word is read from a file\n",
    "token:\n  description: what a client sends\n",
    "secret:\n  name: foo-bar\n",
    "password:\n  type: string\n",
    "The secret:\nsee build-2024a.log for more\n",
    '"password":\n  "required",',
    "token =\n    read_token(path)\n",
    "secret_key: >-\nabcDEF123ghiJKL456mno: this is no block\n",
)


@pytest.mark.parametrize("text", _BELOW)
@pytest.mark.parametrize("secret", [_SECRET, "hunter2xyz99"])
def test_a_value_below_its_name_is_taken_out(text: str, secret: str) -> None:
    said = redact(text.format(secret))[0]
    assert secret not in said
    assert said.count("[redacted:") == 1


def test_a_block_that_wraps_is_taken_out_whole() -> None:
    said = redact("secret_key: |\n  abcDEF123ghi\n  JKL456mnoPQR\n  789stu\nuser: x\n")[0]
    assert said == "secret_key: |\n  [redacted:secret]\nuser: x\n"


@pytest.mark.parametrize("text", _KEPT)
def test_what_is_no_value_below_stays(text: str) -> None:
    assert redact(text)[0] == text
