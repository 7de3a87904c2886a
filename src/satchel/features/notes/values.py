"""A note: its fields as in the file, and its body."""

from __future__ import annotations

from satchel.core.errors import BadInputError
from satchel.core.values import Any, NamedTuple

HIGH, MEDIUM, LOW = "HIGH", "MEDIUM", "LOW"
CONFIDENCES = (HIGH, MEDIUM, LOW)
#: A numeric confidence is HIGH from the first on, MEDIUM from the second on.
_HIGH_FROM, _MEDIUM_FROM = 0.8, 0.5
NOTE, EPISODE, DOCUMENT = "note", "episode", "document"


class LearningNote(NamedTuple):
    """A Markdown file with a lesson.

    `fields` is the front matter as written, including fields unknown to this program. `titled` says
    that the title is the file's own and not just its name.
    """

    path: str
    title: str
    fields: dict[str, Any]
    body: str
    titled: bool = True

    @property
    def kind(self) -> str:
        """`episode`, `note`, or `document` if the file claims to be neither."""
        if self.text("type") == EPISODE:
            return EPISODE
        claims = ("category", "key_insight", "symptoms", "root_cause", "learning_type")
        learnt = self.text("type") == "learning" or any(self.fields.get(n) for n in claims)
        return NOTE if learnt else DOCUMENT

    @property
    def id(self) -> str:
        """The file's own id, or one derived from title and body."""
        return self.text("id") or document_id(self.title, self.body)

    @property
    def category(self) -> str:
        """Its sort of knowledge."""
        return self.text("category")

    @property
    def tags(self) -> tuple[str, ...]:
        """Its tags."""
        return texts_of(self.fields.get("tags"), separator=",")

    @property
    def symptoms(self) -> tuple[str, ...]:
        """How the problem showed itself."""
        return texts_of(self.fields.get("symptoms"))

    @property
    def key_insight(self) -> str:
        """The key insight."""
        return self.text("key_insight")

    @property
    def language(self) -> str:
        """The programming language, in lower case."""
        return self.text("language").lower()

    @property
    def confidence(self) -> str:
        """HIGH, MEDIUM or LOW; "" if not given."""
        said = self.text("confidence").upper()
        if said in CONFIDENCES:
            return said
        number = number_of(self.fields.get("confidence_num", self.fields.get("confidence")))
        if number is None:
            return ""
        return HIGH if number >= _HIGH_FROM else MEDIUM if number >= _MEDIUM_FROM else LOW

    def text(self, name: str) -> str:
        """Return a field as one line of text, or ""."""
        return " ".join(texts_of(self.fields.get(name)))


class Problem(NamedTuple):
    """A problem with one field of a file, and what to do."""

    path: str
    field: str
    what: str
    next_step: str

    def error(self) -> BadInputError:
        """Return the problem as an error."""
        where = f"{self.path}: " if self.path else ""
        field = f"`{self.field}` " if self.field else ""
        return BadInputError(f"{where}{field}{self.what}.", hint=self.next_step)


def document_id(title: str, body: str) -> str:
    """Return `slug(title)[:50]-sha256(title + newline + body)[:6]` (the formula of reflect).

    CRLF counts as one newline, so that a checkout on another system changes no id.
    """
    from satchel.core.hashing import digest

    text = f"{title}\n{body}".replace("\r\n", "\n")
    content = digest(text.encode("utf-8", "replace")).hex()
    return f"{slug(title)[:50].strip('-') or 'note'}-{content[:6]}"


def slug(text: str) -> str:
    """Return lower-case letters and digits of ASCII, in words joined by hyphens."""
    kept = "".join(c if c.isascii() and c.isalnum() else " " for c in text.lower())
    return "-".join(kept.split())


def texts_of(value: Any, *, separator: str = "") -> tuple[str, ...]:
    """Return a field as texts: a list's items, or one text, split at `separator` if given."""
    if value is None or value == "":
        return ()
    if isinstance(value, list | tuple):
        return tuple(text for item in value for text in texts_of(item))
    if isinstance(value, dict):
        return tuple(f"{name}: {text}" for name, item in value.items() for text in texts_of(item))
    said = ("true" if value else "false") if isinstance(value, bool) else str(value)
    parts = said.split(separator) if separator else [said]
    return tuple(part.strip() for part in parts if part.strip())


def number_of(value: Any) -> float | None:
    """Return a field as a number from 0 to 1, or None."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if 0 <= number <= 1 else None
