"""Tags derived from a memory's own words."""

#: Beads memory's keywords, in its order.
KEYWORDS = tuple(
    """
    swift swiftui appkit menubar api security test database networking ui layout performance
    crash bug fix workaround gotcha pattern convention architecture auth middleware async
    concurrency model protocol adapter scanner engine
    """.split()
)


def detect_tags(kind: str, content: str, also: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the kind, then `also`, then each keyword that `content` has as a whole word.

    Whole words and their plurals only: "requires" says nothing about a "ui".
    """
    text = content.lower()
    words = set("".join(c if c.isalnum() else " " for c in text).split())
    found = (word for word in KEYWORDS if words.intersection(_forms(word)))
    return tuple(dict.fromkeys((kind, *also, *found)))


def _forms(word: str) -> tuple[str, ...]:
    if word.endswith("y"):
        return word, word[:-1] + "ies"
    if word.endswith(("sh", "x")):
        return word, word + "es"
    return word, word + "s"
