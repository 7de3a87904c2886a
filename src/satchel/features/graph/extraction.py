"""Extracts entities and relations from a text without a sidecar. Pure.

No model is asked. Identifiers, known technologies, errors, back-ticked terms and proper names
become entities; causal phrases between them become relations, described by their words.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from satchel.core.values import NamedTuple
from satchel.engine.search.tokens import COMMON, words_of
from satchel.features.graph.values import LONGEST_NAME, Entity, Relation, TextGraph, normal
from satchel.features.graph.vocabulary import (
    ALSO_WORDS,
    HEADS,
    KNOWN,
    LABELS,
    NAMES_A_THING,
    NOISE,
    PAIRS,
    PHRASES,
)

#: Most entities and relations of one text.
MOST_ENTITIES = 16
MOST_RELATIONS = 12
#: How many characters of a text to read.
_MOST_TEXT = 200_000
_LONGEST_TITLE = 60
#: Longest description of a relation, characters.
_LONGEST_SAID = 200
#: How many marks and words to look at on either side of a phrase.
_REACH = 12
_STATED = 0.7
_TOGETHER = 0.4
#: A term in backticks; or a word, with the characters that join identifiers, paths and versions.
_TOKEN = re.compile(
    r"`([^`\n]{2,60})`|[^\W\d][\w]*(?:(?:\.|::|-)[^\W_][\w]*)*(?:\(\))?(?:\+\+|#)?"
    r"|\b[1-5]\d\d\b"
)
_CODE = re.compile(
    r"E[A-Z]{4,}|SIG[A-Z]{3,}|[A-Z]{1,8}-?\d{3,6}|[A-Z]{2,}(?:_[A-Z0-9]+)*_(?:ERR|ERROR)\w*"
)
_ENDS = re.compile(r"[.!?](?:\s|$)|\n")
_FILE = re.compile(r"\w\.(?:py|rs|go|js|ts|tsx|jsx|java|rb|c|h|cpp|sql|sh|md|ya?ml|toml|json|cfg)$")
_HUMP = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
_ERROR_ENDINGS = ("Error", "Exception", "Panic", "Failure")
_WORD = re.compile(r"[^\W_][\w.+#-]*[\w+#]|\w")
_LONGEST_PHRASE = 5
#: Relation types that plain words may be a cause or effect of.
_CAUSES = frozenset({"caused_by", "causes", "triggers"})
_STATUS_BEFORE = ("http", "status", "code", "error")


class _Mark(NamedTuple):
    """A position in the text: an entity (with `key`), or a causal phrase (with `phrase`)."""

    start: int
    end: int
    sentence: int
    key: str = ""
    phrase: str = ""


def phrases_of(text: str) -> list[str]:
    """Return the keys of all runs of up to five words."""
    spans = [match.span() for match in _WORD.finditer(text[:_MOST_TEXT])]
    near = ((at, spans[n : n + _LONGEST_PHRASE]) for n, (at, _) in enumerate(spans))
    runs = (text[start:end] for start, some in near for _, end in some)
    return list(dict.fromkeys(map(normal, runs)))


def extract(
    text: str, *, title: str = "", known: Sequence[str] = (), plain: bool = False
) -> TextGraph:
    """Extract entities and relations from a text, deterministically.

    Args:
        text: prose, Markdown, or code; at most 200,000 characters of it are read.
        title: becomes an entity itself, and the subject of sentences that name none.
        known: names of entities to look for, however they are spelled.
        plain: whether plain words beside a causal phrase are entities, too.
    """
    reading = _Reading(text[:_MOST_TEXT])
    reading.run()
    reading.add_known_names(known)
    subject = reading.add_title(title)
    stated = _stated(reading, subject, plain=plain)
    kept = reading.most_named({end for one in stated for end in one[:2]}, subject)
    names = {key: reading.found[key][0] for key in kept}
    relations: list[Relation] = []
    seen: set[tuple[str, str]] = set()
    for source, target, kind, start, end in stated:
        if source in names and target in names and (source, target) not in seen:
            seen.add((source, target))
            said = " ".join(text[start:end].split())[:_LONGEST_SAID]
            relations.append(Relation(names[source], names[target], kind, _STATED, said))
    relations = relations[:MOST_RELATIONS]
    for one, other in _together(kept, subject, reading):
        if len(relations) >= MOST_RELATIONS:
            break
        if (one, other) not in seen and (other, one) not in seen:
            seen.add((one, other))
            relations.append(Relation(names[one], names[other], "relates_to", _TOGETHER))
    entities = tuple(Entity(names[key], reading.found[key][1]) for key in kept)
    return TextGraph(entities, tuple(relations))


class _Reading:
    """A pass over a text, word by word."""

    __slots__ = ("_proper", "found", "marks", "text", "words")

    def __init__(self, text: str) -> None:
        self.text = text
        #: key -> name, type, times named.
        self.found: dict[str, tuple[str, str, int]] = {}
        self.marks: list[_Mark] = []
        #: Start, end and sentence of every plain word.
        self.words: list[tuple[int, int, int]] = []
        self._proper: list[tuple[int, int, int]] = []

    def run(self) -> None:
        text, sentence, last = self.text, 0, 0
        lows: list[str] = []
        for match in _TOKEN.finditer(text):
            start, end = match.span()
            if start - last > 1 and _ENDS.search(text, last, start):
                sentence += 1
                self._end_name()
            first_word = not self.words or self.words[-1][2] != sentence
            last = end
            ticked = match.group(1)
            if ticked is not None:
                self._end_name()
                self._add_ticked(ticked.strip(), start, end, sentence)
                continue
            word = match.group()
            low = word.lower()
            self.words.append((start, end, sentence))
            lows.append(low)
            if word.isdigit():
                if len(lows) > 1 and lows[-2] in _STATUS_BEFORE and word[0] in "45":
                    self.add(f"HTTP {word}", "error", start, end, sentence)
            elif not self._add_known(word, low, lows, sentence, first=first_word):
                self._add_by_shape(word, low, start, end, sentence, first=first_word)
        self._end_name()
        self._find_phrases(lows)
        self.marks.sort()

    def add(self, name: str, kind: str, start: int, end: int, sentence: int) -> str:
        """Record a named thing; return its key, or "" if it is not a name."""
        key = normal(name) if len(name) <= LONGEST_NAME else ""
        if not key:
            return ""
        known = self.found.get(key)
        if known is None:
            self.found[key] = (name, kind, 1)
        else:
            self.found[key] = (known[0], known[1], known[2] + 1)
        if end:
            self.marks.append(_Mark(start, end, sentence, key))
        return key

    def add_title(self, title: str) -> str:
        """Record the title as a concept, unless it is a full sentence."""
        line = " ".join(title.split())[:_LONGEST_TITLE].strip(" .:;,-")
        return self.add(line, "concept", 0, 0, -1) if len(line) > 1 else ""

    def add_known_names(self, names: Sequence[str]) -> None:
        """Find names of existing entities, longest first."""
        wanted = {key: name for name in names if (key := normal(name)) and len(name) > 2}  # noqa: PLR2004
        if not wanted:
            return
        taken = [(mark.start, mark.end) for mark in self.marks if mark.key]
        for length in range(min(_LONGEST_PHRASE, len(self.words)), 0, -1):
            for at in range(len(self.words) - length + 1):
                start, end = self.words[at][0], self.words[at + length - 1][1]
                name = wanted.get(normal(self.text[start:end]))
                if name and not any(start < last and first < end for first, last in taken):
                    self.add(name, "concept", start, end, self.words[at][2])
                    taken.append((start, end))
        self.marks.sort()

    def most_named(self, needed: set[str], subject: str) -> list[str]:
        """Return the most important keys, in text order."""
        keys = list(self.found)
        if len(keys) <= MOST_ENTITIES:
            return keys
        rank = {key: n for n, key in enumerate(keys)}
        worth = sorted(
            keys, key=lambda k: (k != subject, k not in needed, -self.found[k][2], rank[k])
        )
        return sorted(worth[:MOST_ENTITIES], key=rank.__getitem__)

    def _add_ticked(self, term: str, start: int, end: int, sentence: int) -> None:
        low = term.lower()
        known = KNOWN.get(low)
        if known:
            self.add(*known, start, end, sentence)
        elif low not in NOISE and len(term) > 1 and any(c.isalpha() for c in term):
            self.add(term, _kind_of(term), start, end, sentence)

    def _add_known(
        self, word: str, low: str, lows: list[str], sentence: int, *, first: bool
    ) -> bool:
        if len(lows) > 1 and (lows[-2], low) in PAIRS and self.words[-2][2] == sentence:
            name = PAIRS[lows[-2], low]
            kind = KNOWN.get(name, (name, "concept"))[1]
            self.add(name, kind, self.words[-2][0], self.words[-1][1], sentence)
            return True
        known = KNOWN.get(low)
        # A word that is also plain English is a name only if it is spelled as one.
        if known is None or (low in ALSO_WORDS and (first or not word[0].isupper())):
            return False
        self.add(*known, *self.words[-1])
        self._end_name()
        return True

    def _add_by_shape(
        self, word: str, low: str, start: int, end: int, sentence: int, *, first: bool
    ) -> None:
        if low in NOISE:
            return
        if _is_identifier(word):
            self._end_name()
            self.add(word, _kind_of(word), start, end, sentence)
        elif word[0].isupper() and len(word) > 1 and low not in COMMON:
            gap = self.text[self._proper[-1][1] : start] if self._proper else " "
            if gap not in (" ", "-", " of ", " the ", " of the "):
                self._end_name()
            self._proper.append((start, end, sentence if not first else ~sentence))
        elif low not in ("of", "the"):
            self._end_name()

    def _end_name(self) -> None:
        """End a run of capitalized words: a name if two or more, or not at a sentence start."""
        run, self._proper = self._proper, []
        if LABELS.issuperset(words_of(self.text[run[0][0] : run[-1][1]]) if run else ()):
            return
        if run and (len(run) > 1 or (run[0][2] >= 0 and run[0][1] - run[0][0] > 3)):  # noqa: PLR2004
            start, end, at = run[0][0], run[-1][1], run[0][2]
            self.add(self.text[start:end], "concept", start, end, at if at >= 0 else ~at)

    def _find_phrases(self, lows: list[str]) -> None:
        for at, low in enumerate(lows):
            for rest, phrase in HEADS.get(low, ()):
                if tuple(lows[at + 1 : at + 1 + len(rest)]) == rest:
                    begin, last = self.words[at], self.words[at + len(rest)]
                    if begin[2] == last[2]:
                        self.marks.append(_Mark(begin[0], last[1], begin[2], "", phrase))
                    break


def _stated(
    reading: _Reading, subject: str, *, plain: bool = False
) -> list[tuple[str, str, str, int, int]]:
    """Return relations stated by phrases: source, target, type, position."""
    found = []
    marks = reading.marks
    for at, mark in enumerate(marks):
        if not mark.phrase:
            continue
        before = _nearest(marks, at, -1)
        after = _nearest(marks, at, 1)
        if plain and after is not None and ";" in reading.text[mark.end : after.start]:
            after = None  # another clause
        start = before.start if before else mark.start
        left = before.key if before else subject
        right, end = (after.key, after.end) if after else ("", mark.end)
        far = after is None or after.start > mark.end + 40
        causal = plain and PHRASES[mark.phrase][0] in _CAUSES
        if (mark.phrase in NAMES_A_THING and far) or (causal and not right):
            right, end = _plain_thing(reading, mark)
        if causal and right and not left:
            left, start = _plain_thing_before(reading, mark)
        if left and right and left != right:
            kind, turned = PHRASES[mark.phrase]
            pair = (right, left) if turned else (left, right)
            found.append((*pair, kind, start, end))
    return found


def _nearest(marks: list[_Mark], at: int, step: int) -> _Mark | None:
    """Return the entity before (-1) or after (1) a phrase, in the same sentence."""
    here = marks[at].sentence
    for other in range(at + step, at + step * _REACH, step):
        if not 0 <= other < len(marks) or marks[other].sentence != here:
            return None
        if marks[other].key:
            return marks[other]
    return None


def _plain_thing(reading: _Reading, mark: _Mark) -> tuple[str, int]:
    """Return up to four plain words after a phrase as its object."""
    taken: list[tuple[int, int, int]] = []
    text = reading.text
    first, last = bisect_left(reading.words, (mark.end, 0, 0)), mark.end
    for word in reading.words[first : first + _REACH]:
        between = text[last : word[0]]
        low = text[word[0] : word[1]].lower()
        last = word[1]
        if between.strip() or word[2] != mark.sentence or len(taken) == 4:  # noqa: PLR2004
            break
        if low in COMMON:
            if taken:
                break
            continue
        taken.append(word)
    if not taken:
        return "", mark.end
    start, end = taken[0][0], taken[-1][1]
    return reading.add(text[start:end].lower(), "concept", start, end, mark.sentence), end


def _plain_thing_before(reading: _Reading, mark: _Mark) -> tuple[str, int]:
    """Return up to four plain words before a phrase as its subject."""
    taken: list[tuple[int, int, int]] = []
    last = bisect_left(reading.words, (mark.start, 0, 0))
    for word in reversed(reading.words[max(0, last - _REACH) : last]):
        low = reading.text[word[0] : word[1]].lower()
        if word[2] != mark.sentence or len(taken) == 4:  # noqa: PLR2004
            break
        if low in COMMON:
            if taken:
                break
            continue
        if taken and reading.text[word[1] : taken[0][0]].strip():
            break
        taken.insert(0, word)
    if not taken:
        return "", mark.start
    start, end = taken[0][0], taken[-1][1]
    return reading.add(reading.text[start:end].lower(), "concept", start, end, mark.sentence), start


def _together(kept: list[str], subject: str, reading: _Reading) -> list[tuple[str, str]]:
    """Return weak pairs: the subject with the rest, then errors with nearby technologies."""
    main = subject if subject in kept else (kept[0] if kept else "")
    pairs = [(main, key) for key in kept if key != main][:4]
    kinds = {key: reading.found[key][1] for key in kept}
    errors = [key for key in kept if kinds[key] == "error"]
    technical = [key for key in kept if kinds[key] in ("technology", "tool")]
    pairs += [(error, other) for error in errors for other in technical][:3]
    return pairs + list(pairwise(technical))[:2]


def _is_identifier(word: str) -> bool:
    if len(word) < 3 or word.isdigit():  # noqa: PLR2004
        return False
    if word.endswith("()") or "::" in word or "_" in word.strip("_"):
        return True
    return bool(_CODE.fullmatch(word) or _FILE.search(word) or _HUMP.search(word))


def _kind_of(term: str) -> str:
    """Guess the type of a term by its spelling."""
    bare = term.removesuffix("()")
    if bare.endswith(_ERROR_ENDINGS) or _CODE.fullmatch(bare):
        return "error"
    if term.endswith(")") and "(" in term:
        return "function"
    if _FILE.search(term) or "/" in term:
        return "artifact"
    if bare.isupper() and "_" in bare:
        return "config"
    if " " in term:
        return "tool" if term.split(maxsplit=1)[0].lower() in KNOWN else "concept"
    return "code" if "_" in bare or "." in bare or "::" in bare or _HUMP.search(bare) else "concept"
