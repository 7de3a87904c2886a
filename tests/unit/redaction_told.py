"""Kinds of planted secrets that people and programs tell: in sentences, settings and commands.

As in `redaction_corpus`, what a secret looks like is written down here a second time.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from urllib.parse import quote

from unit.redaction_kinds import ALNUM, HEX, _b64, _either, _pick, human, letters


def _signed(rng: random.Random) -> str:
    """A password that an address takes only percent-encoded."""
    return quote(f"{human(rng)}@{rng.choice('#%/:')}{_pick(rng, ALNUM, 3)}", safe="")


def _short(rng: random.Random) -> str:
    """A password of words with one digit between, as people make them in a hurry."""
    return f"{letters(rng)}{rng.randrange(10)}{rng.choice(('', 'pass', 'pw'))}"


_SAID = (
    "anvil basket candle dagger ember falcon garnet harbour island jacket kettle lantern marble "
    "needle orchid pebble quarry ribbon saddle thistle umbrella violet walnut yonder zephyr badger "
    "cobalt dragon engine feather glacier hammer insect jungle kernel lemon magnet nectar ocean "
    "pirate rabbit silver tunnel velvet whisper acorn bottle castle donkey eagle forest guitar "
    "horse battery staple correct river anchor seven copper maple tiger window planet sugar"
)
_THINGS = _SAID.split()


def phrase(rng: random.Random) -> str:
    """A pass phrase of four to six words."""
    return " ".join(rng.sample(_THINGS, rng.randrange(4, 7)))


def _plain_letters(rng: random.Random) -> str:
    """Letters alone, as people make them up for a settings file."""
    return "".join(rng.sample([word for word in _THINGS if word != "correct"], 2))


def _in_a_name(rng: random.Random) -> str:
    """A password that may stand in the name of a file."""
    word = rng.choice(_THINGS)
    return f"{word.capitalize()}{rng.randrange(10, 99)}{rng.choice(('', '!', '&', 'x'))}"


#: What is told by what stands around it: a maker of the secret, and carriers.
TOLD: dict[str, tuple[Callable[[random.Random], str], tuple[str, ...]]] = {
    "told-in-a-sentence": (
        human,
        (
            "the password is now {s}",
            "The staging password is now `{s}`, ask Ann",
            "password was changed to {s}",
            "the admin password has been reset to {s} today",
            "I set the password to {s}.",
            "changed the db password to '{s}'",
            "the password for the staging database is {s}",
            "password of the test user is {s}, as before",
            "the new password is {s}",
            "use password {s} for the demo",
            "log in as admin with password {s}",
            "user admin, password {s}",
            "pw for staging is {s}, just so you know",
            "the pwd on prod is {s}",
            "das passwort f\u00fcr staging ist {s}",
            "kennwort vom testuser lautet jetzt {s}",
        ),
    ),
    "told-pass-phrase": (
        phrase,
        (
            "the password is {s}",
            'the wifi password is "{s}"',
            "passphrase: {s}",
            "The passphrase for the backup key is now {s}.",
            "password for staging: {s}",
            'password = "{s}"',
            "the passphrase is `{s}`, keep it safe",
            "das Passwort ist {s}",
            "export PASSPHRASE='{s}'",
        ),
    ),
    "letters-in-settings": (
        _plain_letters,
        (
            "# .env\nTOKEN = {s}\nDEBUG = 1",
            "# .env\nAPI_TOKEN={s}",
            "[db]\nDB_PASSWORD = {s}  # local",
            "export SECRET_KEY = {s}\n",
            "DEBUG = True\nDB_PASSWORD = '{s}'\n",
        ),
    ),
    "name-of-a-file": (
        _in_a_name,
        (
            "unzip backup-pw-{s}.zip",
            "cat notes/password-{s}.txt",
            "wget https://x.example.org/dump_password_{s}.sql",
            "id_rsa_passphrase_{s}.txt",
            "mv creds.txt 'Passwort-{s}.md'",
        ),
    ),
    "told-in-short": (
        human,
        ("pw: {s}", "pw is {s}", "PW = {s}", "root pw: `{s}`", "user: me pw: {s}"),
    ),
    "told-key": (
        lambda rng: _pick(rng, ALNUM, 24),
        (
            "the token for ci is {s}",
            "api key of the sandbox is {s}",
            "the secret for the webhook is now `{s}`",
        ),
    ),
    "told-with-its-user": (
        human,
        (
            "login with admin / {s}",
            "log in with admin/{s}",
            "login: admin / {s}",
            "credentials: admin / {s}",
            "creds are root:{s}",
            "sign in as ann@example.org / {s}",
            "the login is `admin` / `{s}`",
            "login for staging: admin / {s}",
            "zugangsdaten: admin / {s}",
        ),
    ),
    "aws-secret-beside-its-id": (
        lambda rng: "a7Q" + _pick(rng, ALNUM + "+/", 36) + "z",
        (
            "AKIAIOSFODNN7EQAMPLE / {s}",
            "AKIAIOSFODNN7EQAMPLE/{s}",
            "AKIAIOSFODNN7EQAMPLE, {s}",
            "AKIAIOSFODNN7EQAMPLE\n{s}\n",
            "the ci key is AKIAIOSFODNN7EQAMPLE secret {s}",
            "ASIAIOSFODNN7EQAMPLE and its secret: `{s}`.",
            "{s} belongs to AKIAIOSFODNN7EQAMPLE",
            "[redacted:aws-access-key-id] / {s}",
        ),
    ),
    "alibaba-secret-beside-its-id": (
        lambda rng: "a7Q" + _pick(rng, ALNUM, 26) + "z",
        ("LTAI5tAbCdEfGhIjKlMnOpQr / {s}", "LTAI5tAbCdEfGhIjKlMnOpQr secret {s}"),
    ),
    "short-beside-its-user": (
        _short,
        (
            "basic auth is bob:{s}",
            "basic auth for staging: bob:{s}",
            "login is admin / {s}",
            "the staging login is admin/{s}, ask Ann",
            "log in as bob@example.org:{s}",
            "creds: bob:{s}",
            "credentials for the demo are `bob` / `{s}`",
            "user bob password is {s}",
            "user bob with password {s}.",
            "username: bob, password {s}",
        ),
    ),
    "letters-beside-their-user": (
        letters,
        ("creds: bob:{s}", "basic auth is bob:{s}", "credentials are ann:{s}, as ever"),
    ),
    "json-letters": (
        letters,
        (
            '{{"username": "admin", "password": "{s}"}}',
            '{{"host": "db", "user": "app", "password": "{s}", "port": 5432}}',
            '{{"password": "{s}", "login": "ann"}}',
            '{{"db_password": "{s}"}}',
            '{{"smtpPassword":"{s}"}}',
            '{{\\"user\\": \\"root\\", \\"password\\": \\"{s}\\"}}',
        ),
    ),
    "connection-string-letters": (
        letters,
        (
            "Server=db;Database=shop;Uid=app;Pwd={s};",
            "Server=db;Database=shop;User Id=app;Password={s};Encrypt=true",
            "Driver={{ODBC Driver 18 for SQL Server}};Server=db;Uid=sa;Pwd={s}",
            "Data Source=db;User ID=app;Pwd={s}",
            "host=db user=app password={s} dbname=shop",
            "jdbc:sqlserver://db:1433;databaseName=shop;user=sa;password={s};",
        ),
    ),
    "kubectl-literal": (
        _either,
        (
            "kubectl create secret generic db --from-literal=password={s}",
            "kubectl create secret generic db --from-literal=username=app --from-literal=password='{s}'",
            "kubectl -n shop create secret generic db --from-literal DB_PASSWORD={s}",
        ),
    ),
    "helm-set": (
        _either,
        (
            "helm upgrade db bitnami/postgresql --set auth.password={s}",
            "helm install db bitnami/mysql --set auth.rootPassword={s},auth.database=shop",
            "helm install db ./c --set image.tag=1,auth.postgresPassword='{s}'",
            "helm upgrade db ./c --set-string redis.password={s}",
        ),
    ),
    "terraform-var": (
        _either,
        (
            'terraform apply -var "db_password={s}"',
            "terraform plan -var db_password={s}",
            "terraform apply -var='admin_password={s}' -auto-approve",
            "tofu apply -var db_password={s}",
        ),
    ),
    "ansible-variable": (
        _either,
        (
            "ansible-playbook site.yml -e ansible_password={s}",
            'ansible-playbook site.yml --extra-vars "env=prod ansible_become_password={s}"',
            "ansible all -m ping -e 'ansible_ssh_pass={s}'",
        ),
    ),
    "pgpass": (
        human,
        ("localhost:5432:shop:app:{s}", "db.example.org:5432:*:app:{s}", "*:5433:shop:app:{s}"),
    ),
    "pgpass-letters": (
        letters,
        ("echo 'db:5432:shop:app:{s}' >> ~/.pgpass", "cat ~/.pgpass\ndb:5432:shop:app:{s}"),
    ),
    "netrc-file": (
        _either,
        (
            "machine api.example.org login ann password {s}",
            "machine api.example.org\n  login ann\n  password {s}",
            "machine api.example.org login ann@example.org password {s}",
            "machine api.example.org login ann\\npassword {s}",
            "machine api.example.org password {s}",
            "default login anonymous password {s}",
        ),
    ),
    "dockerfile-environment": (
        _either,
        (
            "ENV DB_PASSWORD {s}",
            "FROM x\nENV MYSQL_ROOT_PASSWORD {s}\nRUN y",
            "ENV ADMIN_PWD '{s}'",
        ),
    ),
    "curl-cookie": (
        lambda rng: _pick(rng, ALNUM, 32),
        (
            "curl -b 'session={s}' https://x.example.org",
            "curl --cookie sid={s} https://x.example.org",
            'curl -sL -b "theme=dark; PHPSESSID={s}" https://x',
        ),
    ),
    "sqlplus-login": (
        _either,
        (
            "sqlplus app/{s}@shop",
            "sqlplus -S app/{s}@//db:1521/shop @x.sql",
            "expdp system/{s} schemas=shop",
            "sqlplus 'app/{s}@shop'",
        ),
    ),
    "laravel-key": (
        lambda rng: _b64(_pick(rng, ALNUM, 32)),
        ("APP_KEY=base64:{s}", 'APP_KEY="base64:{s}"', "APP_KEY: base64:{s}"),
    ),
    "kaggle-key": (
        lambda rng: _pick(rng, HEX, 32),
        (
            '{{"username":"ann","key":"{s}"}}',
            '{{"username": "ann", "key": "{s}"}}',
            "KAGGLE_KEY={s}",
            '{{\\"username\\":\\"ann\\",\\"key\\":\\"{s}\\"}}',
        ),
    ),
    "percent-encoded": (
        _signed,
        (
            "https://me:{s}@example.org/x",
            "postgres://app:{s}@db:5432/shop",
        ),
    ),
    "percent-encoded-twice": (
        lambda rng: quote(_signed(rng), safe=""),
        ("?next=https%3A%2F%2Fme%3A{s}%40example.org%2F", "to=ftp%3A%2F%2Fme%3A{s}%40host"),
    ),
    "percent-first": (
        lambda rng: f"%40{human(rng)}",
        ("https://me:{s}@example.org/x", "redis://:{s}@cache:6379/0", "amqp://me:{s}@mq/"),
    ),
    "wifi-code": (
        _either,
        (
            "WIFI:T:WPA;S:Home;P:{s};;",
            "WIFI:S:Home Net;T:WPA;P:{s};H:true;;",
            "wifi:T:WPA2;S:a;P:{s};;",
        ),
    ),
}
