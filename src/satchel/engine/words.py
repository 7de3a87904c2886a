"""Words shared by several parts of the engine. Pure, and without patterns: hooks use them."""

#: Abbreviations of developers, and other words for the same: a question may use either.
WRITTEN_SHORT = (
    "admin administrator",
    "app application",
    "args arguments",
    "async asynchronous",
    "auth authentication",
    "cert certificate",
    "config configuration",
    "creds credentials",
    "db database",
    "deps dependencies",
    "dev development",
    "dir directory",
    "docs documentation",
    "env environment",
    "func function",
    "impl implementation",
    "infra infrastructure",
    "js javascript",
    "k8s kubernetes",
    "lib library",
    "mail email",
    "msg message",
    "params parameters",
    "perf performance",
    "pkg package",
    "postgres postgresql",
    "prod production",
    "py python",
    "repo repository",
    "spec specification",
    "ts typescript",
)
#: Every statement that something changed contains one of these.
_CHANGES = frozenset(
    "now back again nowadays since starting moved went gone switched migrated changed raised"
    " lowered bumped increased reduced cut renamed upgraded downgraded anymore instead"
    " longer retired shut replaced swapped".split()
)
#: The same for one number replacing another: "10 (was 5)", "250 not 500".
_CORRECTS = ("it was ", "(was ", "used to", "instead of", "rather than")
_NOT = frozenset(("not", "isn't", "aren't", "isnt", "arent"))
_EDGES = ".,;:!?()\"'`"
#: Follows "next" in a plan; and says that something must happen first: "once ci is green".
_NEXT = frozenset(
    "week month year quarter sprint release version monday tuesday wednesday thursday"
    " friday".split()
)
_CAME_ABOUT = frozenset(("is", "are", "has", "have"))
_REACH = 7


#: Numbers that people spell out. "One" is also a pronoun.
_SPELLED = {
    word: str(n)
    for n, word in enumerate(
        "two three four five six seven eight nine ten eleven twelve".split(), 2
    )
}


def in_figures(text: str) -> str:
    """Return a text with figures for numbers that are spelled out, up to twelve."""
    words = text.split(" ")
    if _SPELLED.keys().isdisjoint(word.lower() for word in words):
        return text
    return " ".join(_SPELLED.get(word.lower(), word) for word in words)


def says_change(text: str) -> bool:
    """Return whether a statement has a word for change."""
    return any(word.strip(_EDGES) in _CHANGES for word in text.lower().split())


def says_correction(text: str) -> bool:
    """Return whether a statement says that something, or a number, has changed."""
    if says_change(text):
        return True
    told = text.lower()
    if not any(map(str.isdigit, told)):
        return False
    return any(one in told for one in _CORRECTS) or _denies_a_figure(told.split())


def says_later(text: str) -> bool:
    """Return whether a statement is a plan, not true yet: "we switch next week"."""
    said = text.lower().split()
    words = [word.strip(_EDGES) for word in said]
    if "soon" in words or any(
        word == "next" and following in _NEXT
        for word, following in zip(words, words[1:], strict=False)  # noqa: RUF007 -- a hot path
    ):
        return True
    once = said.index("once") if "once" in said else len(said)  # not "run it once, it is slow"
    return bool(_CAME_ABOUT.intersection(words[once + 2 : once + _REACH]))


def _denies_a_figure(words: list[str]) -> bool:
    """Return whether a number is next to a "not": "250 not 500", "the limit isn't 250"."""
    return any(
        any(map(str.isdigit, "".join(words[max(0, at - 1) : at + 2])))
        for at, word in enumerate(words)
        if word in _NOT
    )
