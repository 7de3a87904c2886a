"""Passwords of a word, a sign and a number, and a few places of secrets; and lines like them."""

import pytest

from satchel.core.redaction.redactor import redact

_SECRETS = (
    "password: \u00abEscargot#1789\u00bb",
    "password=\u00abharbor@2024\u00bb",
    'password = "\u00abHarbor-2024\u00bb"',
    '{"user": "joe", "password": "\u00abWinter+23\u00bb"}',
    "mot de passe : \u00abEscargot#1789\u00bb",
    "le mot de passe est \u00abEscargot#1789\u00bb",
    "the password is \u00abMeadow@2024\u00bb now",
    "Das Passwort lautet \u00abKaffee-1789\u00bb",
    "DB_PASS=\u00abLantern~88\u00bb",
    "export GITHUB_PAT=\u00ababcdef0123456789abcdef0123456789abcdef01\u00bb",
    "AZURE_DEVOPS_EXT_PAT: \u00abk2cdef0123xyz456789abcdef0123456789abcdef01ghijklmn\u00bb",
    r"net use \\srv\share " + "\u00abW1nd0ws!pw\u00bb /user:joe",
    r"net use Z: \\srv\share /user:ACME\joe " + "\u00abHollow#Reed9\u00bb",
    "bw unlock \u00abB1tw4rden!x\u00bb",
    "cvv \u00ab737\u00bb for that card",
    "ldap: cn=admin bindpw=\u00abBind3rPw!\u00bb",
    "rootpw: \u00abB1nd3r-Pw7!\u00bb",
    "https://outlook.office.com/webhook/\u00aba1b2c3d4-e5f6-7890-abcd-ef1234567890@a1b2c3d4/In/01234567\u00bb",
    '"cvc": "\u00ab7371\u00bb"',
)
_CLEAN = (
    "password: chapter-12",
    "password: see PR#1789",
    "password_policy: Model-17",
    "the password is required since version-2024",
    "password = ISO-8601",
    "secret: RFC-4226",
    "token: Phase-12",
    "pass: sha-256",
    '_REG_NAME_PAT = r"(?:[^%:/?#]|%[a-fA-F0-9]{2})*"',
    '_LS32_PAT = "(?:{hex}:{hex}|{ipv4})".format(hex=_HEX_PAT, ipv4=_IPV4_PAT)',
    '_INIT_FACTORY_PAT = "__attr_factory_%s"',
    "FILE_PAT: glob.translate(pattern)",
    "the cvc is checked by the bank, 2024",
    "cvs 1234, cvc-complex-type.2.4.a",
    "cookies: dict[str, Any] = field(default_factory=dict)",
    "cookie: http.cookies.BaseCookie[str] = http.cookies.SimpleCookie()",
    "# dummy inputs (only the first token is global).",
    '$PASSWORD = $CPAN::Config->{password} || "";',
    "net use is short for network use",
    "rootpw is the name of the setting; the upwind side",
    "https://outlook.office.com/webhook/ is retired",
    "bw unlock prompts for it",
)


@pytest.mark.parametrize("line", _SECRETS)
def test_it_is_removed_to_the_last_character(line: str) -> None:
    before, _, rest = line.partition("\u00ab")
    secret, _, after = rest.partition("\u00bb")
    shown = redact(before + secret + after)[0]
    assert secret not in shown
    assert secret[:5] not in shown
    assert shown.startswith(before)


@pytest.mark.parametrize("line", _CLEAN)
def test_a_line_like_it_stays(line: str) -> None:
    assert redact(line)[0] == line
