from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.core.redaction.redactor import redact, redact_start, redact_value
from satchel.core.redaction.values import names_secret
from unit.redaction_corpus import generic_secrets, known_secrets

_KNOWN = [p.text for p in known_secrets(3, 1) + generic_secrets(3, 40)]
_PIECES = st.sampled_from(
    (
        *("<private>", "</private>", "<system-reminder>", "</SYSTEM-REMINDER>", "<Private a=1>"),
        *(
            "password",
            "token",
            "secret",
            "api_key",
            "=",
            ": ",
            '"',
            "'",
            "\\",
            "\n",
            " ",
            "--",
            "]",
        ),
        *(
            "[redacted:github-token]",
            "[private content removed]",
            "hunter2x9",
            "sk-",
            "ghp_",
            "://",
        ),
        *("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "A1b2" * 10, "@h", "datadog"),
        *("0a" * 16, "\u0130", "<pri", "vate>", "name: ", "value: ", "Bearer ", "eyJ", "."),
    )
)


@settings(max_examples=300)
@given(st.lists(_PIECES | st.sampled_from(_KNOWN) | st.text(max_size=8), max_size=14).map("".join))
def test_redacting_twice_is_redacting_once(text: str) -> None:
    cleaned, _ = redact(text)
    assert redact(cleaned) == (cleaned, ())


@given(st.text(st.characters(exclude_categories=()), max_size=80))
def test_any_text_is_accepted(text: str) -> None:
    cleaned, kinds = redact(text)
    assert (cleaned == text) == (not kinds)


def test_the_kind_is_told_and_the_secret_is_not() -> None:
    secret = "ghp_" + "aB3" * 12
    cleaned, kinds = redact(f"push with {secret} now")
    assert cleaned == "push with [redacted:github-token] now"
    assert kinds == ("github-token",)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a <private>b</private> c", "a [private content removed] c"),
        ("a <PRIVATE>b</Private > c", "a [private content removed] c"),
        ("a <private>b <private>c</private> d</private> e", "a [private content removed] e"),
        ("a <private>never closed", "a [private content removed]"),
        (
            "a <private>b<system-reminder>c</private>d</system-reminder>e",
            "a [private content removed]e",
        ),
        ('<claude-mem-context x="1">b</claude-mem-context>', "[private content removed]"),
        ("x<system_instruction>y</system_instruction>z", "x[private content removed]z"),
        ("x<persisted-output>y</persisted-output>z", "x[private content removed]z"),
        ("\u0130\u0130 <private>b</private> c", "\u0130\u0130 [private content removed] c"),
    ],
)
def test_private_spans_are_removed(text: str, shown: str) -> None:
    assert redact(text) == (shown, ("private",))


@pytest.mark.parametrize(
    "text",
    [
        "#include <private/header.h>",
        "<PrivateRoute path='/a'>x</PrivateRoute>",
        "<private/> stands alone",
        "a closing </private> alone",
        "if a <private and b",
        "x <private <y",
    ],
)
def test_what_is_no_private_span_stays(text: str) -> None:
    assert redact(text) == (text, ())


@pytest.mark.parametrize(
    "text",
    [
        "password: must be 12 characters",
        "token = os.environ['TOKEN']",
        "API_KEY=<your-api-key>",
        "PASSWORD=$PASSWORD",
        "password=changeme",
        "token: xxxxxxxxxxxxxxxx",
        "max_tokens: 4096, token_count=12345678",
        "def login(user: str, password: str) -> Token:",
        "https://user:password@example.org",
        "re_validate_authenticationmanager(text)",
        "rnd_internationalizationtable9 = rnd()",
        "vcr_recordedcassettesfromproduction.yaml",
    ],
)
def test_prose_code_and_placeholders_stay(text: str) -> None:
    assert redact(text) == (text, ())


@pytest.mark.parametrize(
    "name",
    [
        *("password", "DB_PASSWORD", "clientSecret", "api_key", "apiKey", "X-Api-Key", "authToken"),
        *(
            "authorization",
            "Cookie",
            "session_key",
            "private_key",
            "credentials",
            "jwt",
            "_authToken",
        ),
        *("SECRET_KEY_BASE", "dbpassword", "password_confirmation", "aws_secret_access_key"),
    ],
)
def test_names_of_secrets_are_known(name: str) -> None:
    assert names_secret(name)


@pytest.mark.parametrize(
    "name",
    [
        *("token_count", "tokens", "session", "session_id", "key", "tags", "author", "max_tokens"),
        *("next_token", "tokenizer", "password_field", "secret_name", "token_type", "public_key"),
        *("keyboard", "primary_key", "compass", "input_tokens", "cookie_name", "auth_type", ""),
    ],
)
def test_names_of_other_things_are_known(name: str) -> None:
    assert not names_secret(name)


def test_values_are_cleaned_by_key_and_by_form() -> None:
    value: dict[str, Any] = {
        "password": "Tr0ub4dor&3",
        "api_key": "your-api-key",
        "session_id": "550e8400-e29b-41d4-a716-446655440000",
        "tokens": 12,
        "nested": [{"client_secret": "kX92jsLq81mZpQ"}, "see ghp_" + "aB3" * 12, None, True, 1.5],
        "secrets": ["kX92jsLq81mZpR", "kX92jsLq81mZpS"],
        "ghp_" + "zY9" * 12: "in a key",
    }
    cleaned, kinds = redact_value(value)
    assert cleaned == {
        "password": "[redacted:password]",
        "api_key": "your-api-key",
        "session_id": "550e8400-e29b-41d4-a716-446655440000",
        "tokens": 12,
        "nested": [
            {"client_secret": "[redacted:secret]"},
            "see [redacted:github-token]",
            None,
            True,
            1.5,
        ],
        "secrets": ["[redacted:secret]", "[redacted:secret]"],
        "[redacted:github-token]": "in a key",
    }
    assert set(kinds) == {"password", "secret", "github-token"}
    assert redact_value(cleaned) == (cleaned, ())


@pytest.mark.parametrize("kept", range(8, 60, 3))
def test_a_secret_is_not_cut_in_two_before_it_is_known(kept: int) -> None:
    secret = "ghp_" + "aB3" * 12
    text = "the key " + secret + " opens it"
    assert "ghp_a" in redact(text[:20])[0], "half a token is none that is known"
    cleaned, _ = redact_start(text, kept)
    assert cleaned == redact(text)[0][:kept]
    assert "ghp_" not in cleaned


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("sshpass -p hunter ssh a@b", "sshpass -p [redacted:command-password] ssh a@b"),
        ("mysql -u root -phunter db", "mysql -u root -p[redacted:command-password] db"),
        ("curl -u me:hunter https://a.b", "curl -u me:[redacted:command-password] https://a.b"),
        ("DB_PASSWORD=correcthorse", "DB_PASSWORD=[redacted:password]"),
        ("UEFTU1dPUkQ9aHVudGVyMng5", "[redacted:encoded-secret]"),
        ("pay 4111 1111 1111 1111.", "pay [redacted:card-number]."),
        ("Das Passwort ist Sommer2024!", "Das Passwort ist [redacted:told-password]"),
        ("p\u200bassword=hunter2x9", "p\u200bassword=[redacted:password]"),
    ],
)
def test_each_mark_names_its_reason_and_the_rest_stays(text: str, shown: str) -> None:
    assert redact(text)[0] == shown


@pytest.mark.parametrize(
    "text",
    [
        "connect(host, password=secretvalue)",
        "pay 4111 1111 1111 1112.",
        "mysql -u root -p shop",
        "docker run -p 8080:80 -u 1000:1000 nginx",
        "curl -u $NAME:$PASS https://a.b",
        "Passwort: erforderlich, und das Passwort ist falsch.",
        "aGVsbG8gd29ybGQsIHRoaXMgaXMgdGV4dA==",
        "add the model and view for each user who can open this file, then test the code again",
    ],
)
def test_what_only_looks_alike_stays(text: str) -> None:
    assert redact(text) == (text, ())


def test_a_value_that_nests_too_deep_is_not_kept_unread() -> None:
    value: Any = "ghp_" + "aB3" * 12
    for _ in range(500):
        value = [value]
    cleaned, _ = redact_value(value)
    assert "ghp_" not in json.dumps(cleaned)


@pytest.mark.parametrize(
    "value",
    [
        {"username": "admin", "password": "bariskamon"},
        {"db_password": "bariskamon"},
        {"user": "app", "nested": {"login": "app", "pwd": "bariskamon"}},
    ],
)
def test_letters_alone_are_a_password_beside_a_user(value: dict[str, object]) -> None:
    assert "bariskamon" not in str(redact_value(value))


@pytest.mark.parametrize(
    "value",
    [
        {"username": "string", "password": "string"},
        {"username": "ann", "password": "required"},
        {"password": "Kennwort"},
        {"email": "changed", "password": "unchanged"},
    ],
)
def test_a_message_about_a_password_is_none(value: dict[str, object]) -> None:
    assert redact_value(value) == (value, ())


@pytest.mark.parametrize(
    "text",
    [
        "the password is hashed with argon2",
        "The password is now argon2id-hashed, see auth2.py",
        "I gave the password to db01.example.org",
        "the password was changed to SHA-256 on 2026-01-02",
        "set the password policy to strict-2",
        "login with admin / editor",
        "updated the password page to v2.1.0",
    ],
)
def test_a_memory_about_a_password_stays_whole(text: str) -> None:
    assert redact(text) == (text, ())


@pytest.mark.parametrize(
    "text",
    [
        "Asked: sudo -S ls <<< Varipi609302#",
        f"https://d1.cloudfront.net/a?Signature={'xxXX' + 'aB3~' * 80}&Key-Pair-Id=K2",
    ],
)
def test_what_stands_around_or_within_a_secret_hides_none(text: str) -> None:
    assert "[redacted:" in redact(text)[0]
