"""Edits JSON with comments in place, leaving every other byte unchanged.

Comments and trailing commas are accepted; otherwise parsing is strict.
"""

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from satchel.core.errors import ConflictError

_BOM = b"\xef\xbb\xbf"
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_BLANK = re.compile(r"(?:[ \t\r\n]++|//[^\n]*|/\*[\s\S]*?\*/)+")
_SAME_LINE = re.compile(r"[ \t]*(?:/\*[^\n]*?\*/[ \t]*)*(?://[^\r\n]*)?")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_FIRST_INDENT = re.compile(r"[\[{][ \t]*\r?\n([ \t]+)")
_WORDS = {"true": True, "false": False, "null": None}
_DEEPEST = 100
#: Largest settings file to read, in bytes.
LARGEST = 32 * 1024 * 1024
NEXT_STEP = "run it again with --print and put the entries in by hand"


def decoded(raw: bytes, path: str, hint: str = NEXT_STEP) -> str:
    """Return a file's text. Raises `ConflictError` if it is not UTF-8."""
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise ConflictError(f"{path} is not UTF-8 (byte {error.start})", hint=hint) from None


class Node(NamedTuple):
    """A value and its position.

    Attributes:
        value: the Python value.
        start: index of its first character.
        end: index after its last character.
        key_start: index of its name's opening quote; its own start in a list.
        members: of an object: name -> node; of a list: index -> node; else empty.
    """

    value: Any
    start: int
    end: int
    key_start: int
    members: "dict[Any, Node]"


class Document:
    """A parsed file; every edit returns a new document.

    Args:
        raw: the file's bytes; empty for a new file.
        path: for messages.

    Raises:
        ConflictError: it is not UTF-8, not a JSON object, or repeats a name.
    """

    def __init__(self, raw: bytes, path: str) -> None:
        self.path = path
        self.bom = raw.startswith(_BOM)
        if len(raw) > LARGEST:
            raise ConflictError(f"{path} is larger than {LARGEST:,} bytes", hint=NEXT_STEP)
        self.text = decoded(raw.removeprefix(_BOM), path)
        if not self.text.strip():
            self.text = "{}\n"
        self.root = _Reader(self.text, path).document()

    @property
    def raw(self) -> bytes:
        """The file's bytes."""
        return (_BOM if self.bom else b"") + self.text.encode()

    def at(self, *place: Any) -> Node | None:
        """Return the node at a path of names and list indexes, or None."""
        node: Node | None = self.root
        for step in place:
            node = node.members.get(step) if node is not None else None
        return node

    def with_value(self, place: tuple[Any, ...], value: Any) -> "Document":
        """Set the value at `place`, creating objects on the way. In a list, -1 appends.

        Raises:
            ConflictError: something on the path is not an object or list.
        """
        parent, depth = self.root, 0
        while depth < len(place) - 1 and place[depth] in parent.members:
            parent = parent.members[place[depth]]
            depth += 1
        if place[depth] in parent.members:
            node = parent.members[place[depth]]
            return self._changed(
                node.start, node.end, self._written(value, self._indent_at(node.key_start))
            )
        for step in reversed(place[depth + 1 :]):
            value = [value] if step == -1 else {step: value}
        if not isinstance(parent.value, list if place[depth] == -1 else dict):
            where = ".".join(map(str, place[:depth])) or "the file"
            kind = "a list" if place[depth] == -1 else "an object"
            raise ConflictError(f"{self.path}: {where} is not {kind}", hint=NEXT_STEP)
        return self._inserted(parent, place[depth], value)

    def without(self, place: tuple[Any, ...]) -> "Document":
        """Remove the value at `place`, with its name and one comma."""
        parent, node = self.at(*place[:-1]), self.at(*place)
        if parent is None or node is None:
            return self
        siblings = list(parent.members.values())
        at = siblings.index(node)
        lead = self._lead(node.key_start)
        end, comma = node.end, self._comma(node.end)
        if comma >= 0:
            end = comma + 1
            text = self.text[:lead] + self.text[end:]
        elif at:
            before = self._comma(siblings[at - 1].end)
            text = self.text[:before] + self.text[before + 1 : lead] + self.text[end:]
        else:
            text = self.text[:lead] + self.text[end:]
        left = text[parent.start + 1 : parent.end - 1 - (len(self.text) - len(text))]
        if len(siblings) == 1 and not left.strip():
            text = text[: parent.start + 1] + text[parent.start + 1 + len(left) :]
        return self._of(text)

    def _inserted(self, parent: Node, name: Any, value: Any) -> "Document":
        siblings = list(parent.members.values())
        many = self._many_lines()
        label = "" if name == -1 else json.dumps(name, ensure_ascii=False) + ": "
        if not siblings:
            outer = self._indent_at(parent.key_start)
            inner = outer + self._step()
            inside = self.text[parent.start + 1 : parent.end - 1]
            if not many:
                return self._changed(
                    parent.start + 1, parent.start + 1, label + self._written(value, None)
                )
            entry = self._newline() + inner + label + self._written(value, inner)
            last = parent.end - 1
            keep = inside.rstrip()
            return self._changed(
                parent.start + 1 + len(keep), last, entry + self._newline() + outer
            )
        last_one = siblings[-1]
        own_line = not self.text[self._line(siblings[0].key_start) : siblings[0].key_start].strip()
        comma = self._comma(last_one.end)
        point = (comma if comma >= 0 else last_one.end - 1) + 1
        if own_line:
            inner = self._indent_at(siblings[0].key_start)
            entry = self._newline() + inner + label + self._written(value, inner)
            behind = _SAME_LINE.match(self.text, point)
            told = behind[0] if behind else ""
            entry = told.rstrip() + entry
            point_end = point + len(told.rstrip())
        else:
            entry, point_end = " " + label + self._written(value, None), point
        entry = entry + "," if comma >= 0 else "," + entry
        return self._changed(point, point_end, entry)

    def _written(self, value: Any, indent: str | None) -> str:
        if indent is None or not self._many_lines():
            return dumped(value, None)
        text = dumped(value, self._step())
        return text.replace("\n", self._newline() + indent)

    def _changed(self, start: int, end: int, text: str) -> "Document":
        return self._of(self.text[:start] + text + self.text[end:])

    def _of(self, text: str) -> "Document":
        return Document((_BOM if self.bom else b"") + text.encode(), self.path)

    def _many_lines(self) -> bool:
        stripped = self.text.strip()
        return "\n" in stripped or stripped == "{}"

    def _newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    def _step(self) -> str:
        found = _FIRST_INDENT.search(self.text)
        return found[1] if found else "  "

    def _line(self, at: int) -> int:
        return self.text.rfind("\n", 0, at) + 1

    def _indent_at(self, at: int) -> str:
        line = self.text[self._line(at) : at]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def _lead(self, at: int) -> int:
        """Return the start of the whitespace before `at`, but after a comment, which stays."""
        while at and self.text[at - 1] in " \t":
            at -= 1
        if at and self.text[at - 1] == "\n":
            at -= 2 if self.text[at - 2 : at] == "\r\n" else 1
        return at

    def _comma(self, at: int) -> int:
        """Return the position of the comma after a value, or -1."""
        found = _BLANK.match(self.text, at)
        at = found.end() if found else at
        return at if self.text[at : at + 1] == "," else -1


def with_changes(document: Document, place: tuple[Any, ...], wanted: Any) -> Document:
    """Set the value at `place`, keeping the bytes of unchanged parts."""
    node = document.at(*place)
    if node is None:
        return document.with_value(place, wanted)
    now = node.value
    if now == wanted:
        return document
    if isinstance(now, dict) and isinstance(wanted, dict):
        for name in [name for name in now if name not in wanted]:
            document = document.without((*place, name))
        for name, value in wanted.items():
            document = with_changes(document, (*place, name), value)
        return document
    if isinstance(now, list) and isinstance(wanted, list):
        return _with_list(document, place, now, wanted)
    return document.with_value(place, wanted)


def _with_list(
    document: Document, place: tuple[Any, ...], now: list[Any], wanted: list[Any]
) -> Document:
    import difflib

    old, new = ([dumped(one, None) for one in items] for items in (now, wanted))
    steps = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    if any(j2 - j1 > i2 - i1 and i2 < len(now) for _, i1, i2, j1, j2 in steps):
        return document.with_value(place, wanted)  # something goes in between
    for _, i1, i2, j1, j2 in reversed(steps):
        kept = min(i2 - i1, j2 - j1)
        for at in range(i2 - 1, i1 + kept - 1, -1):
            document = document.without((*place, at))
        for step in range(kept):
            document = with_changes(document, (*place, i1 + step), wanted[j1 + step])
        for value in wanted[j1 + kept : j2]:
            document = document.with_value((*place, -1), value)
    return document


def without_matches(document: Document, places: Callable[[Any], list[tuple[Any, ...]]]) -> Document:
    """Remove everything that `places` finds, one by one.

    Containers that become empty are removed too, up to the top of the file, unless they contain a
    comment.
    """
    while found := places(document.root.value):
        place = found[0]
        while len(place) > 1:
            above, node = document.at(*place[:-1]), document.at(*place)
            if above is None or node is None or len(above.members) != 1:
                break
            around = document.text[above.start + 1 : node.key_start]
            around += document.text[node.end : above.end - 1]
            if around.strip(" \t\r\n,"):
                break  # a comment of somebody's
            place = place[:-1]
        document = document.without(place)
    return document


class _Reader:
    """A parser that tracks its position."""

    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.path = path
        self.at = 0

    def document(self) -> Node:
        self._skip()
        root = self._value(self.at, 0)
        self._skip()
        if self.at < len(self.text):
            self._refuse("there is text after its end")
        if not isinstance(root.value, dict):
            raise ConflictError(f"{self.path} contains no JSON object", hint=NEXT_STEP)
        return root

    def _value(self, key_start: int, depth: int) -> Node:
        if depth > _DEEPEST:
            raise ConflictError(f"{self.path} is nested too deeply", hint=NEXT_STEP)
        start, mark = self.at, self.text[self.at : self.at + 1]
        if mark and mark in "{[":
            return self._container(key_start, depth, is_object=mark == "{")
        if mark == '"':
            return Node(self._string(), start, self.at, key_start, {})
        number = _NUMBER.match(self.text, self.at)
        if number:
            self.at = number.end()
            return Node(json.loads(number[0]), start, self.at, key_start, {})
        for word, value in _WORDS.items():
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return Node(value, start, self.at, key_start, {})
        self._refuse("expected a value")
        raise AssertionError

    def _container(self, key_start: int, depth: int, *, is_object: bool) -> Node:
        start, close = self.at, "}" if is_object else "]"
        members: dict[Any, Node] = {}
        self.at += 1
        self._skip()
        while not self.text.startswith(close, self.at):
            member_start, name = self.at, len(members)
            if is_object:
                name = self._string()
                if name in members:
                    raise ConflictError(f"{self.path}: {name!r} occurs twice", hint=NEXT_STEP)
                self._skip()
                self._expect(":")
                self._skip()
            members[name] = self._value(member_start, depth + 1)
            self._skip()
            if not self.text.startswith(close, self.at):
                self._expect(",")
                self._skip()
        self.at += 1
        values = [node.value for node in members.values()]
        value = dict(zip(members, values, strict=True)) if is_object else values
        return Node(value, start, self.at, key_start, members)

    def _string(self) -> Any:
        found = _STRING.match(self.text, self.at)
        if not found:
            self._refuse("expected a quoted string")
            raise AssertionError
        try:
            value = json.loads(found[0])
        except ValueError:
            self._refuse("a string has an invalid escape")
        self.at = found.end()
        return value

    def _expect(self, mark: str) -> None:
        if not self.text.startswith(mark, self.at):
            self._refuse(f"{mark!r} is expected")
        self.at += 1

    def _skip(self) -> None:
        found = _BLANK.match(self.text, self.at)
        if found:
            self.at = found.end()

    def _refuse(self, what: str) -> None:
        line = self.text.count("\n", 0, self.at) + 1
        column = self.at - self.text.rfind("\n", 0, self.at)
        raise ConflictError(
            f"{self.path} is not valid JSON: line {line}, column {column}: {what}", hint=NEXT_STEP
        )


def dumped(value: Any, indent: str | None) -> str:
    """Encode a value as JSON that is valid UTF-8."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate can only be escaped
        return json.dumps(value, indent=indent)
    return text
