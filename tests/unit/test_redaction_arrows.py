"""Passwords behind arrows and dashes, in many languages; and sentences with both and no password."""

from __future__ import annotations

import re

import pytest

from satchel.core.redaction import scanning
from satchel.core.redaction.redactor import redact

_NAMES = (
    *("password", "Passphrase", "passwd", "Passwort", "Kennwort", "mot de passe", "contraseña"),
    *("contrasenya", "senha", "wachtwoord", "hasło", "heslo", "lösenord", "adgangskode", "kodeord"),
    *(
        "passord",
        "salasana",
        "parool",
        "jelszó",
        "şifre",
        "parola",
        "parolă",
        "geslo",
        "slaptažodis",
    ),
    *("пароль", "кодова дума: парола", "κωδικός πρόσβασης: συνθηματικό", "kata sandi"),
    *(
        "mật khẩu",
        "รหัสผ่าน",
        "密码",
        "密碼",
        "口令",
        "パスワード",
        "暗証番号",
        "비밀번호",
        "암호",
        "mdp",
    ),
    *("clave", "mot de passe de la base", "contraseña del servidor", "senha do banco"),
    *("пароль от базы", "wachtwoord van de server", "das Passwort der Datenbank"),
)
_ARROWS = ("->", "-->", "=>", "==>", "→", "⇒", "➜", "➡️", "⟶", "»", ">>", "<-", "↦", "~>")
_VALUES = ("Tr0ub4dor&3", "hunter22A", "plum-Orchid-60")
#: Written without a space on either side.
_TIGHT = ("->", "→", "=>", "➜")


def _secrets() -> list[str]:
    spaced = [
        f"{name} {arrow} ⟦{_VALUES[n % 3]}⟧" for name in _NAMES for n, arrow in enumerate(_ARROWS)
    ]
    joined = ("password", "Passwort", "密码", "パスワード", "비밀번호", "пароль", "senha", "mdp")
    tight = [f"{name}{arrow}⟦Tr0ub4dor&3⟧" for name in joined for arrow in _TIGHT]
    dashed = [f"{name} - ⟦Tr0ub4dor3⟧" for name in ("Passwort", "пароль", "senha", "heslo")]
    logins = [f"login: admin {arrow} ⟦Tr0ub4dor3⟧" for arrow in ("->", "→", "=>")]
    keys = [f"{name} {arrow} ⟦zq8s7d6f5g4h3j2k1l0⟧" for name in ("token", "API key", "secret")
            for arrow in ("->", "=>", "→")]  # fmt: skip
    return [*spaced, *tight, *dashed, *logins, *keys]


#: What developers write behind such a name and an arrow, or about one.
_TAILS = (
    *("{} -> hash -> users table", "{} → champ obligatoire", "{} => bcrypt", "{} → argon2id"),
    *("{} -> src/auth/login.tsx", "{} -> see the vault", "{} => required", "{} → string"),
    *(
        "{} -> /settings/security",
        "{} -> 12 characters",
        "rename {} -> passphrase",
        "{} → TextField",
    ),
    *("{} -> <input type=password>", "{} -> $DB_PASSWORD", "{} -> ${{ secrets.DB }}", "{} → …"),
)
_CLEAN_NAMES = (
    *(
        "password",
        "Passwort",
        "mot de passe",
        "contraseña",
        "senha",
        "wachtwoord",
        "пароль",
        "密码",
    ),
    *("パスワード", "비밀번호", "hasło"),
)
_CLEAN = (
    "contraseña olvidada -> Login2Screen",
    "senha esquecida → ResetPage2",
    "Passwort vergessen -> Schritt2Seite",
    "mot de passe oublié => ecran2Connexion",
    "Passwort - mindestens zwölf Zeichen",
    "Passwort - siehe Tresor",
    "Das Passwort - wie immer - steht im Tresor.",
    "la clave -> el valor del mapa",
    "clave → valor",
    "mdp -> voir le coffre",
    "the arrow keys -> move between fields",
    "token -> next token of the stream",
    "secret -> mounted at /run/secrets",
    "API key -> rotate every 90 days",
    "login: admin -> dashboard",
    "login as a user -> land on /home",
    "credentials -> environment variables",
    "User -> Order -> Invoice2",
    "map(password => hash(password))",
    "const check = (password) => password.length > 8",
    "passwords.forEach(password => validate(password))",
    "password: String -> Boolean",
    "fn verify(password: &str) -> Result<bool>",
    "def check(password: str) -> bool:",
    "git mv password.md -> passphrase.md",
    "step 1: password → step 2: second factor",
    "état: mot de passe → confirmé",
    "状態: 密码 → 已更新",
)


def _clean() -> list[str]:
    return [*(tail.format(name) for name in _CLEAN_NAMES for tail in _TAILS), *_CLEAN]


def _missed(text: str) -> bool:
    (secret,) = re.findall("⟦(.*?)⟧", text)
    return secret in redact(re.sub("[⟦⟧]", "", text))[0]


def test_passwords_behind_arrows_are_removed_in_every_language() -> None:
    every = _secrets()
    missed = [one for one in every if _missed(one)]
    print(f"\narrows n={len(every)} missed={len(missed)} {missed}")
    assert len(every) >= 600
    assert not missed


def test_sentences_with_arrows_and_without_a_password_stay() -> None:
    lines = _clean()
    harmed = [one for one in lines if redact(one)[0] != one]
    print(f"\nclean n={len(lines)} harmed={len(harmed)} {harmed}")
    assert len(lines) >= 200
    assert not harmed


def test_a_missing_arrow_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeded bug: no sentence announces a secret."""
    monkeypatch.setattr(scanning, "_ANCHORS", {})
    with pytest.raises(AssertionError):
        test_passwords_behind_arrows_are_removed_in_every_language()
