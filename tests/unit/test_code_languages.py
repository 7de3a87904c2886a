"""Definitions, their kinds and lines, in every language that the map reads; routes; components."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.features.code.symbols import grammars
from satchel.features.code.symbols.languages import LANGUAGES
from satchel.features.code.symbols.parsing import parse, scan
from satchel.features.code.symbols.values import KINDS

SOURCES: dict[str, tuple[str, list[tuple[str, str, int, int]]]] = {
    "walrus.py": (
        ('LIMIT = 3\n\n\nclass Walrus(Base):\n    """Swims."""\n\n    def swim(self, far: int) -> None:\n'
        "        dive(far)\n\n\n@cached\ndef dive(far):\n    return far\n"),
        [
            ("variable", "LIMIT", 1, 1),
            ("class", "Walrus", 4, 8),
            ("method", "Walrus.swim", 7, 8),
            ("function", "dive", 12, 13),
        ],
    ),
    "walrus.js": (
        ("const limit = 3;\nclass Walrus extends Base {\n  swim(far) {\n    dive(far);\n  }\n}\n"
        "export const dive = (far) => far;\nfunction rest() {}\n"),
        [
            ("variable", "limit", 1, 1),
            ("class", "Walrus", 2, 6),
            ("method", "Walrus.swim", 3, 5),
            ("function", "dive", 7, 7),
            ("function", "rest", 8, 8),
        ],
    ),
    "walrus.ts": (
        ("export interface Swimmer {\n  swim(far: number): void;\n}\ntype Far = number;\n"
        "export class Walrus implements Swimmer {\n  swim(far: Far): void {\n    dive(far);\n  }\n}\n"
        "export async function dive(far: Far) {}\nenum Sea { Deep }\n"),
        [
            ("interface", "Swimmer", 1, 3),
            ("method", "Swimmer.swim", 2, 2),
            ("type", "Far", 4, 4),
            ("class", "Walrus", 5, 9),
            ("method", "Walrus.swim", 6, 8),
            ("function", "dive", 10, 10),
            ("type", "Sea", 11, 11),
        ],
    ),
    "Walrus.tsx": (
        "export function Walrus() {\n  return <Tusk long />;\n}\nconst helper = () => 1;\n",
        [("component", "Walrus", 1, 3), ("function", "helper", 4, 4)],
    ),
    "walrus.go": (
        ("package sea\n\ntype Walrus struct {\n\tName string\n}\n\ntype Swimmer interface {\n"
        "\tSwim()\n}\n\ntype Far int\n\nconst Limit = 3\n\nfunc (w *Walrus) Swim() {\n\tDive()\n}\n\n"
        "func Dive() {}\n"),
        [
            ("class", "Walrus", 3, 5),
            ("interface", "Swimmer", 7, 9),
            ("type", "Far", 11, 11),
            ("variable", "Limit", 13, 13),
            ("method", "Walrus.Swim", 15, 17),
            ("function", "Dive", 19, 19),
        ],
    ),
    "walrus.rs": (
        ("pub struct Walrus;\n\ntrait Swimmer {\n    fn swim(&self);\n}\n\nimpl Swimmer for Walrus {\n"
        "    fn swim(&self) {\n        dive()\n    }\n}\n\nmod deep {\n    fn rest() {}\n}\n\n"
        "fn dive() {}\nenum Sea { Deep }\n"),
        [
            ("class", "Walrus", 1, 1),
            ("interface", "Swimmer", 3, 5),
            ("method", "Swimmer.swim", 4, 4),
            ("method", "Walrus.swim", 8, 10),
            ("function", "deep.rest", 14, 14),
            ("function", "dive", 17, 17),
            ("type", "Sea", 18, 18),
        ],
    ),
    "Walrus.java": (
        ("package sea;\n\npublic class Walrus implements Swimmer {\n  static final int LIMIT = 3;\n\n"
        "  public Walrus() {}\n\n  public void swim(int far) {\n    dive(far);\n  }\n}\n\n"
        "interface Swimmer {}\nenum Sea { DEEP }\n"),
        [
            ("class", "Walrus", 3, 11),
            ("variable", "Walrus.LIMIT", 4, 4),
            ("method", "Walrus.Walrus", 6, 6),
            ("method", "Walrus.swim", 8, 10),
            ("interface", "Swimmer", 13, 13),
            ("type", "Sea", 14, 14),
        ],
    ),
    "walrus.c": (
        ("#define LIMIT 3\ntypedef struct walrus {\n  int far;\n} walrus_t;\nenum sea { DEEP };\n"
        "static int dive(int far) {\n  return far;\n}\nchar *name(void) { return 0; }\n"),
        [
            ("variable", "LIMIT", 1, 1),
            ("type", "walrus_t", 2, 4),
            ("class", "walrus", 2, 4),
            ("type", "sea", 5, 5),
            ("function", "dive", 6, 8),
            ("function", "name", 9, 9),
        ],
    ),
    "walrus.cpp": (
        ("namespace sea {\nclass Walrus {\n public:\n  void swim(int far) { dive(far); }\n  int deep();\n"
        "};\n}\nint sea::Walrus::deep() {\n  return 1;\n}\nusing Far = int;\n"
        "template <class T> T dive(T far) { return far; }\n"),
        [
            ("class", "sea.Walrus", 2, 6),
            ("method", "sea.Walrus.swim", 4, 4),
            ("method", "sea.Walrus.deep", 5, 5),
            ("method", "Walrus.deep", 8, 10),
            ("type", "Far", 11, 11),
            ("function", "dive", 12, 12),
        ],
    ),
    "walrus.rb": (
        ("LIMIT = 3\nmodule Sea\n  class Walrus < Base\n    def swim(far)\n      dive far\n    end\n\n"
        "    def self.born; end\n  end\nend\n\ndef dive(far); end\n"),
        [
            ("variable", "LIMIT", 1, 1),
            ("class", "Sea", 2, 10),
            ("class", "Sea.Walrus", 3, 9),
            ("method", "Sea.Walrus.swim", 4, 6),
            ("method", "Sea.Walrus.born", 8, 8),
            ("function", "dive", 12, 12),
        ],
    ),
    "Walrus.svelte": (
        ("<script lang=\"ts\">\n  import Tusk from './Tusk.svelte';\n  export function swim() {\n"
        "    return 1;\n  }\n</script>\n<Tusk />\n"),
        [("component", "Walrus", 1, 8), ("function", "swim", 3, 5)],
    ),
    "Walrus.vue": (
        "<template>\n  <Tusk/>\n</template>\n<script setup>\nconst swim = () => 1\n</script>\n",
        [("component", "Walrus", 1, 7), ("function", "swim", 5, 5)],
    ),
    "walrus.lua": (
        "-- function no()\nlocal function dive(far)\n  return far\nend\n\nfunction Walrus.swim()\nend\n",
        [("function", "dive", 2, 4), ("function", "Walrus.swim", 6, 7)],
    ),
    "walrus.proto": (
        "message Walrus {\n  int32 far = 1;\n}\n\nservice Sea {\n  rpc Dive(Walrus) returns (Walrus);\n}\n",
        [("class", "Walrus", 1, 3), ("interface", "Sea", 5, 5), ("function", "Dive", 6, 7)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("path", SOURCES)
def test_what_a_language_defines_is_found_with_its_kind_and_lines(path: str) -> None:
    text, expected = SOURCES[path]
    found = parse(path, text.encode())
    told = [(s.kind, s.qualified, s.line, s.end_line) for s in found.symbols]
    assert told == expected
    assert found.warning == ""


@pytest.mark.parametrize(
    "path", [p for p in SOURCES if not p.endswith((".lua", ".proto", ".svelte", ".vue", ".tsx"))]
)
def test_what_a_language_calls_is_a_reference(path: str) -> None:
    names = {reference.name for reference in parse(path, SOURCES[path][0].encode()).references}
    assert names & {"dive", "Dive"} or path == "walrus.c"


def test_a_definition_is_no_use_of_itself() -> None:
    parsed = parse("a.go", b"package a\ntype Walrus struct{}\nfunc F() {}\n")
    assert "Walrus" not in {reference.name for reference in parsed.references}


def test_signature_and_documentation_are_what_stands_above_and_before_the_body() -> None:
    python = parse(
        "a.py", b'def dive(far: int) -> int:\n    """Go deep.\n\n    Slowly."""\n'
    ).symbols
    assert python[0].signature == "def dive(far: int) -> int"
    assert python[0].documentation == "Go deep. Slowly."
    go = parse(
        "a.go", b"package a\n\n// Dive goes deep.\n// Slowly.\nfunc Dive(far int) error {\n}\n"
    )
    assert go.symbols[0].signature == "func Dive(far int) error"
    assert go.symbols[0].documentation == "Dive goes deep. Slowly."
    java = parse(
        "A.java", b"/** Swims. */\n@Service\npublic class A extends B { int x; }\n"
    ).symbols
    assert java[0].documentation == "Swims."


def test_routes_are_found_however_they_are_declared() -> None:
    def routes(path: str, text: str) -> list[tuple[str, str]]:
        found = parse(path, text.encode()).symbols
        return [(s.name, s.parent) for s in found if s.kind == "route"]

    flask = '@app.get("/walrus/{id}")\n@cached\nasync def one(id):\n    pass\n'
    assert routes("api.py", flask) == [("GET /walrus/{id}", "one")]
    assert routes("api.js", "router.post('/walrus', (q, a) => a.end())\n") == [("POST /walrus", "")]
    assert routes("api.js", "const r = await axios.get('/walrus')\nclient.get('/x', {})\n") == []
    go = 'package a\nfunc main() {\n\thttp.HandleFunc("GET /walrus", dive)\n}\n'
    assert routes("main.go", go) == [("GET /walrus", "")]
    java = 'class A {\n  @GetMapping("/walrus")\n  public String one() { return ""; }\n}\n'
    assert routes("A.java", java) == [("GET /walrus", "A.one")]
    svelte = "export async function GET() {}\nexport function POST() {}\n"
    assert routes("src/routes/api/walrus/+server.ts", svelte) == [
        ("GET /api/walrus", "GET"),
        ("POST /api/walrus", "POST"),
    ]
    assert routes("config/routes.rb", "get '/walrus', to: 'w#one'\n") == [("GET /walrus", "")]


def test_broken_syntax_gives_what_can_be_made_out() -> None:
    found = parse("a.py", b"def whole():\n    pass\n\nclass Half(\n\ndef other(:\n  x = = 3\n")
    assert "whole" in {symbol.name for symbol in found.symbols}


def test_without_its_grammar_a_language_is_read_line_by_line_with_a_warning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(grammars._grammars, "python", "not installed")
    found = parse("a.py", b"class Walrus:\n    def swim(self):\n        pass\n")
    assert [(s.kind, s.name, s.line) for s in found.symbols] == [
        ("class", "Walrus", 1),
        ("function", "swim", 2),
    ]
    assert "no grammar for python" in found.warning


PATHS = ["a" + e for e in (".py", ".js", ".ts", ".tsx", ".go", ".rs", ".java", ".c", ".h", ".cpp",
                           ".rb", ".svelte", ".vue", ".lua", ".md", ".kt", ".sh")]  # fmt: skip


@given(st.sampled_from(PATHS), st.binary(max_size=400))
def test_no_bytes_make_the_parser_fail_and_ranges_lie_in_the_file(path: str, data: bytes) -> None:
    check(path, data)


_PIECES = st.sampled_from(
    ["class A", "def f(", ")", "{", "}", ":", "\n", "    ", "func ", "fn ", "<script>", "</script>",
     '"""', "'", "\\", "@app.get('/x')", "impl X ", "=>", "interface I", "\0", "é", "struct s", ";"]
)  # fmt: skip


@given(st.sampled_from(PATHS), st.lists(_PIECES, max_size=60).map("".join))
def test_no_text_of_code_pieces_does_either(path: str, text: str) -> None:
    check(path, text.encode())


def check(path: str, data: bytes) -> None:
    parsed = parse(path, data)
    lines = data.count(b"\n") + 1
    for symbol in parsed.symbols:
        assert symbol.kind in KINDS
        assert 1 <= symbol.line <= symbol.end_line <= lines
        assert symbol.name
    assert all(r.times >= 1 and 1 <= r.line <= lines for r in parsed.references)


@given(st.text(max_size=300))
def test_the_scanner_of_lines_knows_no_failure(text: str) -> None:
    for symbol in scan(text, "lua", ("--",)).symbols:
        assert 1 <= symbol.line <= symbol.end_line


def test_every_core_grammar_is_installed() -> None:
    core = [language.name for language in LANGUAGES.values() if language.rules and language.core]
    assert len(core) == 10
    for name in core:
        assert grammars.grammar_of(name).language.name == name


@pytest.mark.parametrize("path", ["a.py", "a.js", "a.go", "a.cpp", "a.rb"])
@pytest.mark.parametrize("piece", ["[", "a.", "f(", ")", "@", "{"])
def test_a_flood_of_pieces_ends_soon_and_whole(path: str, piece: str) -> None:
    began = time.perf_counter()
    check(path, b"def walrus():\n    x = " + piece.encode() * 60_000)
    check(path, b"def walrus():\n    x = " + (piece.encode() + b"\n") * 20_000)
    # By the square it would take a minute.
    assert time.perf_counter() - began < 20


def test_what_is_too_deep_for_a_grammar_is_read_line_by_line() -> None:
    found = parse("a.py", b"def walrus():\n    pass\n\nx = " + b"a." * 3000 + b"a\n")
    assert [symbol.name for symbol in found.symbols] == ["walrus"]
    assert "too deep" in found.warning
