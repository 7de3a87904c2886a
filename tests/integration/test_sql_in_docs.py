"""SQL that the documentation shows is run, as a reader would, on tables of a team's server."""

import psycopg
import pytest

from doc_blocks import Block, blocks_of, pages

pytest_plugins = ["postgresql_fixtures"]

SHOWN = [
    block
    for page in pages()
    for block in blocks_of(page)
    if block.language == "sql" and block.note != "checked"
]


def test_there_is_some() -> None:
    assert SHOWN


@pytest.mark.parametrize("block", SHOWN, ids=lambda block: block.place)
def test_sql_in_the_documentation_runs(block: Block, postgresql_url: str) -> None:
    with psycopg.connect(postgresql_url) as connection:
        connection.execute(block.text.encode())


def test_a_column_that_is_gone_is_noticed(postgresql_url: str) -> None:
    """Seeded bug: what a page would show after a column was renamed."""
    wrong = SHOWN[0].text.replace("predicate", "verb").replace("inhparent", "parent")
    with (
        psycopg.connect(postgresql_url) as connection,
        pytest.raises(psycopg.errors.UndefinedColumn),
    ):
        connection.execute(wrong.encode())
