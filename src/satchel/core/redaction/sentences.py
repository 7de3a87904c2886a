"""The table of secrets told in a sentence, in many languages.

Its rows are like those of `satchel.core.redaction.contexts`; since a sentence precedes the secret,
the secret must look made up, not like prose: digits alone are a PIN, and words a pass phrase.
"""

from satchel.core.redaction.values import IS_WORDS, PASSWORD_WORDS

_SHORTEST = 5
_FOREIGN = (
    *("mot de passe", "la password "),
    *(word for word in PASSWORD_WORDS if len(word) >= _SHORTEST and word not in ("passe", "clave")),
)
#: Names of several words: none of them is a name by itself.
_APART = "|".join(word.strip() for word in _FOREIGN if " " in word)
_EASTERN = (
    *("\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u30d1\u30b9\u30ef\u30fc\u30c9"),
    *("\u6697\u8a3c\u756a\u53f7", "\ube44\ubc00\ubc88\ud638", "\uc554\ud638"),
)
#: A value in a sentence: it may be quoted, and a period is never part of it.
_TOLD = r"\\?[\"'`]?([^\s\"'`,;<>()\[\]{}|\\]{5,63}[^\s\"'`,;<>()\[\]{}|\\.:?])"
_NAMED = r"(?:password|passwd|passphrase|passcode|passwort|kennwort|(?<![a-z0-9])pwd?)"
_NAMES = ("password", "passwd", "passphrase", "passcode", "passwort", "kennwort", "pw ", "pwd ")
#: In place of "is": `->`, `=>`, `<-`, `>>`, and the arrows of Unicode, also as emoji.
_ARROW = (
    r"(?:[-=~]{1,3}>{1,2}|<[-=]{1,2}|>>"
    r"|[\u00bb\u2190-\u21ff\u25b6\u25b8\u25ba\u2794-\u27be\u27f5-\u27ff\u2900-\u297f]\ufe0f?)"
)
_IS_NOW = (
    rf"(?:'s| ?{_ARROW}"
    r"| (?:is|was|has been|will be|gets?|got|now|ist|war|lautet|hei(?:ss|\u00df)t))"
    r"(?: (?:now|currently|still|temporarily|again|set|changed|reset|rotated|updated|jetzt)){0,3}"
)
_CHANGE = r"(?:re)?(?:set|setting|changed?|changing|rotated?|updated?)"
_LOGIN = r"(?:log ?in|sign ?in|credentials|creds|zugangsdaten|login-?daten)"
_USER = r"[\"'`]?[\w.@+-]{1,60}[\"'`]?"
_IN_BRACKETS = r"(?: \([^()\n]{1,40}\))?"
_OF_WHAT = r"(?: (?:for|of|on|at|f(?:\u00fc|ue)r|vo[nm]|auf|bei|zu[mr]?)(?: [\w.@'-]{1,30}){1,5})?"
_SIGN = r" ?[:=]"
#: What stands between the name and the value; an arrow needs no space.
_GIVEN = rf"(?:(?:{_IS_NOW}(?: (?:to|as))?:?|{_SIGN})\s{{1,2}}|\s?{_ARROW}\s{{0,2}})"
#: Digits alone: not a year's day, an amount or a length.
_DIGITS = (
    r"[\"'`*]{0,2}(\d{4,8})(?![\w%-]|[.,:]\d"
    r"| ?(?:characters?|chars|bytes?|bits?|times|users?|accounts?|passwords?|entries|requests|lines"
    r"|attempts|of|days?|hours?|minutes?|seconds?|ms|tests?|zeichen|mal)\b)"
)
_CODES = ("door", "gate", "alarm", "unlock", "safe", "lock", "passcode", "access", "entrance")
_BEFORE_FILES = (
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "passwort",
    "kennwort",
    "pwd",
    "pw",
)
_FILES = (
    r"txt|md|log|csv|json|ya?ml|env|ini|conf|sql|bak|zip|7z|rar|tar|t?gz|pdf|docx?|xlsx?|kdbx"
    r"|pem|key"
)
#: Words of a pass phrase, up to where the sentence or the quotation ends.
_WORDS = (
    r"[\"'`]?((?-i:[a-z]){3,12}(?:[ -](?-i:[a-z]){3,12}){3,9})"
    r"(?=[\"'`]|\\|[.!;,)]?(?:[ \t]*(?:\n|\Z))|[.;,)] )"
)
#: Must follow the name of a key; other sentences about keys cost nothing.
_OF_KEYS = ("is ", "now ", "for ", "of ", "on ", "(", "->", "=>", "\u2192", "\u279c")

SENTENCES: tuple[tuple[str, tuple[str, ...], str, str], ...] = (
    (
        # "the password for staging is now ...", "password (staging): ...": the value must look
        # made up, not like prose.
        "told-password",
        _NAMES,
        rf"{_NAMED}{_OF_WHAT}{_IN_BRACKETS}{_GIVEN}{_TOLD}",
        "made",
    ),
    (
        # In the name of a file: `backup-pw-Hunter2!x.zip`.
        "told-password",
        tuple(f"{one}{sign}" for one in _BEFORE_FILES for sign in "-_="),
        rf"(?:{'|'.join(_BEFORE_FILES)})[-_=]([^\s\"'`/\\=_-]{{6,40}}?)\.(?:{_FILES})(?!\w)",
        "made",
    ),
    (
        # "the passphrase is violet anchor seven rivers".
        "told-password",
        _NAMES,
        rf"{_NAMED}{_OF_WHAT}{_IN_BRACKETS}{_GIVEN}{_WORDS}",
        "phrase",
    ),
    (
        # "the password is 4711", "passcode: 4711".
        "told-pin",
        _NAMES,
        (
            rf"{_NAMED}{_OF_WHAT}{_IN_BRACKETS}(?:{_IS_NOW}(?: (?:to|as))?:?|{_SIGN})"
            rf"\s{{0,2}}{_DIGITS}"
        ),
        "digits",
    ),
    (
        # "the PIN of the printer is 4711", "door code 4711".
        "told-pin",
        ("pin ", "pin:", "pin=", "pin-", *(f"{one} code" for one in _CODES)),
        (
            rf"(?<![\w-])(?:pin(?:[ -](?:code|number|nummer))?|(?:{'|'.join(_CODES)})[ -]code)"
            rf"{_OF_WHAT}{_IN_BRACKETS}"
            rf"(?:{_IS_NOW}(?: (?:to|as))?:?| ?:|(?<=(?-i:PIN))=?|(?<=code))"
            rf"\s{{0,2}}{_DIGITS}"
        ),
        "digits",
    ),
    (
        "told-key",
        tuple(f"{one} {of}" for one in ("api key", "token", "secret") for of in _OF_KEYS),
        rf"(?:api key|token|secret){_OF_WHAT}{_IN_BRACKETS}(?:{_IS_NOW}:?|{_SIGN})\s{{1,2}}{_TOLD}",
        "random",
    ),
    (
        # "I set the db password to ...". Without the verb, "password to" may name a host.
        "told-password",
        ("set ", "setting ", "change", "changing ", "reset", "rotate", "update"),
        rf"{_CHANGE}(?: [\w.'-]{{1,20}}){{0,4}}? (?:{_NAMED}|pw){_OF_WHAT} (?:to|as) {_TOLD}",
        "made",
    ),
    (
        # "I changed the password from ... to ...".
        "told-password",
        _NAMES,
        rf"{_NAMED}{_OF_WHAT} from {_TOLD} to ",
        "made",
    ),
    (
        "told-password",
        (
            *("with password ", "with the password ", "with passphrase ", "use password "),
            *("using password ", "and password ", ", password ", "/ password ", "with pw "),
            *(", pw ", "/ pw ", "and pw "),
        ),
        rf"(?:with|use|using|and|,|/)(?: the)? (?:{_NAMED}|pw):?\s{{1,2}}{_TOLD}",
        "made",
    ),
    (
        "told-password",
        ("pw ", "pw:", "pw=", "pw`", "pw*"),
        rf"(?<![A-Za-z0-9])pw[`*]{{0,2}}(?: (?:is|was)(?: now)?| now| ?[:=])[ *]{{0,3}}{_TOLD}",
        "made",
    ),
    (
        # "login with admin / ...": a user, a separator, and a value that is not a word.
        "told-password",
        (
            *("login with", "log in with", "login as", "log in as", "sign in with", "sign in as"),
            *("login: ", "login is ", "login = ", "credentials", "creds ", "creds:"),
            *("login for ", "login of ", "login on ", "login f\u00fcr ", "zugangsdaten"),
            *("login-daten", "logindaten"),
        ),
        (
            rf"{_LOGIN}{_OF_WHAT}(?: (?:with|as|is|are|using))?\s?[:=]?\s{{1,3}}{_USER}\s?"
            rf"(?:[/:|]|{_ARROW})\s?{_TOLD}"
        ),
        "made",
    ),
    (
        # "log in as admin with ...", "meld dich mit admin und ... an".
        "told-password",
        ("log in as ", "login as ", "sign in as ", "meld dich mit ", "melde dich mit "),
        rf"(?:log ?in as|sign in as|melde? dich mit) {_USER} (?:with|using|und) {_TOLD}",
        "made",
    ),
    (
        "told-key",
        ("api key ", "api-key "),
        r"api[ -]key [`\"']?((?=[a-z_-]{0,40}\d)[\w-]{24,})(?![\w./])",
        "random",
    ),
    (
        # "le mot de passe de la base est ...": words between, then `is` in the same language.
        "told-password",
        _FOREIGN,
        (
            rf"(?:{_APART}|(?!{_APART})\S{{3,20}})"
            r"(?:(?: [^\s,;:.()]{1,24}){0,6}?"
            rf"{_IN_BRACKETS}(?: ?:| (?:c'est|to|je|on|=|{'|'.join(IS_WORDS)})"
            rf"(?: (?:maintenant|d\u00e9sormais|ahora|agora|ora|teraz|nyn\u00ed|nu|jetzt|nun|"
            rf"\u0442\u0435\u043f\u0435\u0440\u044c))?:?) {{1,2}}"
            # Before an arrow only "of what": "contrase\u00f1a olvidada -> Login2" names a page.
            r"|(?: [^\s,;:.()\d]{1,4}(?: [^\s,;:.()]{1,24}){1,4}?)?"
            rf"{_IN_BRACKETS} {{0,2}}{_ARROW} {{0,2}}){_TOLD}"
        ),
        "made",
    ),
    (
        # Short words that mean other things as well: only directly before an arrow.
        "told-password",
        ("clave", "mdp", "passe"),
        rf"(?<!\w)(?:clave|mdp|passe) {{0,2}}{_ARROW} {{0,2}}{_TOLD}",
        "made",
    ),
    (
        # Chinese, Japanese and Korean, without spaces: a verb or a particle, then another script.
        "told-password",
        _EASTERN,
        (
            r"[^\x00-\x7f]{2,16}?(?:\u6539\u6210|\u6539\u4e3a|\u6539\u70ba|\u6362\u6210|\u8bbe\u4e3a"
            r"|\u8bbe\u7f6e\u4e3a|\u8a2d\u70ba|\u662f|\u4e3a|\u70ba|\u306f|\u3092|\u304c|\ub294|\uc740|\ub97c"
            rf"| {{0,2}}{_ARROW})"
            r"\u4e86? {0,2}[\"'`\u300c\u300e\u201c]?((?:(?![\"'`,;<>()\[\]{}|\\])[!-~]){6,64})"
        ),
        "made",
    ),
    (
        "told-key",
        ("key for ", "key to ", "key of "),
        rf"key (?:for|to|of)(?: [\w.'-]{{1,30}}){{0,4}}? api(?: is| =|:) {{1,2}}{_TOLD}",
        "random",
    ),
)
