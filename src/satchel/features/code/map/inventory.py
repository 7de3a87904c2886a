"""The codebase map's facts about a project besides its code, from small files."""

from __future__ import annotations

import re
from collections.abc import Sequence

from satchel.core import quick_json
from satchel.core.errors import BadInputError
from satchel.core.shapes import dict_of
from satchel.core.values import Any, NamedTuple
from satchel.features.code.map.reading import Tree
from satchel.features.code.symbols.values import CodeFile

_MOST_BYTES = 200_000
_SOUL = re.compile(r"(?:^|/)SOUL\.md$", re.IGNORECASE)
_FIELD = re.compile(
    r"^[^\w\n]*(role|division)[^\w\n:|]*[:|][^\w\n|]*([^|\n]+)", re.IGNORECASE | re.MULTILINE
)
_COMPOSE = re.compile(r"(?:^|/)(?:docker-)?compose[\w.-]*\.ya?ml$", re.IGNORECASE)
_MCP = re.compile(
    r"(?:^|/)(?:\.?mcp(?:-servers)?\.json|mcp\.json|settings(?:\.local)?\.json|"
    r"claude_desktop_config\.json|\.gemini/settings\.json)$"
)
_SERVER_FOLDER = re.compile(r"(?:[^/]+/)*?mcp[-_]servers?/[^/]+/", re.IGNORECASE)
_BEGINS = re.compile(r"(?:src/|dist/)?(?:index|server|main|__main__)\.\w+|package\.json")
_SAYS_NOTHING = ("shellcheck", "copyright", "spdx", "-*-", "vim:")


class Agent(NamedTuple):
    """An agent by its SOUL.md."""

    name: str
    division: str
    role: str
    path: str


class Service(NamedTuple):
    """A service of a compose file."""

    name: str
    image: str
    ports: str
    depends: str
    path: str


class Server(NamedTuple):
    """An MCP server that a project configures or contains, without its environment (secrets)."""

    name: str
    runs: str
    path: str


def text_of(tree: Tree, path: str) -> str:
    """Return a file's text, or the start of a long one; "" if unreadable."""
    return tree.data(path, _MOST_BYTES)[:_MOST_BYTES].decode("utf-8", "replace")


def agents_of(tree: Tree, files: Sequence[CodeFile]) -> list[Agent]:
    """Return the agents that have a SOUL.md, with the role and division it states."""
    found = []
    for file in files:
        if _SOUL.search(file.path):
            text = text_of(tree, file.path)
            fields = {name.lower(): value.strip(" *`") for name, value in _FIELD.findall(text)}
            parts = file.path.split("/")
            role = fields.get("role", "") or _section(text, "role")
            division = fields.get("division", "") or _section(text, "division")
            name = parts[-2] if len(parts) > 1 else "(project)"
            found.append(Agent(name, division, role[:120], file.path))
    return found


def _section(text: str, name: str) -> str:
    match = re.search(rf"^#+[ \t]*{name}[ \t\r]*\n\s*([^\n#]+)", text, re.IGNORECASE | re.MULTILINE)
    return match.group(1).strip(" *`-") if match else ""


def script_about(tree: Tree, path: str) -> str:
    """Return a script's description: its first comment or its docstring."""
    for line in text_of(tree, path).splitlines()[:15]:
        bare = line.strip()
        if not bare or bare.startswith("#!") or set(bare) <= set("#=-*/ "):
            continue
        told = bare.strip("#/*-\"'` ").strip()
        if bare.startswith(("#", "//", '"""', "'''", "/*", "*", "--")):
            if told and not told.lower().startswith(_SAYS_NOTHING):
                return told[:140]
            continue
        return ""
    return ""


def servers_of(tree: Tree, files: Sequence[CodeFile]) -> list[Server]:
    """Return the MCP servers in all configuration files."""
    found = []
    for file in files:
        if not _MCP.search(file.path):
            continue
        try:
            told = quick_json.loads(text_of(tree, file.path))
        except ValueError:
            continue
        servers = told.get("mcpServers", told.get("servers")) if isinstance(told, dict) else None
        for name, given in sorted(servers.items()) if isinstance(servers, dict) else ():
            found.append(Server(str(name), _runs(given), file.path))
    configured = {server.name for server in found}
    return [*found, *(one for one in _servers_by_folder(files) if one.name not in configured)]


def _servers_by_folder(files: Sequence[CodeFile]) -> list[Server]:
    """Return the servers with their own folder, configured or not."""
    folders: dict[str, list[str]] = {}
    for file in files:
        match = _SERVER_FOLDER.match(file.path)
        if match:
            folders.setdefault(match[0], []).append(file.path)
    found = []
    for folder, paths in sorted(folders.items()):
        begins = [path for path in paths if _BEGINS.fullmatch(path[len(folder) :])]
        runs = min(begins, key=lambda path: (path.count("/"), path), default="")
        found.append(Server(folder.rstrip("/").rpartition("/")[2], runs, folder))
    return found


def _runs(given: Any) -> str:
    if not isinstance(given, dict):
        return ""
    address = given.get("url") or given.get("httpUrl")
    if isinstance(address, str):
        return address.split("?")[0].split("@")[-1]
    return str(given.get("command", ""))


def services_of(tree: Tree, files: Sequence[CodeFile]) -> list[Service]:
    """Return the services of compose files."""
    from satchel.engine.markdown.yaml_text import read_yaml

    found = []
    for file in files:
        if not _COMPOSE.search(file.path):
            continue
        try:
            told = read_yaml(text_of(tree, file.path))
        except BadInputError:
            continue
        services = told.get("services") if isinstance(told, dict) else None
        for name, given in services.items() if isinstance(services, dict) else ():
            one = dict_of(given)
            image = one.get("image") or (f"build {_build(one['build'])}" if "build" in one else "")
            found.append(
                Service(
                    str(name),
                    str(image),
                    _joined(one.get("ports")),
                    _joined(one.get("depends_on")),
                    file.path,
                )
            )
    return found


def _build(given: Any) -> str:
    return str(given.get("context", ".")) if isinstance(given, dict) else str(given)


def _joined(given: Any) -> str:
    if isinstance(given, dict):
        return ", ".join(str(name) for name in given)
    return ", ".join(str(one) for one in given) if isinstance(given, list) else str(given or "")


def packages_of(tree: Tree, files: Sequence[CodeFile]) -> list[tuple[str, list[str]]]:
    """Return required packages by manifest, at most two directories down."""
    found = []
    for file in files:
        name = file.path.rsplit("/", 1)[-1]
        if file.path.count("/") > 2 or name not in _MANIFESTS:  # noqa: PLR2004
            continue
        names = sorted(dict.fromkeys(_MANIFESTS[name](text_of(tree, file.path))))
        if names:
            found.append((file.path, names))
    return found


def _of_package_json(text: str) -> list[str]:
    try:
        told = quick_json.loads(text)
    except ValueError:
        return []
    keys = ("dependencies", "devDependencies") if isinstance(told, dict) else ()
    parts = [told.get(key) for key in keys]
    return [str(name) for part in parts if isinstance(part, dict) for name in part]


def _toml(text: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}


def _of_pyproject(text: str) -> list[str]:
    project = _toml(text).get("project", {})
    given = project.get("dependencies", []) if isinstance(project, dict) else []
    return [re.split(r"[\s\[<>=!~;(]", str(one))[0] for one in given if isinstance(one, str)]


def _of_requirements(text: str) -> list[str]:
    lines = (line.strip() for line in text.splitlines())
    return [re.split(r"[\s\[<>=!~;(@]", line)[0] for line in lines if line[:1].isalpha()]


_GO_MODULE = re.compile(r"^[ \t]*(?:require[ \t]+)?([\w-]+\.[\w./-]+)[ \t]+v\d", re.MULTILINE)
_GEM = re.compile(r"^[ \t]*gem[ \t]+[\"']([\w-]+)", re.MULTILINE)


def _of_go_mod(text: str) -> list[str]:
    direct = "\n".join(line for line in text.splitlines() if "// indirect" not in line)
    return _GO_MODULE.findall(direct)


def _of_cargo(text: str) -> list[str]:
    given = _toml(text).get("dependencies", {})
    return [str(name) for name in given] if isinstance(given, dict) else []


def _of_gemfile(text: str) -> list[str]:
    return _GEM.findall(text)


_MANIFESTS = {
    "package.json": _of_package_json,
    "pyproject.toml": _of_pyproject,
    "requirements.txt": _of_requirements,
    "go.mod": _of_go_mod,
    "Cargo.toml": _of_cargo,
    "Gemfile": _of_gemfile,
}
