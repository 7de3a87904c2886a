"""Blocks written by `instructions compile`: shown once, keeping the text around them."""

from __future__ import annotations

import os
from collections.abc import Mapping

from satchel.clients.settings_files.rule_blocks import Block
from satchel.core.errors import ConflictError
from satchel.core.trust import clean_text
from satchel.core.values import NamedTuple
from satchel.features.instructions.places import CLIENTS

#: A text without these words has no block, and the parser need not be loaded.
_WORDS = "SATCHEL RULES"
#: Where compiled rules go.
_FILES = {one.rules.file for one in CLIENTS.values()}


class Part(NamedTuple):
    """A part of a file's text, and its first line in the file."""

    text: str
    first_line: int


class CompiledRules:
    """The compiled blocks of one run: which are shown, and through which file.

    Args:
        sources: texts that are shown, by the real paths of their files; rules may come from them.
        imports: whether imports of those texts are shown, as they are in a block.
    """

    def __init__(self, sources: Mapping[str, str], *, imports: bool) -> None:
        self._sources, self._imports = sources, imports
        self._shown: dict[str, str] = {}

    def parts(self, path: str, text: str, first_line: int) -> tuple[list[Part], str]:
        """Return the parts of a file to show, and the file that shows the rest; "" for none.

        An edited block counts as its file's own text.
        """
        block = _block(path, text)
        if block is None:
            return [Part(clean_text(text), first_line)], ""
        source = _source(path, block)
        if self._shows(source, block):
            shown_by = source
        elif (shown_by := self._shown.setdefault(block.hash, path)) == path:
            return [Part(clean_text(text), first_line)], ""
        below = Part(text[block.end :], first_line + text.count("\n", 0, block.end))
        around = (Part(text[: block.start], first_line), below)
        return [Part(clean_text(p.text), p.first_line) for p in around if p.text.strip()], shown_by

    def note(self, path: str, text: str) -> None:
        """Count a file's block as shown, because the client reads the file itself."""
        self.parts(path, text, 1)

    def _shows(self, source: str, block: Block) -> bool:
        """Return whether the source itself is shown, perhaps newer than the block."""
        text = self._sources.get(os.path.realpath(source)) if source else None
        return text is not None and (self._imports or text.strip() == block.body.strip())


def _block(path: str, text: str) -> Block | None:
    """Return a text's block as `compile` wrote it; None if it is edited or broken."""
    if _WORDS not in text:
        return None
    from satchel.clients.settings_files import rule_blocks

    try:
        block = rule_blocks.block_in(text, path)
    except ConflictError:
        return None
    return block if block and rule_blocks.hash_of(block.body) == block.hash else None


def _source(path: str, block: Block) -> str:
    """Return the path of the source of a compiled block; "" if there is none."""
    for name in _FILES:
        if path.endswith(f"/{name}"):
            return os.path.join(path.removesuffix(name), block.source)
    return ""
