"""Parses hand-written YAML in front matter and sidecars, without YAML's surprises.

The only module that knows a YAML library. Unlike YAML 1.1: dates, `yes` and `012` stay text, and a
number must be written as Python writes it, so that `str` returns the same text. Aliases are
refused: nine lines of them can expand to a billion values.
"""

from __future__ import annotations

from satchel.core.errors import BadInputError
from satchel.core.values import Any

#: Largest YAML to read, in bytes, unless the caller says otherwise.
LARGEST = 65_536
#: Beyond this nesting the C reader, which recurses on the C stack, is not trusted.
_MOST_FLOWS = 200
_DEEPEST = 400
#: Unusual characters that YAML takes for line ends.
_LINE_BREAKS = frozenset("\x85\u2028\u2029")
_ALIAS = "it uses an alias (`*name`), which is not read"
_RESOLVED = (
    ("tag:yaml.org,2002:null", r"^(?:~|null|Null|NULL|)$", "~nN\0"),
    ("tag:yaml.org,2002:bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
    ("tag:yaml.org,2002:int", r"^(?:0|-?[1-9][0-9]{0,17})$", "-0123456789"),
    ("tag:yaml.org,2002:float", r"^-?(?:0|[1-9][0-9]{0,6})\.(?:0|[0-9]{0,7}[1-9])$", "-0123456789"),
)
_loaders: dict[bool, Any] = {}


def read_yaml(text: str, *, largest: int = LARGEST) -> Any:
    """Parse YAML to None, bool, int, float, str, list or dict with text keys.

    Raises `BadInputError` with the line (from 1) and the reason, for anything else.
    """
    import yaml

    if len(text.encode("utf-8", "replace")) > largest:
        raise BadInputError(f"it has more than {largest // 1024} KB")
    shallow = _is_shallow(text)
    if not shallow and _unclosed(text) > _DEEPEST:
        # A reader would take quadratic time to say the same.
        raise BadInputError("it is nested too deeply")
    try:
        if shallow and ("*" in text or "&" in text) and _has_alias(yaml, text):
            raise BadInputError(_ALIAS)
        loader = _loader(yaml, quick=shallow)
        return _plain(yaml.load(text, Loader=loader))  # noqa: S506 -- a safe loader, made below
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"line {mark.line + 1}: " if mark else ""
        raise BadInputError(f"{where}{_reason(error)}", hint=_advice(text, mark)) from None
    except yaml.YAMLError as error:
        raise BadInputError(_first_line(str(error))) from None
    except (RecursionError, ValueError, OverflowError, TypeError) as error:
        reason = (
            "it is nested too deeply" if isinstance(error, RecursionError) else _first_line(error)
        )
        raise BadInputError(reason) from None


def write_yaml(value: Any) -> str:
    """Encode a value as YAML: keys in order, lists and long texts readable."""
    import yaml

    class Dumper(yaml.SafeDumper):
        """Quotes whatever other parsers would misread."""

        def ignore_aliases(self, data: Any) -> bool:
            """Repeat values instead of using aliases."""
            del data
            return True

        def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: FBT001, FBT002
            """Indent lists below their field."""
            del indentless
            super().increase_indent(flow, False)

    def spelled(dumper: Any, text: str) -> Any:
        # Other quotes write these unescaped, and a reader folds what it takes for a line end.
        breaks = not _LINE_BREAKS.isdisjoint(text)
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, '"' if breaks else None)

    Dumper.add_representer(str, spelled)
    text: str = yaml.dump(value, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=1 << 20)
    return text


def _loader(yaml: Any, *, quick: bool) -> Any:
    if quick in _loaders:
        return _loaders[quick]
    import re

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader) if quick else yaml.SafeLoader

    class Loader(base):  # type: ignore[misc, unused-ignore]
        """Accepts plain values only, and every field once."""

        yaml_implicit_resolvers: dict[str, list[Any]] = {}  # noqa: RUF012

        def compose_node(self, parent: Any, index: Any) -> Any:
            """Reject aliases; the C parser skips this: see `_has_alias`."""
            if self.check_event(yaml.AliasEvent):
                raise BadInputError(_ALIAS)
            return super().compose_node(parent, index)

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:  # noqa: FBT001, FBT002
            """Reject duplicate fields, which are ambiguous."""
            seen = set()
            for key, _ in node.value:
                if key.value in seen and isinstance(key.value, str):
                    raise yaml.constructor.ConstructorError(
                        None, None, f"`{key.value[:40]}` occurs twice", key.start_mark
                    )
                seen.add(key.value if isinstance(key.value, str) else id(key))
            return super().construct_mapping(node, deep)

    for tag, pattern, first in _RESOLVED:
        starts = [c if c != "\0" else "" for c in first]
        Loader.add_implicit_resolver(tag, re.compile(pattern), starts)
    _loaders[quick] = Loader
    return Loader


def _has_alias(yaml: Any, text: str) -> bool:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=loader))


def _is_shallow(text: str) -> bool:
    """Return whether an upper bound shows that nesting is harmless."""
    if text.count("[") + text.count("{") > _MOST_FLOWS:
        return False
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip(" "))
        if indent + line.count("-") + line.count("?") + line.count(":") > _DEEPEST:
            return False
    return True


def _unclosed(text: str) -> int:
    """Return the maximum number of brackets open at once."""
    open_now = most = 0
    for character in text:
        if character in "[{":
            open_now += 1
            most = max(most, open_now)
        elif character in "]}":
            open_now -= 1
    return most


def _plain(value: Any) -> Any:
    """Check that a value is valid JSON; keys become texts."""
    if isinstance(value, str):
        # A lone surrogate, written as an escape, cannot be stored as text.
        return value.encode("utf-8", "replace").decode("utf-8")
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {_key(key): _plain(item) for key, item in value.items()}
    raise BadInputError(f"it holds a {type(value).__name__}, which is neither text nor a number")


def _key(key: Any) -> str:
    if key is None or isinstance(key, bool | int | float | str):
        return "" if key is None else str(key).encode("utf-8", "replace").decode("utf-8")
    raise BadInputError("a field's name must be text")


def _reason(error: Any) -> str:
    parts = [str(part) for part in (error.problem, error.context) if part]
    return _first_line(", ".join(parts) or error)


def _advice(text: str, mark: Any) -> str:
    """Return a hint on the most common mistake: a colon in an unquoted text."""
    lines = text.splitlines()
    line = lines[mark.line] if mark and mark.line < len(lines) else ""
    if line.count(": ") > 1 or line.strip().startswith(("@", "`", "%")):
        return "put the text of that line into quotes"
    return ""


def _first_line(error: object) -> str:
    return (str(error).splitlines() or ["it is not YAML"])[0][:200]
