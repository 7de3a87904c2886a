"""The tree-sitter adapter: turns a file's bytes into symbols and references.

The only module that imports it. Each language's definitions are described in `languages/`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence

from satchel.core.values import Any
from satchel.features.code.symbols.languages import LANGUAGES, Language
from satchel.features.code.symbols.values import KINDS, ParsedFile, Reference, Symbol

#: How many characters of a signature and of documentation to keep.
SIGNATURE, DOCUMENTATION = 200, 400
#: Most symbols of one file: files with more are tables.
_MOST_SYMBOLS = 4000
#: The warning for a file with more.
CUT = f"more than {_MOST_SYMBOLS} definitions: the first {_MOST_SYMBOLS} are kept"
#: Nesting, and pieces of one error, beyond which a file is not a program.
_DEEPEST, _STEP, _MOST_PIECES = 1000, 500, 2000
_LONG_LINE = re.compile(rb"[^\n]{10000,}")
#: Types of nodes that are bodies even if no field says so.
_BODIES = ("_body", "declaration_list", "compound_statement", "block")
#: Containers of definitions that are none: an `impl` makes methods, a namespace does not.
_SCOPES = ("scope", "space")
_SPACE = re.compile(r"\s+")
_QUOTES = re.compile(r"^[rRbBuUfF]*(\"\"\"|'''|\"|')(.*?)\1", re.DOTALL)


class NotParsedError(Exception):
    """A grammar cannot read the file; it is scanned line by line instead."""


class MissingGrammarError(NotParsedError):
    """The language's grammar is not installed or not usable."""


class TooDeepError(NotParsedError):
    """The file is too deeply nested or too broken to traverse in reasonable time."""


class Grammar:
    """A language's grammar with its two queries, created once per process."""

    __slots__ = ("_definitions", "_parser", "_references", "language")

    def __init__(self, language: Language) -> None:
        try:
            import importlib

            import tree_sitter

            module = importlib.import_module(language.module)
            spoken = tree_sitter.Language(getattr(module, language.function)())
            self._parser = tree_sitter.Parser(spoken)
            self._definitions = tree_sitter.Query(spoken, _rules(language.rules + ".scm"))
            uses = _rules(language.rules + ".refs.scm")
            uses += _rules("tsx.refs.scm") if language.name == "tsx" else ""
            self._references = tree_sitter.Query(spoken, uses)
        except (ImportError, AttributeError, ValueError, OSError, SyntaxError) as error:
            raise MissingGrammarError(str(error)) from error
        self.language = language

    def parse(self, data: bytes) -> ParsedFile:
        """Parse a file. From broken syntax, returns what can be recognized."""
        import tree_sitter

        root = self._root(data)
        matches = tree_sitter.QueryCursor(self._definitions).matches(root)
        definitions = _definitions(matches)
        told = CUT if len(definitions) > _MOST_SYMBOLS else ""
        definitions = definitions[:_MOST_SYMBOLS]
        symbols = _symbols(definitions, data, self.language)
        uses = tree_sitter.QueryCursor(self._references).captures(root)
        references, imports = _references(uses, {one.at for one in definitions})
        return ParsedFile(self.language.name, tuple(symbols), references, imports, told)

    def _root(self, data: bytes) -> Any:
        """Return a file's tree; raise `TooDeepError` if querying it would take too long.

        A query's time grows with the square of a chain's depth (`a.a.a.a`), and of the number of
        pieces that a grammar leaves side by side in text it does not understand.
        """
        root = self._parser.parse(_without_long_lines(data)).root_node
        if _is_deep(root) or (root.has_error and _is_wild(root)):
            raise TooDeepError
        return root

    def calls(self, data: bytes) -> list[tuple[str, int, str]]:
        """Return every use of a name in a file: name, line, kind (call, use, member)."""
        import tree_sitter

        root = self._root(data)
        captures = tree_sitter.QueryCursor(self._references).captures(root)
        found: dict[int, tuple[str, int, str]] = {}
        for kind in ("member", "use", "call"):
            for node in captures.get(kind, ()):
                found[node.start_byte] = _text(node), node.start_point[0] + 1, kind
        return [found[at] for at in sorted(found)]


def _without_long_lines(data: bytes) -> bytes:
    """Blank out lines that nobody writes by hand: tables, images, minified code."""
    return _LONG_LINE.sub(lambda match: b" " * len(match.group()), data)


def _is_deep(root: Any) -> bool:
    """Return whether a tree is too deep, by sampling its nodes.

    A tree deeper than the limit plus a step has a whole step of consecutive nodes beyond the limit.
    """
    cursor = root.walk()
    for number in range(0, root.descendant_count, _STEP):
        cursor.goto_descendant(number)
        if cursor.depth > _DEEPEST:
            return True
    return False


def _is_wild(root: Any) -> bool:
    """Return whether a tree with errors is too deep or has too many nodes in one error."""
    cursor, depth = root.walk(), 0
    while True:
        node = cursor.node
        if depth > _DEEPEST or (node.is_error and node.child_count > _MOST_PIECES):
            return True
        if node.has_error and cursor.goto_first_child():
            depth += 1
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return False
            depth -= 1


_grammars: dict[str, Grammar | str] = {}


def grammar_of(name: str) -> Grammar:
    """Return a language's grammar; raise `MissingGrammarError` if it is not available."""
    there = _grammars.get(name)
    if there is None:
        try:
            there = Grammar(LANGUAGES[name])
        except MissingGrammarError as error:
            there = str(error)
        _grammars[name] = there
    if isinstance(there, str):
        raise MissingGrammarError(there)
    return there


def _rules(name: str) -> str:
    path = os.path.join(os.path.dirname(__file__), "languages", name)
    with open(path, encoding="utf-8") as file:
        return file.read()


def _text(node: Any) -> str:
    data: bytes = node.text or b""
    return data.decode("utf-8", "replace")


class _Definition:
    """A definition as matched."""

    __slots__ = ("at", "kind", "name", "node", "parent")

    def __init__(self, kind: str, name: str, node: Any, parent: str, at: int) -> None:
        self.kind, self.name, self.node, self.parent, self.at = kind, name, node, parent, at


def _definitions(matches: Iterable[tuple[int, dict[str, Any]]]) -> list[_Definition]:
    """Return definitions in text order without duplicates; the first matching rule wins."""
    found: dict[tuple[int, str], tuple[int, _Definition]] = {}
    for rule, captures in matches:
        kind = next((k for k in captures if k in KINDS or k in _SCOPES), "")
        named = captures.get("name")
        if not kind or not named:
            continue
        node, name = captures[kind][0], _text(named[0])
        parent = _text(captures["parent"][0]) if "parent" in captures else ""
        place = (named[0].start_byte, name)
        if name and (place not in found or found[place][0] > rule):
            found[place] = (rule, _Definition(kind, name, node, parent, place[0]))
    ordered = (one for _, one in found.values())
    return sorted(ordered, key=lambda d: (d.node.start_byte, -d.node.end_byte))


def _symbols(
    definitions: Sequence[_Definition], data: bytes, language: Language
) -> Iterable[Symbol]:
    lines = data.split(b"\n")
    open_: list[tuple[int, str, str]] = []
    for one in definitions:
        node = one.node
        while open_ and open_[-1][0] < node.end_byte:
            open_.pop()
        within = open_[-1][2] if open_ else ""
        parent = ".".join(part for part in (within, _plain(one.parent)) if part)
        name = _plain(one.name)
        qualified = f"{parent}.{name}" if parent else name
        kind = one.kind
        inside = open_[-1][1] if open_ else ""
        if kind == "function" and inside in ("class", "interface", "type", "scope"):
            kind = "method"
        # In C, a typedef surrounds the struct that it names, but does not contain it.
        if kind != "variable" and not (kind == "type" and language.name in ("c", "cpp")):
            open_.append((node.end_byte, kind, qualified))
        if kind in _SCOPES:
            continue
        first, (last, column) = node.start_point[0], node.end_point
        if last > first and column == 0:
            last -= 1
        yield Symbol(
            name,
            kind,
            first + 1,
            end_line=last + 1,
            signature=_signature(node),
            documentation=_documentation(node, lines, language),
            parent=parent,
        )


def _plain(name: str) -> str:
    """Return a name without template arguments, scopes or `self.`."""
    name = _SPACE.sub("", name.partition("<")[0] if not name.startswith("operator") else name)
    return name.replace("::", ".").strip(".&*")[:120]


def _signature(node: Any) -> str:
    body = _body(node)
    data: bytes = node.text or b""
    end = (body.start_byte if body is not None else node.end_byte) - node.start_byte
    if body is None or end <= 0:
        data = data.split(b"\n", 1)[0]
        end = len(data)
    head = data[: min(end, SIGNATURE * 8)].decode("utf-8", "replace")
    return _SPACE.sub(" ", head).strip().rstrip("{=:").strip()[:SIGNATURE]


def _body(node: Any) -> Any:
    body = node.child_by_field_name("body") or node.child_by_field_name("value")
    if body is not None:
        return body
    for child in node.named_children[:8]:
        value = child.child_by_field_name("value")
        inner = None if value is None else value.child_by_field_name("body")
        if inner is not None:
            return inner
        if child.type.endswith(_BODIES):
            return child
    return None


def _documentation(node: Any, lines: Sequence[bytes], language: Language) -> str:
    """Return a definition's docstring, or the comment right above it."""
    if language.name == "python":
        body = node.child_by_field_name("body")
        first = body.named_children[0] if body is not None and body.named_children else None
        if first is not None and first.type == "expression_statement" and first.named_children:
            text = _text(first.named_children[0])
            match = _QUOTES.match(text)
            if match:
                return _SPACE.sub(" ", match.group(2)).strip()[:DOCUMENTATION]
    row, column = node.start_point
    if lines[row][:column].strip():
        return ""
    return comment_above(lines, row, language.comments)


def comment_above(lines: Sequence[bytes], row: int, marks: tuple[str, ...]) -> str:
    """Return the comment ending above line `row` (from 0), at most thirty lines."""
    found: list[str] = []
    at = min(row, len(lines)) - 1
    while at >= 0 and len(found) < 30:  # noqa: PLR2004
        text = lines[at][:400].decode("utf-8", "replace").strip()
        if text.startswith(("@", "#[", "export ", "template")) and not found:
            at -= 1
            continue
        if not marks or not text.startswith(marks):
            break
        found.append(text.strip("/*#!-; \t"))
        at -= 1
    return _SPACE.sub(" ", " ".join(reversed(found))).strip()[:DOCUMENTATION]


def _references(
    captures: dict[str, list[Any]], seen: set[int]
) -> tuple[tuple[Reference, ...], tuple[str, ...]]:
    """Count uses of names, except at the places `seen`, where they are defined.

    A name that is called and read counts as called.
    """
    counted: dict[str, list[Any]] = {}
    for kind in ("call", "use", "member"):
        for node in captures.get(kind, ()):
            at = node.start_byte
            if at in seen:
                continue
            seen.add(at)
            name = _text(node)
            if not name or len(name) > 120:  # noqa: PLR2004
                continue
            there = counted.get(name)
            if there is None:
                counted[name] = [kind, 1, node.start_point[0] + 1]
            else:
                there[1] += 1
                there[2] = min(there[2], node.start_point[0] + 1)
    references = tuple(
        Reference(name, kind, count, line) for name, (kind, count, line) in sorted(counted.items())
    )
    imports = {_text(node).strip("\"'`<>")[:200] for node in captures.get("import", ())}
    return references, tuple(sorted(imports))
