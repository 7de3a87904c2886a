"""The documentation as a site: `make docs`. Why these tools: docs/decisions/0043-site.md.

The source is the repository's root, so that a link such as `../README.md` means the same on the
site as in a viewer of the repository. The order of the pages is that of docs/index.md.
"""

import re
from typing import Any

project = "Satchel"
html_title = "Satchel"
extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**.md"]
#: What a package index shows; its links lead nowhere else.
exclude_patterns = ["docs/description.md"]
source_suffix = {".md": "markdown"}

myst_heading_anchors = 4
myst_links_external_new_tab = False
#: Text in front of a reader, not code: quotes and dashes stay as they were written.
smartquotes = False
nitpicky = True

html_theme = "furo"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_last_updated_fmt = None
html_extra_path = ["site"]
pygments_style = "friendly"
pygments_dark_style = "monokai"


def contents(text: str) -> str:
    """Return the tables of contents that the headings and lists of the front page make.

    Args:
        text: the front page, as Markdown.
    """
    parts = []
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        pages = re.findall(r"^- \[([^\]]+)\]\(([^)#]+)\.md\)", part, re.MULTILINE)
        entries = "\n".join(
            f"{title} <{target}>" if target.startswith(("decisions/", "../README")) else target
            for title, target in pages
        )
        caption = part.partition("\n")[0]
        if entries:
            parts.append(f"```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{entries}\n```\n")
    return "\n".join(parts)


def _add_contents(_app: Any, name: str, source: list[str]) -> None:
    if name == root_doc:
        source[0] += "\n" + contents(source[0])


def setup(app: Any) -> None:
    """Let the front page say what the contents are."""
    app.connect("source-read", _add_contents)
