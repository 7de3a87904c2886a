"""The table of secrets recognized by their surroundings.

A row of CONTEXTS is (kind, anchors, expression, rule): the anchors are lower case and occur near
the secret; the secret is the first group of the match. The rule says what it must look like:
"any" (its form is enough), "real" (no placeholder), "random" (like a key), "made" (like a password
people make up: more than a word, so that a sentence about one stays), "given" (no placeholder, and
no word for a password's state: `missing`, `required`).

So that no input can make matching slow, an expression has no unbounded part before a required one.
Rows are ordered: where two overlap, the earlier one names the kind.
"""

from satchel.core.redaction.patterns import UUID

_DATABASES = ("postgres://", "postgresql://", "mysql://", "mariadb://", "mongodb://", "redis://")
_MORE_DATABASES = (
    "mongodb+srv://",
    "rediss://",
    "amqp://",
    "amqps://",
    "mssql://",
    "clickhouse://",
)
#: Between two words of a file quoted in another text, where `\n` may be two characters.
_GAP = r"(?:\s|\\[nt]){1,8}"
#: A numeric code, or two or three groups with at least one digit.
_CODE = (
    r"(?:(?=[a-z]{0,11}-?[a-z]{0,6}\d)[0-9a-z]{4,6}-[0-9a-z]{4,6}(?:-[0-9a-z]{4,6})?"
    r"|\d{8}|\d{4} \d{4}|(?=[a-f]{0,9}\d)[0-9a-f]{8,10})(?![\w-])"
)
_URL_LOGIN = r"://[^\s/@:\"'<>`]{0,128}:([^\s/\"'<>`]{1,256})@[\w\[$<{-]"

CONTEXTS: tuple[tuple[str, tuple[str, ...], str, str], ...] = (
    (
        "aws-secret-key",
        ("secret_access_key", "secretaccesskey", "secret-access-key", "aws_secret", "aws_session"),
        r"[\w-]{7,40}[\s\"'\\:=,>]{1,10}([A-Za-z0-9/+]{40,}={0,2})",
        "any",
    ),
    (
        # The program's question, with its current value in brackets.
        "aws-secret-key",
        ("secret access key",),
        r"secret access key(?: \[[^\]\n]{0,24}\])?[\s\"'\\:=,>]{1,10}([A-Za-z0-9/+]{40,}={0,2})",
        "any",
    ),
    (
        # Personal access tokens; where the name means a pattern, no token follows.
        "access-token",
        ("_pat=", "_pat =", "_pat:", "_pat :", '_pat"', "_pat'"),
        r"_pat[\"'\s:=]{1,6}([A-Za-z0-9._-]{24,128})(?![\w%({])",
        "random",
    ),
    (
        # The digits on the back of a payment card.
        "card-code",
        ("cvv", "cvc"),
        r"(?<![a-z])cv[vc]2?(?:[\s:=#\"']{1,4}|[\s:=]{1,2}(?:code|is)[\s:=]{1,2})(\d{3,4})(?![\w.-])",
        "any",
    ),
    ("azure-storage-key", ("accountkey=",), r"accountkey=([A-Za-z0-9+/]{40,}={0,2})", "any"),
    (
        "azure-access-key",
        ("sharedaccesskey=",),
        r"sharedaccesskey=([A-Za-z0-9+/]{30,}={0,2})",
        "any",
    ),
    ("azure-sas", ("?sig=", "&sig="), r"[?&]sig=([A-Za-z0-9%+/=_-]{30,})", "any"),
    (
        # AWS, Google, Alibaba, Tencent, Oracle: anyone with the URL may do what it signs.
        "presigned-url",
        ("-signature=", "_signature="),
        r"[-_]signature=([A-Za-z0-9%+/=_~-]{16,})",
        "real",
    ),
    (
        # CloudFront and the older form of S3 and Google.
        "presigned-url",
        ("?signature=", "&signature=", ";signature=", "u0026signature="),
        r"(?:[?&;]|u0026)signature=([A-Za-z0-9%+/=_~-]{16,})",
        "real",
    ),
    ("presigned-url", (";sig=", "u0026sig="), r"(?:;|u0026)sig=([A-Za-z0-9%+/=_-]{16,})", "random"),
    ("okta-token", ("ssws ",), r"(?i:ssws) {1,3}([\w-]{30,128})", "random"),
    (
        "vault-unseal-key",
        ("unseal key",),
        r"(?i:unseal key)(?: \d{1,2})?: {0,4}([A-Za-z0-9+/]{43,44}=?)",
        "random",
    ),
    (
        "teams-webhook",
        (".webhook.office.com/", "outlook.office.com/webhook"),
        r"(?i:\.webhook\.office\.com|outlook\.office\.com)/webhook\w?\w?/([\w@/-]{30,250})",
        "any",
    ),
    (
        # Anyone with the URL may post to it: Zapier, Make, Google Chat, Mattermost.
        "webhook",
        ("hooks.zapier.com/hooks/", "hook.eu", "hook.us", "hook.integromat.com/"),
        (
            r"(?:hooks\.zapier\.com/hooks/\w{1,20}/\d{1,12}|hook\.(?:[eu][us]\d\.make|integromat)\.com)"
            r"/([A-Za-z0-9]{5,64})"
        ),
        "real",
    ),
    (
        "slack-webhook",
        ("hooks.slack.com/",),
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/-]{20,})",
        "real",
    ),
    (
        "discord-webhook",
        ("discord.com/api/", "discordapp.com/api/"),
        r"discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/(\d{10,25}/[\w-]{30,})",
        "any",
    ),
    ("heroku-key", ("heroku",), rf"heroku[^\n]{{0,40}}?(?<![0-9a-fA-F])({UUID})", "any"),
    (
        "datadog-key",
        ("datadog", "dd_api_key", "dd-api-key", "dd_app_key", "dd-application-key"),
        r"[^\n]{6,50}?[\s=:\"']([0-9a-f]{40}|[0-9a-f]{32})(?!\w)",
        "any",
    ),
    (
        "cloudflare-key",
        ("cloudflare", "cf_api", "cf-api", "x-auth-key"),
        r"[\w -]{0,40}(?:key|token|secret)[\s\"'\\:=>]{1,8}([\w-]{37,})",
        "random",
    ),
    (
        "fastly-key",
        ("fastly",),
        r"fastly[\w -]{0,20}(?:key|token)[\s\"'\\:=>]{1,8}([\w-]{32,})",
        "random",
    ),
    (
        "gcp-private-key-id",
        ("private_key_id",),
        r"private_key_id[\s\"'\\:=]{1,10}([0-9a-f]{40})(?!\w)",
        "any",
    ),
    (
        "kubernetes-key",
        ("client-key-data",),
        r"client-key-data[\s\"'\\:=]{1,10}([A-Za-z0-9+/=]{40,})",
        "any",
    ),
    (
        "authorization-header",
        ("authorization",),
        r"authorization[\s\"'\\:=,]{1,8}(?:b(?:earer|asic|ot)|token|apikey)[\s\\]{1,4}([^\s\"'`,;<>()\\]{8,})(?!\()",
        "real",
    ),
    ("bearer-token", ("bearer ",), r"bearer\s{1,4}([A-Za-z0-9._~+/-]{16,}={0,2})", "random"),
    (
        "api-key-header",
        ("x-api-key", "x-api-token", "x-auth-token", "ocp-apim-subscription-key", "private-token"),
        r"[\w-]{9,25}[\s\"'\\:=,]{1,8}([^\s\"'`,;<>\\(){}\[\]]{12,})",
        "random",
    ),
    ("database-url", _DATABASES + _MORE_DATABASES, rf"[a-z+]{{4,14}}{_URL_LOGIN}", "real"),
    ("sentry-dsn", ("://",), r"://([0-9a-f]{32}(?::[0-9a-f]{32})?)@[\w.-]{1,80}", "any"),
    ("url-credentials", ("://",), _URL_LOGIN, "real"),
    ("url-credentials", ("://",), r"://([\w-]{20,128})@[\w\[]", "random"),
    (
        "netrc-password",
        ("login ", "login\n", "login\t"),
        rf"login\s{{1,8}}[^\s:=\\]{{1,128}}{_GAP}password\s{{1,8}}([^\s:=\"']\S{{3,}})",
        "real",
    ),
    (
        # A line of `.netrc` without a user. A host name has a dot; a room's name does not.
        "netrc-password",
        ("machine ",),
        rf"machine\s{{1,8}}[\w-]{{1,64}}\.[\w.-]{{1,64}}{_GAP}password\s{{1,8}}([^\s:=\"'\\]{{4,}})",
        "real",
    ),
    (
        # A line of `.pgpass`: host, port, database, user.
        "pgpass-password",
        (":5432:", ":5433:", ":6432:"),
        r":\d{4}:[^\s:]{1,63}:[^\s:]{1,63}:([^\s:\"']{4,64})",
        "made",
    ),
    (
        # The same near the file's name: then letters alone count.
        "pgpass-password",
        (":5432:", ":5433:", ":6432:"),
        r":\d{4}:[^\s:]{1,63}:[^\s:]{1,63}:([^\s:\"']{4,64})(?=[\"']? {0,3}>> {0,3}\S{0,80}pgpass)",
        "real",
    ),
    (
        "pgpass-password",
        (".pgpass\n", ".pgpass\\n", ".pgpass:\n"),
        r"\.pgpass:?(?:\n|\\n)[^\s:]{1,128}:[\d*]{1,5}:[^\s:]{1,63}:[^\s:]{1,63}:([^\s:\"'\\]{4,64})",
        "real",
    ),
    (
        # `Server=db;Uid=app;Pwd=...`, `host=db user=app password=...`: the server or user is beside
        # it.
        "connection-string",
        ("server=", "host=", "data source=", "uid=", "user id=", "user="),
        r"[\w ]{3,12}=[^\n,()]{0,200}?[; ](?:pwd|password)\s?=\s?([^\s;,\"'<>()&]{4,64})",
        "given",
    ),
    (
        "laravel-key",
        ("app_key",),
        r"app_key[\s\"'\\:=]{1,8}base64:([A-Za-z0-9+/]{22,}={0,2})",
        "any",
    ),
    (
        # The whole of kaggle.json: no other key of this form has such a short name beside it.
        "kaggle-key",
        ("username",),
        r"username[\s\"'\\:]{3,10}[^\"\\]{1,60}[\s\"\\,]{3,10}key[\s\"\\:]{3,10}([0-9a-f]{32})(?!\w)",
        "any",
    ),
    ("kaggle-key", ("kaggle_key",), r"kaggle_key[\s\"'\\:=]{1,8}([0-9a-f]{32})(?!\w)", "any"),
    (
        # An address within another: `?next=https%3A%2F%2Fme%3A...%40host`.
        "url-credentials",
        ("%3a%2f%2f",),
        r"%3a%2f%2f[\w.~!*+-]{0,64}%3a((?:[\w.~!*+-]|%(?!2f|3f)[0-9a-f]{2}){3,128})%40[\w-]",
        "real",
    ),
    (
        # The text of a QR code for joining a Wi-Fi network.
        "wifi-password",
        ("wifi:",),
        r"wifi:(?:[tshre]\w?:(?:\\.|[^\\;\n]){0,64};){0,5}p:((?:\\.|[^\\;\n\"']){4,63})",
        "real",
    ),
    (
        # wpa_supplicant's settings: a quoted phrase of 8 to 63 characters, spaces included.
        "wifi-password",
        ('psk="', 'psk=\\"'),
        r"psk=\\?\"([^\"\\\n]{8,63})\\?\"",
        "real",
    ),
    (
        # A quoted phrase of several words with a number, which messages about phrases do not have.
        "told-password",
        tuple(f'passphrase{sign}"' for sign in (" is ", ": ", "=", " = ")),
        r"passphrase[a-z:= ]{1,4}\"(?=[^\"\n]{0,62}\d)([^\"\\\n]{8,63})\"",
        "real",
    ),
    (
        "database-url",
        ("jdbc:oracle:",),
        r"jdbc:oracle:\w{2,6}:[^\s/@:\"']{1,64}/([^\s/@\"']{3,128})@",
        "real",
    ),
    (
        # The default of a Terraform variable.
        "terraform-password",
        ('variable "',),
        (
            r"variable \"[\w-]{0,40}(?:password|passwd|secret|token|api_key|access_key)\"\s{0,4}\{"
            r"[^{}]{0,300}?\bdefault\s{0,12}=\s{0,4}\"([^\"$\n]{4,128})\""
        ),
        "given",
    ),
    (
        # What Terraform generated, in its state file: the name says what, its neighbor what for.
        "terraform-password",
        ('random_password"', 'random_password\\"'),
        r"random_password\\?\"[^\x00]{0,600}?\"result\\?\":\s{0,4}\\?\"([^\"\\\n]{4,128})",
        "real",
    ),
    (
        # Calls with positional user and password.
        "login-call",
        (
            *("getconnection(", "new pdo(", "mysqli(", "mysqli_connect(", "auth=(", "auth = ("),
            *("basicauth(", "basic_auth(", "networkcredential(", "passwordcredential"),
        ),
        (
            r"[\w ]{4,40}(?: ?= ?)?\([^\n()]{0,160}?[\"'][^\"'\s]{1,60}\\?[\"'], ?"
            r"\\?[\"']([^\"'\s\\]{4,128})\\?[\"']"
        ),
        "given",
    ),
    ("consul-token", ("secretid",), rf"secretid[\s\"'\\:=]{{1,12}}({UUID})", "any"),
    (
        # A router's configuration: the digit tells how the password is encoded.
        "device-password",
        tuple(f"{word} {form} " for word in ("secret", "password") for form in "0578"),
        r"(?:secret|password) \d (\S{6,64})",
        "made",
    ),
    (
        # A script that waits for the prompt and sends the answer.
        "sent-password",
        ('assword:"', "assword:}", "assword:*"),
        r"assword:[ ?*]{0,3}[\"'}]{0,2}\s{0,8}[;{]?\s{0,8}send(?: --)? \"([^\"$\\\n]{3,64})\\[rn]",
        "real",
    ),
    (
        # A command that prints the password.
        "command-password",
        ("password-command", "passphrase-command", "passcommand", "password_command"),
        r"[\w-]{11,18}[=: ]{1,2}[\"']?echo {1,2}[\"']?([^\s\"'$]{4,128})",
        "real",
    ),
    (
        # Backup codes for a second factor, in a labeled list.
        "recovery-codes",
        tuple(f"{what} code" for what in ("recovery", "backup", "scratch", "emergency")),
        (
            r"[a-z]{6,9} codes?[^\n:]{0,60}[:\n][\s*\u2022-]{0,12}"
            rf"({_CODE}(?:[\s,*\u2022-]{{1,12}}(?:\d{{1,2}}[.)] )?{_CODE}){{0,20}})"
        ),
        "any",
    ),
    (
        "curl-password",
        ("-u ", "-u'", '-u"', "--user ", "--user="),
        r"(?:-u|--user)[\s=]{0,3}[\"']?[^\s:\"'/]{1,64}:([^\s\"']{4,})",
        "random",
    ),
)
