"""The table of secrets that are known by what stands around them.

A row of CONTEXTS is (kind, anchors, expression, group, rule): the anchors are lower case and name
what stands near the secret; the secret is one group of the match. The rule says what the group
must look like: "any" (its form is enough), "real" (no placeholder), "random" (as keys are), "made"
(as people make passwords: more than a word, so that a sentence about one stays), "given" (no
placeholder, and no word that says how a password stands: `missing`, `required`).

So that no input can make matching slow, an expression has no unbounded part before a part that
must follow. Rows are ordered: where two overlap, the earlier names the kind.
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
#: A value in a sentence: it may stand in quotes, and no full stop is a part of it.
_TOLD = r"\\?[\"'`]?([^\s\"'`,;<>()\[\]{}|\\]{5,63}[^\s\"'`,;<>()\[\]{}|\\.:?])"
_NAMED = r"(?:password|passwd|passphrase|passcode|passwort|kennwort|(?<![a-z0-9])pwd?)"
_NAMES = ("password", "passwd", "passphrase", "passcode", "passwort", "kennwort", "pw ", "pwd ")
_IS_NOW = (
    r"(?: (?:is|was|has been|will be|gets?|now|ist|war|lautet|hei(?:ss|\u00df)t)| ?(?:->|\u2192))"
    r"(?: (?:now|currently|still|temporarily|again|set|changed|reset|rotated|updated|jetzt)){0,3}"
)
_CHANGE = r"(?:re)?(?:set|setting|changed?|changing|rotated?|updated?)"
_LOGIN = r"(?:log ?in|sign ?in|credentials|creds|zugangsdaten)"
_USER = r"[\"'`]?[\w.@+-]{1,60}[\"'`]?"
_OF_WHAT = r"(?: (?:for|of|on|at|f(?:\u00fc|ue)r|vo[nm]|auf|bei|zu[mr]?)(?: [\w.@'-]{1,30}){1,5})?"
#: What follows the name of a key that is told: a sentence about keys costs nothing else.
_OF_KEYS = ("is", "now", "for", "of", "on")
#: Between two words of a file that stands in a text of its own, so that `\n` may be two signs.
_GAP = r"(?:\s|\\[nt]){1,8}"
_URL_LOGIN = r"://[^\s/@:\"'<>`]{0,128}:([^\s/\"'<>`]{1,256})@[\w\[$<{-]"

CONTEXTS: tuple[tuple[str, tuple[str, ...], str, int, str], ...] = (
    (
        "aws-secret-key",
        ("secret_access_key", "secretaccesskey", "secret-access-key", "aws_secret", "aws_session"),
        r"[\w-]{7,40}[\s\"'\\:=,>]{1,10}([A-Za-z0-9/+]{40,}={0,2})",
        1,
        "any",
    ),
    ("azure-storage-key", ("accountkey=",), r"accountkey=([A-Za-z0-9+/]{40,}={0,2})", 1, "any"),
    (
        "azure-access-key",
        ("sharedaccesskey=",),
        r"sharedaccesskey=([A-Za-z0-9+/]{30,}={0,2})",
        1,
        "any",
    ),
    ("azure-sas", ("?sig=", "&sig="), r"[?&]sig=([A-Za-z0-9%+/=_-]{30,})", 1, "any"),
    (
        # AWS, Google, Alibaba, Tencent, Oracle: whoever has the address may do what it signs.
        "presigned-url",
        ("-signature=", "_signature="),
        r"[-_]signature=([A-Za-z0-9%+/=_~-]{16,})",
        1,
        "real",
    ),
    (
        # CloudFront and the older form of S3 and Google.
        "presigned-url",
        ("?signature=", "&signature=", ";signature=", "u0026signature="),
        r"(?:[?&;]|u0026)signature=([A-Za-z0-9%+/=_~-]{16,})",
        1,
        "real",
    ),
    (
        "presigned-url",
        (";sig=", "u0026sig="),
        r"(?:;|u0026)sig=([A-Za-z0-9%+/=_-]{16,})",
        1,
        "random",
    ),
    ("okta-token", ("ssws ",), r"(?i:ssws) {1,3}([\w-]{30,128})", 1, "random"),
    (
        "vault-unseal-key",
        ("unseal key",),
        r"(?i:unseal key)(?: \d{1,2})?: {0,4}([A-Za-z0-9+/]{43,44}=?)",
        1,
        "random",
    ),
    (
        "teams-webhook",
        (".webhook.office.com/",),
        r"(?i:\.webhook\.office\.com)/[\w@/-]{1,120}/IncomingWebhook/([0-9a-f]{32}[\w/-]{0,80})",
        1,
        "any",
    ),
    (
        "slack-webhook",
        ("hooks.slack.com/",),
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/-]{20,})",
        1,
        "any",
    ),
    (
        "discord-webhook",
        ("discord.com/api/", "discordapp.com/api/"),
        r"discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/(\d{10,25}/[\w-]{30,})",
        1,
        "any",
    ),
    ("heroku-key", ("heroku",), rf"heroku[^\n]{{0,40}}?(?<![0-9a-fA-F])({UUID})", 1, "any"),
    (
        "datadog-key",
        ("datadog", "dd_api_key", "dd-api-key", "dd_app_key", "dd-application-key"),
        r"[^\n]{6,50}?[\s=:\"']([0-9a-f]{40}|[0-9a-f]{32})(?!\w)",
        1,
        "any",
    ),
    (
        "cloudflare-key",
        ("cloudflare", "cf_api", "cf-api", "x-auth-key"),
        r"[\w -]{0,40}(?:key|token|secret)[\s\"'\\:=>]{1,8}([\w-]{37,})",
        1,
        "random",
    ),
    (
        "fastly-key",
        ("fastly",),
        r"fastly[\w -]{0,20}(?:key|token)[\s\"'\\:=>]{1,8}([\w-]{32,})",
        1,
        "random",
    ),
    (
        "gcp-private-key-id",
        ("private_key_id",),
        r"private_key_id[\s\"'\\:=]{1,10}([0-9a-f]{40})(?!\w)",
        1,
        "any",
    ),
    (
        "kubernetes-key",
        ("client-key-data",),
        r"client-key-data[\s\"'\\:=]{1,10}([A-Za-z0-9+/=]{40,})",
        1,
        "any",
    ),
    (
        "authorization-header",
        ("authorization",),
        r"authorization[\s\"'\\:=,]{1,8}(?:b(?:earer|asic|ot)|token|apikey)[\s\\]{1,4}([^\s\"'`,;<>\\]{8,})",
        1,
        "real",
    ),
    ("bearer-token", ("bearer ",), r"bearer\s{1,4}([A-Za-z0-9._~+/-]{16,}={0,2})", 1, "random"),
    (
        "api-key-header",
        ("x-api-key", "x-api-token", "x-auth-token", "ocp-apim-subscription-key", "private-token"),
        r"[\w-]{9,25}[\s\"'\\:=,]{1,8}([^\s\"'`,;<>\\]{12,})",
        1,
        "random",
    ),
    ("database-url", _DATABASES + _MORE_DATABASES, rf"[a-z+]{{4,14}}{_URL_LOGIN}", 1, "real"),
    ("sentry-dsn", ("://",), r"://([0-9a-f]{32}(?::[0-9a-f]{32})?)@[\w.-]{1,80}", 1, "any"),
    ("url-credentials", ("://",), _URL_LOGIN, 1, "real"),
    ("url-credentials", ("://",), r"://([\w-]{20,128})@[\w\[]", 1, "random"),
    (
        "netrc-password",
        ("login ", "login\n", "login\t"),
        rf"login\s{{1,8}}[^\s:=\\]{{1,128}}{_GAP}password\s{{1,8}}([^\s:=\"']\S{{3,}})",
        1,
        "real",
    ),
    (
        # A line of `.netrc` without a user. A machine has a dot in its name, a room has none.
        "netrc-password",
        ("machine ",),
        rf"machine\s{{1,8}}[\w-]{{1,64}}\.[\w.-]{{1,64}}{_GAP}password\s{{1,8}}([^\s:=\"'\\]{{4,}})",
        1,
        "real",
    ),
    (
        # A line of `.pgpass`: host, port, database, user.
        "pgpass-password",
        (":5432:", ":5433:", ":6432:"),
        r":\d{4}:[^\s:]{1,63}:[^\s:]{1,63}:([^\s:\"']{4,64})",
        1,
        "made",
    ),
    (
        # The same where the file is named, before it or behind it: then letters alone count.
        "pgpass-password",
        (":5432:", ":5433:", ":6432:"),
        r":\d{4}:[^\s:]{1,63}:[^\s:]{1,63}:([^\s:\"']{4,64})(?=[\"']? {0,3}>> {0,3}\S{0,80}pgpass)",
        1,
        "real",
    ),
    (
        "pgpass-password",
        (".pgpass\n", ".pgpass\\n", ".pgpass:\n"),
        r"\.pgpass:?(?:\n|\\n)[^\s:]{1,128}:[\d*]{1,5}:[^\s:]{1,63}:[^\s:]{1,63}:([^\s:\"'\\]{4,64})",
        1,
        "real",
    ),
    (
        # `Server=db;Uid=app;Pwd=...`, `host=db user=app password=...`: who asks whom is beside it.
        "connection-string",
        ("server=", "host=", "data source=", "uid=", "user id=", "user="),
        r"[\w ]{3,12}=[^\n,()]{0,200}?[; ](?:pwd|password)\s?=\s?([^\s;,\"'<>()&]{4,64})",
        1,
        "given",
    ),
    (
        "laravel-key",
        ("app_key",),
        r"app_key[\s\"'\\:=]{1,8}base64:([A-Za-z0-9+/]{22,}={0,2})",
        1,
        "any",
    ),
    (
        # The whole of kaggle.json: no other key of this form has a name so short beside it.
        "kaggle-key",
        ("username",),
        r"username[\s\"'\\:]{3,10}[^\"\\]{1,60}[\s\"\\,]{3,10}key[\s\"\\:]{3,10}([0-9a-f]{32})(?!\w)",
        1,
        "any",
    ),
    ("kaggle-key", ("kaggle_key",), r"kaggle_key[\s\"'\\:=]{1,8}([0-9a-f]{32})(?!\w)", 1, "any"),
    (
        # An address within another: `?next=https%3A%2F%2Fme%3A...%40host`.
        "url-credentials",
        ("%3a%2f%2f",),
        r"%3a%2f%2f[\w.~!*+-]{0,64}%3a((?:[\w.~!*+-]|%(?!2f|3f)[0-9a-f]{2}){3,128})%40[\w-]",
        1,
        "real",
    ),
    (
        # What the picture that lets a guest into a network says.
        "wifi-password",
        ("wifi:",),
        r"wifi:(?:[tshre]\w?:(?:\\.|[^\\;\n]){0,64};){0,5}p:((?:\\.|[^\\;\n\"']){4,63})",
        1,
        "real",
    ),
    (
        # "the password for staging is now ...": what follows has to look made, not written.
        "told-password",
        _NAMES,
        rf"{_NAMED}{_OF_WHAT}{_IS_NOW}(?: (?:to|as))?:?\s{{1,2}}{_TOLD}",
        1,
        "made",
    ),
    (
        "told-key",
        tuple(f"{one} {of} " for one in ("api key", "token", "secret") for of in _OF_KEYS),
        rf"(?:api key|token|secret){_OF_WHAT}{_IS_NOW}:?\s{{1,2}}{_TOLD}",
        1,
        "random",
    ),
    (
        # "I set the db password to ...". Without the verb it may be the password to a host.
        "told-password",
        ("set ", "setting ", "change", "changing ", "reset", "rotate", "update"),
        rf"{_CHANGE}(?: [\w.'-]{{1,20}}){{0,4}}? (?:{_NAMED}|pw){_OF_WHAT} (?:to|as) {_TOLD}",
        1,
        "made",
    ),
    (
        "told-password",
        (
            *("with password ", "with the password ", "with passphrase ", "use password "),
            *("using password ", "and password ", ", password ", "/ password ", "with pw "),
        ),
        rf"(?:with|use|using|and|,|/)(?: the)? (?:{_NAMED}|pw):?\s{{1,2}}{_TOLD}",
        1,
        "made",
    ),
    (
        "told-password",
        ("pw ", "pw:", "pw=", "pw`", "pw*"),
        rf"(?<![A-Za-z0-9])pw[`*]{{0,2}}(?: (?:is|was)(?: now)?| now| ?[:=])[ *]{{0,3}}{_TOLD}",
        1,
        "made",
    ),
    (
        # "login with admin / ...": a user, a separator, and a value that is not a word.
        "told-password",
        (
            *("login with", "log in with", "login as", "log in as", "sign in with", "sign in as"),
            *("login: ", "login is ", "login = ", "credentials", "creds ", "creds:"),
            *("login for ", "login of ", "login on ", "login f\u00fcr ", "zugangsdaten"),
        ),
        (
            rf"{_LOGIN}{_OF_WHAT}(?: (?:with|as|is|are|using))?\s?[:=]?\s{{1,3}}{_USER}\s?[/:|]\s?"
            rf"{_TOLD}"
        ),
        1,
        "made",
    ),
    (
        "curl-password",
        ("-u ", "-u'", '-u"', "--user ", "--user="),
        r"(?:-u|--user)[\s=]{0,3}[\"']?[^\s:\"'/]{1,64}:([^\s\"']{4,})",
        1,
        "random",
    ),
)
