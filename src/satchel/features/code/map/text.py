"""docs/CODEBASE_MAP.md: The Foundation's ten sections, and the most-used code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from satchel.core.trust import clean_line
from satchel.features.code.map.inventory import (
    agents_of,
    packages_of,
    script_about,
    servers_of,
    services_of,
)
from satchel.features.code.map.reading import Tree
from satchel.features.code.map.related import all_links, hubs
from satchel.features.code.map.store import CodeStore
from satchel.features.code.symbols.values import CodeFile

#: Most rows of one table; the rest is only counted.
_MOST = 80
_MOST_EDGES, _MOST_HUBS, _MOST_PACKAGES = 60, 15, 40
_SCRIPT_LANGUAGES = frozenset({"bash", "powershell"})


def sections(store: CodeStore, tree: Tree) -> list[tuple[str, str]]:
    """Return the map's sections, title and text, in order."""
    numbered = store.files()
    files = sorted(numbered.values(), key=lambda f: f.path)
    links = all_links(store, numbered)
    return [
        ("Summary", _summary(store, files)),
        ("Directory tree", _tree(files)),
        ("Files by category", _categories(files)),
        ("Most used files", _hubs(store, numbered, links)),
        ("Agents", _agents(tree, files)),
        ("Configuration files", _configuration(files)),
        ("Scripts", _scripts(tree, files)),
        ("MCP servers", _servers(tree, files)),
        ("Tests", _tests(files)),
        ("Dependency graph", _dependencies(links, tree, numbered)),
        ("Docker Compose services", _services(tree, files)),
    ]


def cell(text: str) -> str:
    """Return a text for a table cell: on one line, with pipes escaped."""
    return clean_line(text).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").strip()


def _code(text: str) -> str:
    bare = clean_line(text).replace("`", "'").replace("|", "\\|")
    return f"`{bare}`"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], most: int = _MOST) -> str:
    if not rows:
        return "None.\n"
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(row) + " |" for row in rows[:most]]
    left = len(rows) - most
    return "\n".join(lines) + "\n" + (f"\nAnd {left} more.\n" if left > 0 else "")


def _summary(store: CodeStore, files: Sequence[CodeFile]) -> str:
    lines = sum(file.lines for file in files)
    own = (file for file in files if file.role != "vendored")
    languages = Counter(file.language for file in own if file.language)
    kinds = [(str(kind), int(str(count))) for kind, count in store.ask("count_symbols")]
    tests = sum(file.role == "test" for file in files)
    directories = {file.path.rsplit("/", 1)[0] for file in files if "/" in file.path}
    told = [
        f"- Files: {len(files)}, lines of text: {lines}",
        f"- Languages: {', '.join(f'{name} {count}' for name, count in languages.most_common(12))}",
        f"- Symbols: {', '.join(f'{kind} {count}' for kind, count in kinds) or 'none'}",
        f"- Tests: {tests} files, directories: {len(directories)}",
    ]
    return "\n".join(told) + "\n"


def _tree(files: Sequence[CodeFile]) -> str:
    counted: dict[str, Counter[str]] = {}
    top: Counter[str] = Counter()
    for file in files:
        parts = file.path.split("/")
        if len(parts) == 1:
            continue
        top[parts[0]] += 1
        counted.setdefault(parts[0], Counter())
        if len(parts) > 2:  # noqa: PLR2004
            counted[parts[0]][parts[1]] += 1
    lines = ["."]
    for name in sorted(top)[:_MOST]:
        lines.append(f"├── {clean_line(name)}/ ({top[name]})")
        below = sorted(counted[name])
        lines += [f"│   ├── {clean_line(b)}/ ({counted[name][b]})" for b in below[:_MOST]]
        if len(below) > _MOST:
            lines.append(f"│   └── and {len(below) - _MOST} more")
    lines += [f"├── {clean_line(f.path)}" for f in files if "/" not in f.path][:_MOST]
    return "```text\n" + "\n".join(lines).replace("```", "'''") + "\n```\n"


def _categories(files: Sequence[CodeFile]) -> str:
    counted: dict[str, list[int]] = {}
    for file in files:
        one = counted.setdefault(file.role, [0, 0, 0])
        one[0], one[1], one[2] = one[0] + 1, one[1] + file.lines, one[2] + file.size
    rows = sorted(counted.items(), key=lambda item: (-item[1][0], item[0]))
    return _table(
        ("Category", "Files", "Lines", "Bytes"),
        [(role, str(n), str(lines), str(size)) for role, (n, lines, size) in rows],
    )


def _hubs(
    store: CodeStore, numbered: dict[int, CodeFile], every: dict[tuple[int, int], float]
) -> str:
    code = {n: f for n, f in numbered.items() if f.role in ("source", "script")}
    links = {pair: w for pair, w in every.items() if pair[0] in code and pair[1] in code}
    ranked = sorted(hubs(links, code).items(), key=lambda item: (-item[1], item[0]))[:_MOST_HUBS]
    users = Counter(definer for _, definer in links)
    rows = []
    for number, score in ranked:
        kept = [
            s for s in store.symbols_of(code[number].path) if not s.parent and s.kind != "variable"
        ]
        names = ", ".join(_code(s.name) for s in kept[:6])
        rows.append((_code(code[number].path), f"{score:.2f}", str(users[number]), names))
    return _table(("File", "Weight", "Used by", "Defines"), rows)


def _agents(tree: Tree, files: Sequence[CodeFile]) -> str:
    rows = [
        (cell(a.name), cell(a.division), cell(a.role), _code(a.path))
        for a in agents_of(tree, files)
    ]
    return _table(("Agent", "Division", "Role", "File"), rows)


def _configuration(files: Sequence[CodeFile]) -> str:
    rows = [(_code(f.path), str(f.lines)) for f in files if f.role == "config"]
    return _table(("File", "Lines"), rows)


def _scripts(tree: Tree, files: Sequence[CodeFile]) -> str:
    found = [f for f in files if _is_script(f)]
    rows = [(_code(f.path), cell(script_about(tree, f.path))) for f in found[:_MOST]]
    rows += [("", "")] * (len(found) - len(rows))
    return _table(("Script", "What it does"), rows)


def _is_script(file: CodeFile) -> bool:
    if file.language in _SCRIPT_LANGUAGES:
        return file.role not in ("test", "vendored")
    above = file.path.split("/")[:-1][:2]
    return file.role == "script" or (
        file.role == "source" and any(d in ("scripts", "bin", "tools", "hack") for d in above)
    )


def _servers(tree: Tree, files: Sequence[CodeFile]) -> str:
    rows = [(cell(s.name), _code(s.runs), _code(s.path)) for s in servers_of(tree, files)]
    return _table(("Server", "Runs", "Configured in"), rows)


def _tests(files: Sequence[CodeFile]) -> str:
    rows = [(_code(f.path), str(f.lines)) for f in files if f.role == "test"]
    return _table(("File", "Lines"), rows)


def _dependencies(
    links: dict[tuple[int, int], float], tree: Tree, numbered: dict[int, CodeFile]
) -> str:
    edges: Counter[tuple[str, str]] = Counter()
    for user, definer in links:
        one, other = numbered[user], numbered[definer]
        if one.role == other.role == "source":
            pair = _module(one.path), _module(other.path)
            if pair[0] != pair[1]:
                edges[pair] += 1
    ordered = sorted(edges.items(), key=lambda item: (-item[1], item[0]))
    rows = [(_code(a), _code(b), str(n)) for (a, b), n in ordered]
    told = "Which directories use what others define: by names, as far as imports allow:\n\n"
    told += _table(("From", "To", "Links"), rows, _MOST_EDGES)
    for path, names in packages_of(tree, list(numbered.values())):
        shown = ", ".join(_code(name) for name in names[:_MOST_PACKAGES])
        more = f" and {len(names) - _MOST_PACKAGES} more" if len(names) > _MOST_PACKAGES else ""
        told += f"\n{_code(path)} asks for {shown}{more}\n"
    return told


def _module(path: str) -> str:
    parts = path.split("/")[:-1]
    skip = 2 if parts[:1] in (["src"], ["lib"], ["packages"], ["pkg"], ["internal"]) else 1
    return "/".join(parts[: skip + 1]) or "."


def _services(tree: Tree, files: Sequence[CodeFile]) -> str:
    rows = [
        (cell(s.name), cell(s.image), cell(s.ports), cell(s.depends), _code(s.path))
        for s in services_of(tree, files)
    ]
    return _table(("Service", "Image", "Ports", "Needs", "File"), rows)
