"""The table of languages, with the grammar of each. Imports nothing."""

from __future__ import annotations

import os

from satchel.core.values import NamedTuple


def words_in(text: str) -> frozenset[str]:
    """Return a text's words: a compact way to write long lists."""
    return frozenset(text.split())


class Language(NamedTuple):
    """A language.

    Attributes:
        name: as spelled in code fences.
        module: the package of its grammar; "" if there is none here.
        function: the package's function that returns the grammar.
        rules: name of its query file in `languages/`; "" for the scanner of lines.
        comments: how a comment line begins.
        core: whether Satchel itself installs the grammar.
    """

    name: str
    module: str = ""
    rules: str = ""
    comments: tuple[str, ...] = ("//", "/*", "*")
    function: str = "language"
    core: bool = True


_HASH = ("#",)
LANGUAGES = {
    language.name: language
    for language in (
        Language("python", "tree_sitter_python", "python", _HASH),
        Language("javascript", "tree_sitter_javascript", "javascript"),
        Language(
            "typescript", "tree_sitter_typescript", "typescript", function="language_typescript"
        ),
        Language("tsx", "tree_sitter_typescript", "typescript", function="language_tsx"),
        Language("go", "tree_sitter_go", "go"),
        Language("rust", "tree_sitter_rust", "rust"),
        Language("java", "tree_sitter_java", "java"),
        Language("c", "tree_sitter_c", "c"),
        Language("cpp", "tree_sitter_cpp", "cpp"),
        Language("ruby", "tree_sitter_ruby", "ruby", _HASH),
        Language("kotlin", "tree_sitter_kotlin", "kotlin", core=False),
        Language("swift", "tree_sitter_swift", "swift", core=False),
        Language("php", "tree_sitter_php", "php", function="language_php", core=False),
        Language("csharp", "tree_sitter_c_sharp", "csharp", core=False),
        Language("bash", "tree_sitter_bash", "bash", _HASH, core=False),
        # Their scripts are read as TypeScript: see `parsing.py`.
        Language("svelte"),
        Language("vue"),
        # Read line by line: see `parsing.py`.
        Language("scala"),
        Language("lua", comments=("--",)),
        Language("elixir", comments=_HASH),
        Language("dart"),
        Language("perl", comments=_HASH),
        Language("zig"),
        Language("sql", comments=("--",)),
        Language("powershell", comments=_HASH),
        Language("groovy"),
        Language("objectivec"),
        Language("haskell", comments=("--",)),
        Language("proto"),
        Language("graphql", comments=_HASH),
        Language("terraform", comments=_HASH),
        Language("julia", comments=_HASH),
        Language("r", comments=_HASH),
        Language("nix", comments=_HASH),
        Language("solidity"),
        # Text: words, no symbols.
        Language("markdown", comments=()),
        Language("rst", comments=()),
        Language("text", comments=()),
        Language("html", comments=()),
        Language("css", comments=()),
        Language("json", comments=()),
        Language("yaml", comments=_HASH),
        Language("toml", comments=_HASH),
        Language("ini", comments=("#", ";")),
        Language("xml", comments=()),
        Language("makefile", comments=_HASH),
        Language("dockerfile", comments=_HASH),
    )
}

#: Files whose scripts are read with another language's grammar.
_MARKUP = frozenset({"svelte", "vue"})


def is_scanned(name: str) -> bool:
    """Return whether a language is scanned line by line for lack of a grammar."""
    known = LANGUAGES.get(name)
    return known is not None and not known.rules and name not in TEXTS and name not in _MARKUP


_BY_ENDING = {
    ending: name
    for name, endings in {
        "python": "py pyi pyw", "javascript": "js jsx mjs cjs", "typescript": "ts mts cts",
        "tsx": "tsx", "go": "go", "rust": "rs", "java": "java", "c": "c h",
        "cpp": "cc cpp cxx c++ hh hpp hxx h++ ipp inl cu cuh", "ruby": "rb rake gemspec ru",
        "kotlin": "kt kts", "swift": "swift", "php": "php phtml", "csharp": "cs",
        "bash": "sh bash zsh bats", "svelte": "svelte", "vue": "vue", "scala": "scala sc",
        "lua": "lua", "elixir": "ex exs", "dart": "dart", "perl": "pl pm t", "zig": "zig",
        "sql": "sql", "powershell": "ps1 psm1", "groovy": "groovy gradle", "objectivec": "m mm",
        "haskell": "hs", "proto": "proto", "graphql": "graphql gql", "terraform": "tf tfvars hcl",
        "julia": "jl", "r": "r", "nix": "nix", "solidity": "sol",
        "markdown": "md markdown mdx mdc", "rst": "rst", "text": "txt adoc text",
        "html": "html htm astro hbs ejs jinja j2 tmpl tpl", "css": "css scss sass less",
        "json": "json jsonc json5", "yaml": "yaml yml", "toml": "toml",
        "ini": "ini cfg conf properties env editorconfig",
        "xml": "xml plist xib storyboard csproj vcxproj props", "makefile": "mk mak cmake",
        "dockerfile": "dockerfile",
    }.items()
    for ending in endings.split()
}  # fmt: skip
_BY_NAME = {
    "makefile": "makefile", "gnumakefile": "makefile", "justfile": "makefile",
    "cmakelists.txt": "makefile", "dockerfile": "dockerfile", "containerfile": "dockerfile",
    "gemfile": "ruby", "rakefile": "ruby", "podfile": "ruby", "vagrantfile": "ruby",
    "jenkinsfile": "groovy", "go.mod": "text", "build": "text", "build.bazel": "text",
}  # fmt: skip
_BY_INTERPRETER = (
    ("python", "python"), ("node", "javascript"), ("deno", "typescript"), ("ruby", "ruby"),
    ("bash", "bash"), ("zsh", "bash"), ("sh", "bash"), ("perl", "perl"), ("lua", "lua"),
)  # fmt: skip


def language_of(path: str, first_line: str = "") -> str:
    """Return a file's language by its name, or else its first line; "" if unknown."""
    name = os.path.basename(path).lower()
    if name in _BY_NAME:
        return _BY_NAME[name]
    if name.startswith(("dockerfile.", "makefile.")):
        return name.partition(".")[0]
    ending = os.path.splitext(name)[1].lstrip(".")
    if ending in _BY_ENDING:
        return _BY_ENDING[ending]
    if first_line.startswith("#!"):
        for program, language in _BY_INTERPRETER:
            if program in first_line:
                return language
    return ""


#: Languages without definitions.
TEXTS = frozenset(
    {"markdown", "rst", "text", "html", "css", "json", "yaml", "toml", "ini", "xml", "makefile",
     "dockerfile", ""}
)  # fmt: skip
