"""Secrets as people type them, in the forms that got through, in other words and languages."""

import pytest

from satchel.core.redaction.redactor import redact, redact_value
from satchel.testing import temporary_workspace

_COLOURS = (
    "\x1b[31mpassword\x1b[0m: «hunter2»",
    "\x1b[31mDB_PASSWORD\x1b[0m=«Zk9qLw27RtbP»",
    "\\e[1;31mDB_PASSWORD\\e[0m=«Zk9qLw27RtbP»",
    'echo -e "\\033[31mpassword\\033[0m: «hunter2»"',
    "pass\x1b[0mword: hun\x1b[1mter2",
    "pass\x01word: «hunter2»",
    "\x1b]0;title\x07token: «Zk9qLw27RtbPq8»",
)
_SPELLINGS = (
    "Password for staging: «Sommer2024!»",
    "Password (staging): «Sommer2024!»",
    "passphrase of the backup = «Sommer2024!»",
    "Passwort (Staging) = «Sommer2024!»",
    "password of the admin user = «Sommer2024!»",
    "export DB_PASSWORD='«hunter two three»'",
    'MYSQL_PWD="«hunter two three»"',
    "export db_password=«sunshine»",
    '$env:DB_PASSWORD = "«sunshine»"',
    "setx DB_PASSWORD «sunshine»",
    "setx /M DB_PASSWORD «sunshine»",
    'dotnet user-secrets set "Db:Password" "«sunshine»"',
    "vault kv put secret/x password=«sunshine»",
    "vault write secret/x password='«hunter two three»'",
    "heroku config:set db_password=«sunshine»",
    "API key for staging: «Zk9qLw27RtbPx81»",
    "token (staging): «Zk9qLw27RtbPx81»",
    "the password's «Sommer2024!»",
    "用 «Zk9qLw27RtbP» 作为密码",
    "the admin password is: «hunter2»",
    "das Passwort ist: «hunter2»",
    "use «Zk9qLw27RtbP» as the password",
    "use «Zk9qLw27RtbP» as the admin password for staging",
    "«Sommer2024!» is the password.",
    "nimm «Zk9qLw27RtbP» als Passwort",
    "utilise «Zk9qLw27RtbP» comme mot de passe",
    "كلمة المرور: «Sayf2024!»",
    "كلمة السر هي «Sayf2024!»",
    "הסיסמה: «Sayf2024!»",
    "adgangskoden er «Zk9qLw27RtbP»",
    "passordet er «Zk9qLw27RtbP»",
    "jelszó: «Sommer2024!»",
    "mật khẩu là «Sommer2024!»",
    "kata sandi adalah «Sommer2024!»",
    "รหัสผ่านคือ «Sommer2024!»",
    "пароля: «Sommer2024!»",
    "lozinka je «Sommer2024!»",
    "κωδικός: «Sommer2024!»",
    "password = «hunter2»",
    "the token: `«Sk9qLw27RtbP()»`",
    "the passphrase is: «purple monkey dances with dishwashers»",
    "passphrase: «clouds above quiet harbor lanterns»",
    "I changed the password from «Sommer2024!» to another one",
    "ENV['API_SECRET'] ||= '«Sommer2024!»'",
    "settings.dbPassword ??= '«Sommer2024!»';",
    'variable "db_password" {\n  type    = string\n  default = "«Sommer2024!»"\n}',
    'expect "password:" { send "«Sommer2024!»\\r" }',
    "| user | password |\n|------|----------|\n| app | «Sommer2024!» |\n",
    "user,password,role\nann,hunter2x9,admin\nbob,«Sommer2024!»,reader",
    "host\tapi key\tsince\ndb1\t«Zk9qLw27RtbP»\t2026",
    "modal: ak-Gx5diFoNPcbdaKwtgHwIoA «as-LtLinxN1Ekia7ZpTjCgeOj»",
    "password = «\uff48\uff55\uff4e\uff54\uff45\uff52\uff12»",
)
_CLEAN = (
    "password is argon2id",
    "the password is: argon2id",
    "passwords are sha256",
    "use KeePass2 as the password manager",
    "SHA256 is the password hash",
    "use bcrypt as the password hash",
    "the password (min 8 chars): required",
    "Password for users: at least 12 characters",
    "set password policy for staging: min12",
    "use config set token limit",
    'PASSWORD_HELP="Your password must be long"',
    'export DB_PASSWORD="$(pass show db)"',
    "setx DB_PASSWORD %DB_PASSWORD%",
    "password = get_password2",
    "password = password2",
    "Password for bob: see 1Password",
    "on parole: 5 years",
    "token for page 3: see the docs",
    "API token for users: v2.0.1",
    "the password's length is at least 12",
    "cached token: `get_token()` may refresh it",
    "password: `getpass.getpass()` asks for it",
    "passphrase: read from the keyring with libsecret",
    "the passphrase is stored above the config in the keychain",
    "the password is never logged with debug",
    "change the password from the settings page to something longer",
    "we moved the password from config2.py to the vault",
    'variable "db_password" { type = string }',
    'variable "password_length" {\n  default = "16 characters"\n}',
    "password ||= ask('Password: ')",
    "| option | password |\n|---|---|\n| default | none |\n| hash | argon2id |",
    "id,name,password_hash,created_at\n1,ann,none,2026-11-30",
    "| token | meaning |\n|---|---|\n| id | since2024 |",
    "f(user, password)\nreturn check(user2, hunter2)",
    "cursor key_4451 and jina_embeddings_v3 of ak-server and as-worker",
    "\x1b[32mok\x1b[0m the password is required",
)


@pytest.mark.parametrize("line", [*_COLOURS, *_SPELLINGS])
def test_a_secret_in_a_plain_spelling_is_removed(line: str) -> None:
    start, _, rest = line.partition("«")
    secret = rest.partition("»")[0] or "ter2"
    cleaned = redact(line.replace("«", "").replace("»", ""))[0]
    assert secret not in cleaned
    assert "[redacted:" in cleaned
    assert not start.isalnum() or start in cleaned


@pytest.mark.parametrize("line", _CLEAN)
def test_a_line_that_tells_none_stays(line: str) -> None:
    assert redact(line) == (line, ())


def test_a_coloured_key_of_a_value_names_a_secret() -> None:
    cleaned, kinds = redact_value({"\x1b[31mdb_password\x1b[0m": "hunter2"})
    assert "hunter2" not in str(cleaned)
    assert kinds == ("password",)


def test_a_ledger_keeps_neither_the_secret_nor_the_colours() -> None:
    with temporary_workspace() as workspace:
        secret = workspace.learn("\x1b[31mpassword\x1b[0m: hunter2")
        rule = workspace.learn("Run \x1b[1mmake lint\x1b[0m before every push.")
    assert secret.content == "password: [redacted:password]"
    assert rule.content == "Run make lint before every push."
