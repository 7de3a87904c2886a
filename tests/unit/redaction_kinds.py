"""More kinds of planted secrets: of services, of commands, of people, in other spellings.

As in `redaction_corpus`, what a secret looks like is written down here a second time.
"""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable
from functools import partial

from unit.redaction_newer_kinds import NEWER

ALNUM = string.ascii_letters + string.digits
DIGITS = string.digits
HEX = "0123456789abcdef"
URL64 = ALNUM + "-_"
Form = tuple[str | tuple[str, int], ...]


def _pick(rng: random.Random, letters: str, n: int) -> str:
    return "".join(rng.choices(letters, k=n))


_UUID: Form = ((HEX, 8), "-", (HEX, 4), "-", (HEX, 4), "-", (HEX, 4), "-", (HEX, 12))
#: Tokens of services, known wherever they stand.
FORMS: dict[str, Form] = {
    **NEWER,
    "tailscale": ("tskey-auth-k", (ALNUM, 11), "CNTRL-", (ALNUM, 32)),
    "replicate": ("r8_", (ALNUM, 37)),
    "cursor admin": ("key_", (HEX, 64)),
    "jina": ("jina_", (HEX, 32), (ALNUM, 28)),
    "deno": ("ddp_", (ALNUM, 36)),
    "infisical": ("st.", (HEX, 24), ".", (HEX, 32), ".", (HEX, 32)),
    "bitwarden": ("0.", *_UUID, ".", (ALNUM, 30), ":", (ALNUM + "+/", 22), "=="),
    "xai": ("xai-", (ALNUM, 80)),
    "perplexity": ("pplx-", (ALNUM, 48)),
    "langsmith": ("lsv2_pt_", (HEX, 32), "_", (HEX, 10)),
    "pinecone": ("pcsk_", (ALNUM, 6), "_", (ALNUM, 63)),
    "tavily": ("tvly-", (ALNUM, 32)),
    "dynatrace": ("dt0c01.", (string.ascii_uppercase, 24), ".", (string.ascii_uppercase, 64)),
    "fly": ("fm2_", (ALNUM, 120)),
    "1password": ("ops_eyJ", (ALNUM, 250)),
    "openshift": ("sha256~", (URL64, 43)),
    "buildkite": ("bkua_", (HEX, 40)),
    "circleci": ("CCIPAT_", (ALNUM, 22), "_", (HEX, 40)),
    "contentful": ("CFPAT-", (URL64, 43)),
    "netlify": ("nfp_", (ALNUM, 36)),
    "sourcegraph": ("sgp_", (HEX, 40)),
    "typeform": ("tfp_", (ALNUM, 44)),
    "cargo": ("cio", (ALNUM, 32)),
    "vercel": ("vcp_", (ALNUM, 56)),
    "vercel-blob": ("vercel_blob_rw_", (ALNUM, 16), "_", (ALNUM, 30)),
    "resend": ("re_", (ALNUM, 8), "_", (ALNUM, 24)),
    "asana": ("2/", (DIGITS, 16), "/", (DIGITS, 16), ":", (HEX, 32)),
    "clickup": ("pk_", (DIGITS, 8), "_", (string.ascii_uppercase + DIGITS, 32)),
    "neon": ("napi_", (string.ascii_lowercase + DIGITS, 64)),
    "render": ("rnd_", (ALNUM, 28)),
    "e2b": ("e2b_", (HEX, 40)),
    "nvidia": ("nvapi-", (URL64, 64)),
    "firecrawl": ("fc-", (HEX, 32)),
    "sonar": ("sqp_", (HEX, 40)),
    "jfrog": ("cmVmdGtuOjAx", (ALNUM, 52)),
    "launchdarkly": ("sdk-", *_UUID),
    "braintree": ("access_token$production$", (ALNUM, 16), "$", (HEX, 32)),
    "azure-devops": ((ALNUM, 76), "AZDO", (ALNUM, 4)),
    "heroku-token": ("HRKU-", *_UUID),
    "hubspot": ("pat-na1-", *_UUID),
    "flutterwave": ("FLWSECK_TEST-", (HEX, 32), "-X"),
    "easypost": ("EZAK", (ALNUM, 54)),
    "duffel": ("duffel_live_", (URL64, 43)),
    "frameio": ("fio-u-", (URL64, 64)),
    "infracost": ("ico-", (ALNUM, 32)),
    "adobe": ("p8e-", (HEX, 32)),
    "shippo": ("shippo_live_", (HEX, 40)),
    "readme": ("rdme_", (string.ascii_lowercase + DIGITS, 70)),
    "scalingo": ("tk-us-", (URL64, 48)),
    "adafruit": ("aio_", (ALNUM, 28)),
    "plaid": ("access-production-", *_UUID),
    "artifactory": ("AKCp", (ALNUM, 69)),
    "alibaba": ("LTAI", (ALNUM, 20)),
}

_SYLLABLES = ("ba", "ri", "mon", "te", "lu", "ska", "dor", "fen", "pi", "gol", "ner", "va")


def letters(rng: random.Random) -> str:
    """A password of letters alone, as people make them."""
    return "".join(rng.choices(_SYLLABLES, k=rng.randrange(5, 8)))


def human(rng: random.Random) -> str:
    """A password with a word, a number and sometimes a sign."""
    word = "".join(rng.choices(_SYLLABLES, k=3)).capitalize()
    return f"{word}{rng.randrange(1000, 999_999)}{rng.choice(('', '!', '#', '$'))}"


def _either(rng: random.Random) -> str:
    return rng.choice((letters, human))(rng)


def card(rng: random.Random, first: str, length: int, groups: tuple[int, ...]) -> str:
    """A number whose check digit is right, at once or in the groups that stand on the card."""
    digits = first + _pick(rng, DIGITS, length - len(first) - 1)
    total = 0
    for i, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 - i % 2)
        total += value - 9 * (value > 9)
    digits += str(-total % 10)
    sign = rng.choice(("", " ", "-"))
    parts, at = [], 0
    for group in groups:
        parts.append(digits[at : at + group])
        at += group
    return sign.join(parts)


_FOUR, _AMEX = (4, 4, 4, 4), (4, 6, 5)
_CARDS = {
    "visa": partial(card, first="4", length=16, groups=_FOUR),
    "mastercard": partial(card, first="53", length=16, groups=_FOUR),
    "mastercard-2": partial(card, first="2455", length=16, groups=_FOUR),
    "american-express": partial(card, first="37", length=15, groups=_AMEX),
    "discover": partial(card, first="6011", length=16, groups=_FOUR),
}
#: Some words of BIP-39, in no order; a phrase need not have a right checksum to be one.
_SEEDS = (  # noqa: SIM905
    "ocean zebra lunar drift canyon mirror tuna velvet orbit panda gravity lemon nephew quantum rival "
    "sketch tobacco uncle vivid walnut yard acid bamboo cactus donkey elbow fiber giraffe hockey icon"
).split()


def _seed(rng: random.Random, count: int) -> str:
    return rng.choice((" ", "\n", ", ")).join(rng.sample(_SEEDS, count))


def _b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _token(rng: random.Random) -> str:
    return rng.choice(("ghp_" + _pick(rng, ALNUM, 36), "sk-ant-api03-" + _pick(rng, URL64, 93)))


def _wide(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) for c in text)


def _broken(rng: random.Random, text: str) -> str:
    """`text` with a character that nobody sees somewhere in it."""
    at = rng.randrange(3, len(text) - 3)
    return text[:at] + rng.choice("\u200b\u200c\u200d\u2060\ufeff\u00ad") + text[at:]


#: What is told by what stands around it: a maker of the secret, and carriers.
AROUND: dict[str, tuple[Callable[[random.Random], str], tuple[str, ...]]] = {
    "sshpass": (
        _either,
        ("sshpass -p {s} ssh me@host", "sshpass -p'{s}' scp a b:", 'x && sshpass -p "{s}" ssh h'),
    ),
    "mysql-option": (
        _either,
        (
            "mysql -u root -p{s} shop",
            "mysqldump -h db -uapp -p'{s}' shop > a.sql",
            "docker exec db mysqladmin -uroot -p{s} status",
        ),
    ),
    "curl-user": (
        _either,
        (
            "curl -u admin:{s} https://x.example.org",
            "curl -sf --user 'me:{s}' https://x/y",
            "curl https://x.example.org -u me:{s}",
        ),
    ),
    "redis-option": (_either, ("redis-cli -h cache -a {s} ping", "redis-cli --pass {s} INFO")),
    "docker-login": (
        _either,
        ("docker login -u me -p {s} registry.example.org", "docker login -p '{s}' -u me"),
    ),
    "openssl-option": (
        _either,
        ("openssl rsa -in k.pem -passin pass:{s} -out o", "openssl pkcs12 -passout 'pass:{s}'"),
    ),
    "samba-option": (
        _either,
        ("smbclient //nas/share -U me%{s} -c ls", "smbclient -U 'dom/me%{s}' //a/b"),
    ),
    "zip-option": (_either, ("zip -r -P {s} out.zip src", "7z a -p{s} out.7z src")),
    "putty-option": (_either, ("plink -ssh me@host -pw {s} ls", "pscp -pw '{s}' a me@host:")),
    "keytool-option": (
        _either,
        ("keytool -list -keystore k.jks -storepass {s}", "jarsigner -storepass '{s}' a.jar me"),
    ),
    "mongo-option": (
        _either,
        ("mongosh db -u me -p {s}", "mongodump --username me --password '{s}'"),
    ),
    "fed-through-a-pipe": (
        _either,
        (
            "echo {s} | sudo -S apt update",
            "printf '%s' \"{s}\" | docker login -u me --password-stdin",
            "echo '{s}' | sudo passwd --stdin bob",
            "sudo -S ls <<< {s}",
            "echo -n {s} | cryptsetup open /dev/sda1 x -",
            "x && echo {s} | kinit me@REALM",
        ),
    ),
    "fed-with-its-user": (
        _either,
        ("echo 'bob:{s}' | chpasswd", 'echo "bob:{s}" | sudo chpasswd'),
    ),
    "given-by-its-place": (
        _either,
        (
            "htpasswd -bc .htpasswd bob {s}",
            "net user bob {s} /add",
            "rabbitmqctl add_user bob {s}",
            "sudo rabbitmqctl change_password bob '{s}'",
            "wpa_passphrase HomeNet {s}",
            "nmcli dev wifi connect net password {s}",
            "mc alias set store http://h:9000 someuser {s}",
            "vault login {s}",
            "wandb login {s}",
            "snyk auth {s}",
            "rclone obscure {s}",
            "requirepass {s}",
            "redis-cli CONFIG SET requirepass {s}",
            "setenv DB_PASSWORD {s}",
            "set -gx DB_PASSWORD {s}",
            "ConvertTo-SecureString '{s}' -AsPlainText -Force",
        ),
    ),
    "given-in-sql": (
        human,
        (
            "CREATE USER bob IDENTIFIED BY '{s}'",
            "alter user bob with password '{s}'",
            "CREATE ROLE app LOGIN PASSWORD '{s}';",
            "mysql -e \"alter user 'x'@'%' identified by '{s}'\"",
        ),
    ),
    "given-in-php": (
        human,
        ("define('DB_PASSWORD', '{s}');", 'define( "AUTH_TOKEN", "{s}" );'),
    ),
    "okta": (lambda rng: "00" + _pick(rng, URL64, 40), ("Authorization: SSWS {s}",)),
    "vault-unseal": (
        lambda rng: _pick(rng, ALNUM + "+/", 43) + "=",
        ("Unseal Key 1: {s}", "unseal key: {s}"),
    ),
    "teams-webhook": (
        lambda rng: _pick(rng, HEX, 32),
        (
            "https://x.webhook.office.com/webhookb2/11111111-2222@33333333-4444/IncomingWebhook/{s}/5",
        ),
    ),
    "wireguard-shared": (
        lambda rng: _pick(rng, ALNUM + "+/", 43) + "=",
        ("[Peer]\nPresharedKey = {s}",),
    ),
    "discord-webhook-of-a-version": (
        lambda rng: _pick(rng, URL64, 68),
        ("curl https://canary.discord.com/api/v10/webhooks/123456789012345678/{s}",),
    ),
    "other-options": (
        human,
        (
            "mssql-cli -S db -U sa -P {s}",
            "svn co --username me --password {s} https://x",
            "skopeo copy --dest-creds me:{s} docker://a docker://b",
            "lftp -u me,{s} sftp://host",
            "twine upload -u __token__ -p {s} dist/*",
            "gh secret set DEPLOY --body {s}",
            "xfreerdp /u:me /p:{s} /v:host",
            "rdesktop -u me -p {s} host",
            "x11vnc -passwd {s}",
            "influx -username me -password {s}",
            "SSHPASS={s} sshpass -e ssh host",
            'psk="{s}"',
        ),
    ),
    "on-more-lines": (
        human,
        ("password: |\n  {s}\nport: 1", "password: >-\n    {s}", 'secret_key = """{s}"""'),
    ),
    "hexadecimal-token": (
        lambda rng: _token(rng).encode().hex(),
        ("x: {s}", "echo {s} | xxd -r -p", '"{s}"'),
    ),
    "environment-letters": (
        letters,
        (
            "DB_PASSWORD={s}",
            "export MYSQL_ROOT_PASSWORD={s}",
            'ADMIN_PASSWORD="{s}"',
            "docker run -e POSTGRES_PASSWORD={s} postgres",
            "REDIS_PASSWORD: {s}",
            "db_password={s}\nport=1",
        ),
    ),
    "url-letters": (
        letters,
        ("https://x.example.org/?password={s}&a=1", "tool --password={s} run"),
    ),
    "encoded-token": (
        lambda rng: _b64(_token(rng)),
        ("x: {s}", "echo {s} | base64 -d", "?data={s}&b=1", "first\\n{s}\\nlast"),
    ),
    "encoded-assignment": (
        lambda rng: _b64(f"PASSWORD={human(rng)}"),
        ("secret.yaml: {s}", "run {s} now", '"v": "{s}"', "\x1b[1m{s}\x1b[0m"),
    ),
    "encoded-file": (
        lambda rng: _b64(f"A=1\nDB_PASSWORD={letters(rng)}\nB=2\n"),
        (".env {s}", "base64 -d <<< {s}", "日本語は{s}です"),
    ),
    "encoded-twice": (lambda rng: _b64(_b64(_token(rng))), ("x: {s}", "({s})")),
    "aws-presigned": (
        lambda rng: _pick(rng, HEX, 64),
        (
            "https://b.s3.amazonaws.com/k?X-Amz-Date=20260101T0Z&X-Amz-Signature={s}",
            "X-Amz-Signature={s}&X-Amz-SignedHeaders=host",
            "a\\u0026X-Amz-Signature={s}",
        ),
    ),
    "google-presigned": (
        lambda rng: _pick(rng, HEX, 512),
        ("https://storage.googleapis.com/b/o?X-Goog-Signature={s}",),
    ),
    "cloudfront-presigned": (
        lambda rng: _pick(rng, URL64 + "~", 342),
        ("https://d1.cloudfront.net/a?Expires=1&Signature={s}&Key-Pair-Id=K2",),
    ),
    "alibaba-presigned": (
        lambda rng: _pick(rng, HEX, 64),
        ("https://b.oss.aliyuncs.com/o?x-oss-signature={s}&x-oss-date=1",),
    ),
    "seed-12": (
        lambda rng: _seed(rng, 12),
        ("the wallet: {s}", 'SEED="{s}"', "{s}", "words\\n{s}\\nend"),
    ),
    "seed-24": (lambda rng: _seed(rng, 24), ("wallet: {s}.", "mnemonic = '{s}'")),
    "full-width-password": (
        lambda rng: _wide(human(rng)),
        (_wide("password=") + "{s}", "パスワード\uff1a{s}", "password: {s}"),
    ),
    "full-width-token": (lambda rng: _wide("ghp_" + _pick(rng, ALNUM, 36)), ("token {s}", "{s}")),
    "zero-width-token": (
        lambda rng: _broken(rng, "ghp_" + _pick(rng, ALNUM, 36)),
        ("the key {s}", "a={s}", "({s})"),
    ),
    "zero-width-name": (
        human,
        ("pass\u200bword={s}", "p\u2060assword: {s}", "DB_PASS\ufeffWORD={s}"),
    ),
    **{
        kind: (
            make,
            (
                "card {s} is mine",
                "pay with {s}.",
                '"number": "{s}"',
                "no\\n{s}\\nend",
                "日本の{s}です",
            ),
        )
        for kind, make in _CARDS.items()
    },
    "german": (
        human,
        ("Passwort: {s}", "Das Passwort ist {s}", "DB_PASSWORT={s}", "Mein Kennwort lautet {s}"),
    ),
    "french": (human, ("mot de passe : {s}", "le mot de passe est {s}", "mdp={s}")),
    "spanish": (human, ("contraseña: {s}", "la contraseña es {s}", "clave={s}")),
    "portuguese": (human, ("senha: {s}", "a senha é {s}", "DB_SENHA={s}")),
    "italian": (
        human,
        ("parola d'ordine: no, parola: {s}", "la password è {s}", "la parola è {s}"),
    ),
    "dutch": (human, ("wachtwoord: {s}", "het wachtwoord is {s}")),
    "polish": (human, ("hasło: {s}", "hasło to {s}", "haslo={s}")),
    "czech": (human, ("heslo: {s}", "heslo je {s}")),
    "swedish": (human, ("lösenord: {s}", "mitt lösenord är {s}")),
    "turkish": (human, ("şifre: {s}", "Şifre: {s}", "sifre={s}")),
    "russian": (human, ("пароль: {s}", "Пароль — {s}", "пароль это {s}")),
    "chinese": (human, ("密码\uff1a{s}", "密码是{s}", "口令: {s}")),
    "japanese": (human, ("パスワード: {s}", "パスワードは {s} です", "パスワードは「{s}」")),
    "korean": (human, ("비밀번호: {s}", "비밀번호는 {s}", "암호={s}")),
    "hindi": (human, ("पासवर्ड: {s}", "पासवर्ड है {s}")),
}


def drawn(form: Form, rng: random.Random) -> str:
    """A token of a form."""
    return "".join(part if isinstance(part, str) else _pick(rng, *part) for part in form)
