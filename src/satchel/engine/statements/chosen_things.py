"""The things that a statement chooses and those that it refuses. Pure.

A thing is a noun phrase with its qualifiers: "npm", "the fake clock", "default arguments". Verbs of
change are not things, so "never add a trailer" and "add a command" have nothing in common; and an
inability ("ruff 0.0.x does not know ...") refuses nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from satchel.core.values import NamedTuple
from satchel.engine.tool_kinds import NAMES

#: Verbs so common in rules that they say nothing about a rule's subject.
VERBS = frozenset(
    "add adds added adding change changes changed changing write writes writing written make"
    " makes made making put puts keep keeps kept run runs running ran create creates created"
    " creating use uses used using do does did done get gets set sets have has had let lets go"
    " goes going take takes need needs want wants try tries start starts update updates"
    " updated call calls".split()
)
_CHOOSES = frozenset(
    "use uses used using prefer prefers preferred run runs running choose chose chosen pick"
    " decided picked take want wants adopt adopted need needs require requires".split()
)
_NEEDS = frozenset("need needs require requires".split())
_BY = frozenset(("with", "via", "through", "thru", "mit"))
#: "Stored in Redis" and "runs on Jenkins" choose, as "with" does.
_RESTS = frozenset("written stored kept live lives run runs hosted built deployed".split())
_KEEPS = frozenset("keep keeps store stores save saves".split())
_PLACES = frozenset(("in", "on", "at", "with", "via", "through", "under"))
_MOVES = frozenset(
    "move moved moving switch switched switching migrate migrated migrating go going gone"
    " went change changed back".split()
)
_LEAVES = frozenset(
    "avoid avoids without forbid drop dropped dropping ditch ditched abandon abandoned retire"
    " retired".split()
)
_OVER = frozenset(("not", "never", "no", "over", "nicht"))
_REFUSES = frozenset(
    "not never no don't dont cannot can't mustn't shouldn't stop stopped avoid without nie"
    " nicht kein keine".split()
)
#: What something else does not do is a fact about it, not a choice.
_FACTS = frozenset("doesn't isn't aren't didn't wasn't hasn't won't".split())
_AUXILIARY = frozenset("does did is are was were has have had can could will would".split())
_PEOPLE = frozenset(("we", "you", "i", "please", "agents"))
_BETWEEN = frozenset("ever longer really just actually be to".split())
_DETERMINERS = frozenset("a an the our your my any some this these those all of only".split())
_PRONOUNS = frozenset("one ones it them this that these those everything anything".split())
_STOPS = frozenset(
    "because since for in on at by from to with via through when where so as if unless that"
    " which who is are was were be been do does don't doesn't cannot can't not never no over"
    " instead rather than but then while until before after under we you it they i he she here"
    " now anymore any more again too also always everywhere any weil statt erzeugt gemacht gebaut"
    " geschrieben verwendet benutzt genutzt".split()
)
_REASONS = frozenset("because since so as weil".split())
_GONE = frozenset("gone dead history retired".split())
_ALLOWED = frozenset("fine ok okay allowed permitted".split())
#: Nouns that may follow a name without changing what is meant: "a kafka topic".
_KINDS_OF = frozenset(
    "thing topic topics queue queues table tables database db package library".split()
)
_FORMER = frozenset("old previous former legacy".split())
#: Words that name no place.
_NOWHERE = frozenset(
    "here now more anymore again too also always everywhere repo project there longer please"
    " only let's ok okay so actually and or".split()
)
_BREAK, _CODE = ",", "`"
_PLACE_ENDS = frozenset((_BREAK, *_OVER, "instead", "rather", "from", "to"))
_MOST = 4


class Thing(NamedTuple):
    """A thing's words, whether it is a name, and the words for its place."""

    words: tuple[str, ...]
    named: bool
    place: frozenset[str]


class Things(NamedTuple):
    """What a statement chooses, and what it refuses."""

    chosen: tuple[Thing, ...]
    refused: tuple[Thing, ...]


def things_of(text: str) -> Things:
    """Return what a statement chooses and what it refuses."""
    chosen: list[Thing] = []
    refused: list[Thing] = []
    for tokens in sentences(text):
        reading = _Reading(tokens)
        for at in range(len(tokens)):
            kind, begins = reading.stance(at)
            if kind:
                found = reading.things(begins, at, chosen=kind > 0)
                (chosen if kind > 0 else refused).extend(found)
    return Things(tuple(chosen), tuple(refused))


def turned(one: Things, other: Things) -> str:
    """Return what one chooses and the other refuses, or ""."""
    for refusing, choosing in ((one, other), (other, one)):
        for refused in refusing.refused:
            if any(_same(refused, chosen) for chosen in choosing.chosen):
                return " ".join(refused.words)
    return ""


def _same(refused: Thing, chosen: Thing) -> bool:
    """Return whether the refused thing is the chosen one, in the same place."""
    if refused.place and not _within(refused.place, chosen.place):
        return False
    mine, theirs = map(_plain, refused.words), map(_plain, chosen.words)
    one, other = frozenset(mine), frozenset(theirs)
    # "npm workspaces" means "npm"; "default arguments" does not mean "arguments".
    by_kind = chosen.named and len(other) == 1 and one - _KINDS_OF == other
    return one == other or by_kind or (refused.named and len(one) == 1 and one < other)


def _within(place: frozenset[str], other: frozenset[str]) -> bool:
    return place <= other or (bool(other) and other <= place)


def _plain(word: str) -> str:
    known = {"postgresql": "postgres"}
    return known.get(word, word[:-1] if len(word) > _MOST and word.endswith("s") else word)


class _Reading:
    """Reads one sentence word by word."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.lowered = [token.lower() for token in tokens]
        self.chose = self.moves = False

    def _word(self, at: int) -> str:
        return self.lowered[at] if 0 <= at < len(self.lowered) else _BREAK

    def stance(self, at: int) -> tuple[int, int]:
        """Return 1 if something is chosen here, -1 if refused, or 0; and where it begins."""
        return self._stated(at) or self._done(at)

    def _done(self, at: int) -> tuple[int, int]:
        """Return the stance on what is used, left, moved to or ranked behind something else."""
        word, after = self._word(at), self._word(at + 1)
        if (word, after) in (("instead", "of"), ("rather", "than")) or self._leaves_place(at):
            return -1, at + 2
        if word in _CHOOSES:
            return self._choice(at)
        if word in _LEAVES:
            return self._left(at)
        if word in _MOVES:
            # "Secrets Manager is gone, billing reads from Vault" leaves nothing but the first.
            over = word in _GONE and self._word(at - 1) in ("is", "are")
            self.moves = not (over or self._negation(at))
        elif self.moves and (word in ("from", "off", "to") or self._goes_with(at)):
            return self._chosen(at + 1) if word in ("to", "with") else (-1, at + 1)
        elif word in _OVER:
            chose = self.chose or self._chose_for(at)
            return (-1 if chose and self._contrasts(at) else 0), at + 1
        elif word in _BY or self._rests(at) or (word == _CODE and self._is_command(at)):
            return (0, at) if self._refused_before(at) else self._chosen(at + 1)
        elif (word, after) == ("it", "is") and at == self._clause_begin(at) + 1:
            return self._chosen(at - 1)
        return 0, at

    def _chose_for(self, at: int) -> bool:
        """Return whether something was chosen before, without a verb: "json for saves, not"."""
        return self._word(at - 1) == _BREAK and "for" in self.lowered[1:_MOST] and at <= 2 * _MOST

    def _stated(self, at: int) -> tuple[int, int] | None:
        """Return the stance of "no X", "X is gone" and "it is X" towards X."""
        word, after = self._word(at), self._word(at + 1)
        if (word, after) == ("no", "more"):
            return -1, at + 2
        if word == "no" and self._word(at - 1) == _BREAK:
            return -1, at + 1
        if word in ("is", "are") and (after in _GONE or self._is_off(at)):
            return -1, self._clause_begin(at)
        if word in ("is", "are") and after in _ALLOWED:
            return self._chosen(self._clause_begin(at))
        if word in ("is", "are") and self._is_named(at):
            return self._chosen(at + 1 + (after == "now"))
        return None

    def _is_off(self, at: int) -> bool:
        """Return whether something is off the table."""
        return tuple(self.lowered[at + 1 : at + 4]) == ("off", "the", "table")

    def _clause_begin(self, at: int) -> int:
        """Return where the clause around a word begins, without "the old"."""
        begin = next((i + 1 for i in range(at - 1, -1, -1) if self._word(i) == _BREAK), 0)
        while self._word(begin) in _DETERMINERS or self._word(begin) in _FORMER:
            begin += 1
        return begin

    def _is_named(self, at: int) -> bool:
        """Return whether a clause ends with a name for its subject: "prod is app-eu"."""
        name = at + 1 + (self._word(at + 1) == "now")
        told = self.tokens[name] if name < len(self.tokens) else ""
        capital = told[:1].isupper() and told[1:].islower()
        return self._word(name + 1) == _BREAK and (capital or (bool(told) and _is_name(told)))

    def _left(self, at: int) -> tuple[int, int]:
        if self._word(at) == "without" and self._refused_before(at):
            return self._chosen(at + 1)  # "never push without make lint" wants make lint
        return (0 if self._negation(at) else -1), at + 1

    def _leaves_place(self, at: int) -> bool:
        """Return whether a place is ruled out: "no longer in X", ", not in X"."""
        before, word, after = (self._word(at + step) for step in (-1, 0, 1))
        ended = (before, word) == ("no", "longer") or (before == _BREAK and word in _OVER)
        return ended and after in _PLACES

    def _goes_with(self, at: int) -> bool:
        return self._word(at) == "with" and self._word(at - 1) in ("go", "going", "went")

    def _rests(self, at: int) -> bool:
        if self._word(at) not in ("in", "on"):
            return False
        # "We keep the pilots in sqlite" has the object in between.
        keeps = not _KEEPS.isdisjoint(self.lowered[max(0, at - _MOST) : at])
        return keeps or self._word(at - 1) in _RESTS

    def _chosen(self, begins: int) -> tuple[int, int]:
        self.chose = True
        return 1, begins

    def _choice(self, at: int) -> tuple[int, int]:
        negation = self._negation(at)
        if not negation:
            self.chose = True
            past = self._word(at - 1) == "to" and self._word(at - 2) == "used"
            return (0 if past else 1), at + 1
        return (0 if negation == "fact" and self._word(at) not in _NEEDS else -1), at + 1

    def _contrasts(self, at: int) -> bool:
        """Return whether a noun follows, as in ", not npm"."""
        if self._word(at) == "over":
            return True
        following = self._word(at + 1)
        return (
            self._word(at - 1) not in _AUXILIARY
            and following not in VERBS
            and following not in _CHOOSES
        )

    def _negation(self, at: int) -> str:
        """Return how a verb is negated: "word", "fact", or ""."""
        at -= 1
        while self._word(at) in _BETWEEN:
            at -= 1
        word, before = self._word(at), self._word(at - 1)
        if word in _FACTS or (word == "not" and before in _AUXILIARY):
            return "fact"
        if word in ("don't", "dont"):
            return "word" if before in _PEOPLE or before in (_BREAK, "and", "so") else "fact"
        if word == "not" and before == "do":
            earlier = self._word(at - 2)
            return "word" if earlier in _PEOPLE or earlier in (_BREAK, "and", "so") else "fact"
        return "word" if word in _REFUSES else ""

    def _refused_before(self, at: int) -> bool:
        for word in reversed(self.lowered[:at]):
            if word == _BREAK:
                return False
            if word in _REFUSES or word in _FACTS:
                return True
        return False

    def _is_command(self, at: int) -> bool:
        """Return whether code of more than one word begins here."""
        if self.lowered[:at].count(_CODE) % 2:
            return False
        end = next((i for i in range(at + 1, len(self.lowered)) if self._word(i) == _CODE), at)
        return end > at + 2

    def things(self, begins: int, at: int, *, chosen: bool) -> list[Thing]:
        """Return the things named from a word on."""
        before = begins < at
        while self._word(begins) in _DETERMINERS or self._word(begins) in (_CODE, *_CHOOSES, *_BY):
            begins += 1
        groups: list[list[str]] = [[]]
        end = begins
        while end < len(self.tokens):
            word = self.lowered[end]
            if word == _CODE or word in _DETERMINERS:
                end += 1
                continue
            if word == _BREAK or word in _STOPS:
                break
            if word in ("and", "or"):
                groups.append([])
            else:
                groups[-1].append(self.tokens[end])
            end += 1
        place = self._place(end) | (self._place(0, at) if chosen else self._subject(at))
        if before and not chosen and groups[0] and _is_name(groups[0][0]):
            place = frozenset()  # "unittest is dead to me" applies everywhere
        return [
            Thing(tuple(w.lower() for w in group), _is_name(group[0]), place)
            for group in groups
            if group and len(group) <= _MOST and not _says_nothing(group)
        ]

    def _subject(self, at: int) -> frozenset[str]:
        """Return who does without something: "the parser uses lark, not regexes"."""
        ends = next((i for i in range(at) if self._ends_subject(i)), at)
        subject = self.lowered[:ends]
        if not subject or subject[0] in _BY or not _PEOPLE.isdisjoint(subject):
            return frozenset()
        return self._place(0, ends)

    def _ends_subject(self, at: int) -> bool:
        word = self.lowered[at]
        ends = (_BREAK, *_CHOOSES, *_REFUSES, *_FACTS, *_RESTS, "go", "goes")
        return word in ends or (at > 0 and word in _BY)

    def _place(self, begins: int, ends: int = 0) -> frozenset[str]:
        found = set()
        for word in self.lowered[begins : ends or len(self.lowered)]:
            if word in _REASONS or (not ends and word in _PLACE_ENDS):
                break
            plain = word not in _STOPS and word not in _DETERMINERS and word not in _NOWHERE
            if plain and word not in (_BREAK, _CODE) and word not in VERBS | _MOVES:
                found.add(_plain(word)[:6])
        return frozenset(found)


def _says_nothing(group: Collection[str]) -> bool:
    words = [word.lower() for word in group]
    return words[-1] in _PRONOUNS or words[0] in VERBS - {"make"}


def _is_name(word: str) -> bool:
    """Return whether a word names a tool, an option or a file, unlike a common noun."""
    odd = any(c in "._/=+#@" or c.isdigit() for c in word) or not (
        word[1:].islower() or not word[1:]
    )
    return odd or word.lower() in NAMES


def sentences(text: str) -> Iterator[list[str]]:
    """Yield the words of each sentence, with "," for a break and "`" for the ends of code."""
    tokens: list[str] = []
    for raw in text.replace("\u2019", "'").replace(_CODE, " ` ").split():
        start = raw.lstrip("([{\"'*_<")
        word = start.rstrip(",;:.!?)]}\"'*>")
        if "(" in raw[:1] and tokens:
            tokens.append(_BREAK)
        if any(c.isalnum() or c == _CODE for c in word):
            tokens.append(word)
        elif tokens:
            tokens.append(_BREAK)
            continue
        tail = start[len(word) :]
        if any(c in tail for c in ".!?;"):
            yield tokens
            tokens = []
        elif any(c in tail for c in ",:)"):
            tokens.append(_BREAK)
    yield tokens
