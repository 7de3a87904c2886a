"""Planted secrets for the redaction tests, drawn from a seed.

Formats are written down here a second time, from how services describe their keys, and not
taken from the table under test: a wrong pattern must not agree with a wrong corpus.
"""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from unit.redaction_kinds import AROUND, FORMS, drawn
from unit.redaction_told import TOLD

ALNUM = string.ascii_letters + string.digits
UPPER = string.ascii_uppercase + string.digits
HEX = "0123456789abcdef"
B64 = ALNUM + "+/"
URL64 = ALNUM + "-_"


class Planted(NamedTuple):
    kind: str
    secret: str
    text: str


def pick(rng: random.Random, letters: str, n: int) -> str:
    return "".join(rng.choices(letters, k=n))


def _join(*parts: str | tuple[str, int]) -> Callable[[random.Random], str]:
    return lambda rng: "".join(p if isinstance(p, str) else pick(rng, *p) for p in parts)


def _jwt(rng: random.Random) -> str:
    head = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
    claims = json.dumps({"sub": pick(rng, HEX, 12), "iat": rng.randrange(10**9)})
    body = base64.urlsafe_b64encode(claims.encode()).decode().rstrip("=")
    return f"{head}.{body}.{pick(rng, URL64, 43)}"


def uuid(rng: random.Random) -> str:
    return "-".join(pick(rng, HEX, n) for n in (8, 4, 4, 4, 12))


def _discord(rng: random.Random) -> str:
    number = str(rng.randrange(10**17, 10**18))
    head = base64.b64encode(number.encode()).decode().rstrip("=")
    return f"{head}.{pick(rng, ALNUM, 6)}.{pick(rng, URL64, 38)}"


# Secrets that are known by themselves, wherever they stand.
KNOWN: dict[str, Callable[[random.Random], str]] = {
    "aws-access-key-id": _join("AKIA", (UPPER, 16)),
    "aws-session-key-id": _join("ASIA", (UPPER, 16)),
    "github-classic": _join("ghp_", (ALNUM, 36)),
    "github-oauth": _join("gho_", (ALNUM, 36)),
    "github-user": _join("ghu_", (ALNUM, 36)),
    "github-server": _join("ghs_", (ALNUM, 36)),
    "github-refresh": _join("ghr_", (ALNUM, 76)),
    "github-fine": _join("github_pat_", (ALNUM, 22), "_", (ALNUM, 59)),
    "gitlab-personal": _join("glpat-", (URL64, 20)),
    "gitlab-runner": _join("glrt-", (URL64, 20)),
    "slack-bot": _join("xoxb-", ("0123456789", 12), "-", ("0123456789", 13), "-", (ALNUM, 24)),
    "slack-user": _join("xoxp-", ("0123456789", 12), "-", ("0123456789", 12), "-", (HEX, 32)),
    "slack-app": _join("xapp-1-A", (UPPER, 10), "-", ("0123456789", 13), "-", (HEX, 64)),
    "slack-webhook": _join("T", (UPPER, 10), "/B", (UPPER, 10), "/", (ALNUM, 24)),
    "anthropic": _join("sk-ant-api03-", (URL64, 93), "AA"),
    "openai-classic": _join("sk-", (ALNUM, 20), "T3BlbkFJ", (ALNUM, 20)),
    "openai-project": _join("sk-proj-", (URL64, 74), "T3BlbkFJ", (URL64, 73)),
    "openrouter": _join("sk-or-v1-", (HEX, 64)),
    "google-api": _join("AIza", (URL64, 35)),
    "google-client-secret": _join("GOCSPX-", (URL64, 28)),
    "google-access": _join("ya29.", (URL64, 120)),
    "stripe-live": _join("sk_live_", (ALNUM, 24)),
    "stripe-restricted": _join("rk_live_", (ALNUM, 99)),
    "stripe-webhook": _join("whsec_", (ALNUM, 32)),
    "twilio-key": _join("SK", (HEX, 32)),
    "twilio-account": _join("AC", (HEX, 32)),
    "sendgrid": _join("SG.", (URL64, 22), ".", (URL64, 43)),
    "sendinblue": _join("xkeysib-", (HEX, 64), "-", (ALNUM, 16)),
    "mailgun": _join("key-", (HEX, 32)),
    "mailchimp": _join((HEX, 32), "-us21"),
    "npm": _join("npm_", (ALNUM, 36)),
    "pypi": _join("pypi-AgEIcHlwaS5vcmc", (URL64, 150)),
    "hugging-face": _join("hf_", (string.ascii_letters, 34)),
    "digitalocean": _join("dop_v1_", (HEX, 64)),
    "shopify": _join("shpat_", (HEX, 32)),
    "square-secret": _join("sq0csp-", (URL64, 43)),
    "square-access": _join("EAAA", (URL64, 60)),
    "discord": _discord,
    "telegram": _join(("123456789", 10), ":AA", (URL64, 33)),
    "databricks": _join("dapi", (HEX, 32)),
    "doppler": _join("dp.pt.", (ALNUM, 43)),
    "linear": _join("lin_api_", (ALNUM, 40)),
    "notion": _join("ntn_", (ALNUM, 46)),
    "notion-old": _join("secret_", (ALNUM, 43)),
    "vault": _join("hvs.", (URL64, 90)),
    "terraform": _join((ALNUM, 14), ".atlasv1.", (URL64, 67)),
    "new-relic": _join("NRAK-", (UPPER, 27)),
    "sentry": _join("sntrys_eyJ", (ALNUM, 80), "_", (B64, 43)),
    "grafana-service": _join("glsa_", (ALNUM, 32), "_", (HEX, 8)),
    "grafana-cloud": _join("glc_eyJ", (ALNUM, 80)),
    "atlassian": _join("ATATT3", (URL64, 186)),
    "figma": _join("figd_", (URL64, 40)),
    "planetscale": _join("pscale_tkn_", (URL64, 43)),
    "postman": _join("PMAK-", (HEX, 24), "-", (HEX, 34)),
    "pulumi": _join("pul-", (HEX, 40)),
    "rubygems": _join("rubygems_", (HEX, 48)),
    "supabase": _join("sbp_", (HEX, 40)),
    "groq": _join("gsk_", (ALNUM, 52)),
    "docker": _join("dckr_pat_", (URL64, 27)),
    "airtable": _join("pat", (ALNUM, 14), ".", (HEX, 64)),
    "azure-client": _join((ALNUM, 3), "8Q~", (ALNUM, 34)),
    "age": _join("AGE-SECRET-KEY-1", ("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
    "jwt": _jwt,
    **{kind: partial(drawn, form) for kind, form in FORMS.items()},
    "cloudflare-user-2025": _join("cfut_", (ALNUM, 40), (HEX, 8)),
    "cloudflare-account-2025": _join("cfat_", (ALNUM, 40), (HEX, 8)),
    "cloudflare-origin-ca": _join("v1.0-", (HEX, 24), "-", (HEX, 146)),
    "google-api-key-2025": _join("AQ.Ab8RN6", (URL64, 44)),
    "cerebras": _join("csk-", (HEX, 48)),
    "fireworks": _join("fw_3Z", (ALNUM, 22)),
    "together": _join("tgp_v1_", (URL64, 43)),
    "elevenlabs": _join("sk_", (HEX, 48)),
    "wandb-2025": _join("wandb_v1_", (ALNUM, 77)),
    "cursor": _join("crsr_", (HEX, 64)),
    "inngest": _join("signkey-prod-", (HEX, 64)),
    "depot": _join("depot_project_", (HEX, 64)),
    "prefect": _join("pnu_", (ALNUM, 36)),
    "zuplo": _join("zpka_", (HEX, 32), "_", (HEX, 8)),
    "trello": _join("ATTA", (HEX, 72)),
    "harness": _join("pat.", (ALNUM, 22), ".", (HEX, 24), ".", (ALNUM, 20)),
    "lob": _join("live_", (HEX, 35)),
    "paseto": _join("v4.local.", (URL64, 120)),
    "wallet": _join("xprv9", (ALNUM, 106)),
    "nostr": _join("nsec1", (HEX, 58)),
    "deepl": lambda rng: uuid(rng) + ":fx",
}

CARRIERS = (
    "{s}",
    "the key is {s} and it works on staging",
    "Use {s}.",
    "export THING={s}",
    "curl -H 'X-Thing: {s}' https://api.example.org/v1/items",
    '{{"first": 1, "value": "{s}", "last": true}}',
    '{{\\"value\\": \\"{s}\\"}}',
    "A=1\nTHING={s}\nB=2\n",
    "https://example.org/cb?x={s}&state=1",
    "line one\nline two\n{s}\nline four",
    'client = Client("{s}")',
    "client = Client('{s}', timeout=3)",
    "| row | `{s}` |",
    "thing: {s} # rotate",
    "[2026-01-02 10:11:12] INFO sent {s}, status=200",
    "first\\n{s}\\nthird",
    "\x1b[32m{s}\x1b[0m ok",
    "<td>{s}</td>",
    "({s})",
    "+THING={s}",
    "日本語の鍵は{s}です",
)


def _lines(rng: random.Random, n: int) -> list[str]:
    return [pick(rng, B64, 64) for _ in range(n)] + [pick(rng, B64, 30) + "=="]


def _pem(rng: random.Random, label: str, form: int) -> Planted:
    lines = _lines(rng, rng.randrange(4, 20))
    body = "\n".join(lines)
    whole = f"-----BEGIN {label}-----\n{body}\n-----END {label}-----"
    if form == 1:
        text = json.dumps({"key": whole, "other": 1})
    elif form == 2:
        text = f"cat id\n-----BEGIN {label}-----\n{body}"
    elif form == 3:
        text = f"-----BEGIN {label}-----\n{body[: 64 * 3 + 10]}"
    elif form == 4:
        text = "\n".join(f"{i:>4}\u2192{line}" for i, line in enumerate(whole.split("\n"), 1))
    else:
        text = f"before\n{whole}\nafter"
    kept = lines if form != 3 else body[: 64 * 3 + 10].split("\n")
    return Planted("pem " + label, "\n".join(kept), text)


# Secrets that are known by what stands near them: (alphabet, length, carriers).
NEAR: dict[str, tuple[str, int, tuple[str, ...]]] = {
    "aws-secret": (
        B64,
        40,
        (
            "aws_secret_access_key = {s}",
            "export AWS_SECRET_ACCESS_KEY={s}",
            '"SecretAccessKey": "{s}"',
            "aws configure set aws_secret_access_key {s}",
        ),
    ),
    "azure-storage": (
        B64,
        86,
        (
            "DefaultEndpointsProtocol=https;AccountName=a;AccountKey={s}==;EndpointSuffix=x",
            'conn = "AccountName=acct;AccountKey={s}=="',
        ),
    ),
    "azure-sas": (
        ALNUM,
        43,
        ("https://a.blob.core.windows.net/c?sv=2024&sp=r&sig={s}%3D", "?sig={s}%3D&se=2026"),
    ),
    "heroku": ("uuid", 0, ("HEROKU_API_KEY={s}", "heroku auth token: {s}", '"heroku_key": "{s}"')),
    "datadog": (
        HEX,
        32,
        ("DD_API_KEY={s}", "datadog:\n  api_key: {s}", "DD-API-KEY: {s}", "datadog key {s}"),
    ),
    "cloudflare": (
        URL64,
        40,
        ("CLOUDFLARE_API_TOKEN={s}", "cloudflare_api_token = '{s}'", "CF_API_TOKEN: {s}"),
    ),
    "fastly": (ALNUM, 32, ("FASTLY_API_TOKEN={s}", "Fastly-Key: {s}", 'fastly_key = "{s}"')),
    "bearer": (
        URL64,
        40,
        (
            "Authorization: Bearer {s}",
            "curl -H 'Authorization: Bearer {s}' https://x.example.org",
            '{{"Authorization": "Bearer {s}"}}',
            "headers={{'authorization': 'bearer {s}'}}",
        ),
    ),
    "basic": (B64, 28, ("Authorization: Basic {s}", '"Authorization": "Basic {s}"')),
    "api-key-header": (ALNUM, 32, ("X-Api-Key: {s}", "-H 'x-api-key: {s}'", "PRIVATE-TOKEN: {s}")),
    "url-password": (
        ALNUM,
        16,
        (
            "https://deploy:{s}@git.example.org/repo.git",
            "git clone https://bot:{s}@example.org/x",
            "proxy=http://me:{s}@10.0.0.1:3128",
        ),
    ),
    "database-url": (
        ALNUM + "!*-_",
        18,
        (
            "DATABASE_URL=postgres://app:{s}@db.internal:5432/app",
            "mongodb+srv://root:{s}@cluster0.mongodb.net/?retryWrites=true",
            "redis://:{s}@cache:6379/0",
            'url: "mysql://u:{s}@localhost/db"',
        ),
    ),
    "netrc": (
        ALNUM,
        14,
        ("machine example.org login me password {s}", "machine x\n  login me\n  password {s}\n"),
    ),
    "kubeconfig": (B64, 800, ("    client-key-data: LS0tLS1CRUdJTiBSU0Eg{s}",)),
    "gcp-key-id": (HEX, 40, ('"private_key_id": "{s}",',)),
    "sentry-dsn": (HEX, 32, ("SENTRY_DSN=https://{s}@o12345.ingest.sentry.io/678",)),
    "discord-webhook": (URL64, 68, ("https://discord.com/api/webhooks/123456789012345678/{s}",)),
}


def known_secrets(seed: int, each: int = 50) -> list[Planted]:
    """At least `each` secrets of every known kind, in varied carriers."""
    rng = random.Random(seed)
    out: list[Planted] = []
    for kind, make in KNOWN.items():
        for i in range(each):
            secret = make(rng)
            carrier = CARRIERS[i % len(CARRIERS)]
            if kind == "slack-webhook":
                carrier = carrier.replace("{s}", "https://hooks.slack.com/services/{s}")
            out.append(Planted(kind, secret, carrier.format(s=secret)))
    for kind, (letters, length, carriers) in NEAR.items():
        for i in range(each):
            secret = uuid(rng) if letters == "uuid" else pick(rng, letters, length)
            out.append(Planted(kind, secret, carriers[i % len(carriers)].format(s=secret)))
    for kind, (make, carriers) in {**AROUND, **TOLD}.items():
        for i in range(each):
            secret = make(rng)
            out.append(Planted(kind, secret, carriers[i % len(carriers)].format(s=secret)))
    for label in ("RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY"):
        out += [_pem(rng, label, i % 5) for i in range(each)]
    out += [_pem(rng, "PGP PRIVATE KEY BLOCK", i % 5) for i in range(each)]
    return out


_NAMES = (
    *("password", "DB_PASSWORD", "passwd", "client_secret", "API_KEY", "apiKey", "auth_token"),
    *(
        "accessToken",
        "SECRET_KEY",
        "session_secret",
        "jwt_secret",
        "encryption_key",
        "adminPassword",
    ),
    *(
        "MYSQL_ROOT_PASSWORD",
        "private-key",
        "api-token",
        "webhook_secret",
        "signing_key",
        "passphrase",
    ),
)
_GIVEN = (
    "{n}={s}",
    "export {n}={s}",
    '{n} = "{s}"',
    "{n}: {s}",
    "{n}: '{s}'",
    '{{"{n}": "{s}"}}',
    '{{\\"{n}\\": \\"{s}\\"}}',
    "--{n} {s}",
    "--{n}={s}",
    "https://x.example.org/?{n}={s}&b=1",
    'config["{n}"] = "{s}"',
    "<{n}>{s}</{n}>",
    'const {n}: string = "{s}";',
    "first=1;{n}={s};last=2",
    "- name: {n}\n  value: {s}",
    'connect(host, {n}="{s}")',
    "the {n} is {s} for now",
)
_WORDS = (
    *("sunshine", "Dragon", "winter", "Coffee", "monkey", "Hamburg", "purple", "Tiger", "river"),
    *("Falcon", "banana", "Mercury", "guitar", "Phoenix"),
)


def _human(rng: random.Random) -> str:
    word = rng.choice(_WORDS)
    return rng.choice(
        (
            f"{word}{rng.randrange(10, 9999)}",
            f"{word}{rng.randrange(1990, 2027)}!",
            f"{word}_{rng.choice(_WORDS)}{rng.randrange(100)}#",
            word.replace("o", "0").replace("e", "3").replace("i", "1") + "$7",
        )
    )


_DRAWN: tuple[Callable[[random.Random], str], ...] = (
    lambda rng: pick(rng, ALNUM, rng.randrange(12, 40)),
    lambda rng: pick(rng, HEX, rng.choice((16, 32, 40, 64))),
    lambda rng: pick(rng, B64, rng.choice((24, 32, 43))),
    lambda rng: pick(rng, ALNUM + "!@#%^*-_", rng.randrange(10, 24)),
    lambda rng: pick(rng, string.ascii_letters, rng.randrange(16, 32)),
    uuid,
    _human,
)


def generic_secrets(seed: int, n: int = 1000) -> list[Planted]:
    """`n` secrets of no known form, told only by the name they are given."""
    rng = random.Random(seed)
    out: list[Planted] = []
    for i in range(n):
        secret = _DRAWN[i % len(_DRAWN)](rng)
        text = rng.choice(_GIVEN).format(n=rng.choice(_NAMES), s=secret)
        out.append(Planted("generic", secret, text))
    return out
