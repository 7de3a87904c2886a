"""Parses a file into symbols, references and words. Never fails, whatever the bytes."""

from __future__ import annotations

from satchel.features.code.components import (
    component_of,
    holds_scripts,
    script_of,
    tags_of,
    with_components,
)
from satchel.features.code.grammars import MissingGrammarError, NotParsedError, grammar_of
from satchel.features.code.languages import LANGUAGES, TEXTS, language_of
from satchel.features.code.line_scanner import scan
from satchel.features.code.routes import routes_of
from satchel.features.code.values import ParsedFile, Reference

#: Warning of a file whose grammar is not installed.
MISSING = "no grammar for {} is installed: definitions were looked for line by line"
TOO_DEEP = "too deep or too broken for a grammar: definitions were looked for line by line"


def parse(path: str, data: bytes, *, routes: bool = True) -> ParsedFile:
    """Parse a file: symbols in text order, references, imports, a warning."""
    first = data[:200].split(b"\n", 1)[0].decode("utf-8", "replace")
    language = language_of(path, first)
    if language in TEXTS:
        return ParsedFile(language, (), ())
    parsed = _parsed(path, data, language)
    text = data.decode("utf-8", "replace")
    symbols = with_components(list(parsed.symbols), language, text)
    if routes:
        symbols += routes_of(path, language, text, symbols)
    symbols.sort(key=lambda s: (s.line, -s.end_line))
    return parsed._replace(symbols=tuple(symbols))


def _parsed(path: str, data: bytes, language: str) -> ParsedFile:
    if holds_scripts(language):
        return _component(path, data, language)
    known = LANGUAGES[language]
    text = data.decode("utf-8", "replace")
    if not known.rules:
        return scan(text, language, known.comments)
    try:
        name = "cpp" if language == "c" and _is_cpp(path, data) else language
        return grammar_of(name).parse(data)._replace(language=language)
    except NotParsedError as error:
        found = scan(text, language, known.comments)
        return found._replace(warning=_warning(error, language))


def _warning(error: NotParsedError, language: str) -> str:
    return MISSING.format(language) if isinstance(error, MissingGrammarError) else TOO_DEEP


def _is_cpp(path: str, data: bytes) -> bool:
    """Return whether a header is C++: C has no classes, namespaces or templates."""
    if not path.endswith(".h"):
        return False
    return any(mark in data for mark in (b"\nclass ", b"namespace ", b"template<", b"template <"))


def _component(path: str, data: bytes, language: str) -> ParsedFile:
    component = component_of(path, data.count(b"\n") + 1)
    tags = sorted(set(tags_of(data.decode("utf-8", "replace"))))
    used = [Reference(name, "call", 1, 1) for name in tags]
    try:
        script = grammar_of("typescript").parse(script_of(data))
    except NotParsedError as error:
        return ParsedFile(language, (component,), tuple(used), (), _warning(error, language))
    known = {reference.name for reference in script.references}
    references = (*script.references, *(r for r in used if r.name not in known))
    return ParsedFile(language, (component, *script.symbols), references, script.imports)
