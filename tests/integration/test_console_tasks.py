"""The nine tasks of the console, by mouse and by keys alone, on a project of two weeks."""

from typing import Any

import pytest

from integration.console_shop import shop
from integration.console_stand import chromium, running
from integration.console_tasks import browsing, do_all, told

pytestmark = pytest.mark.xdist_group("console")


@pytest.mark.parametrize("keys", [False, True], ids=["mouse", "keys"])
def test_what_people_come_for_is_done_in_a_few_steps(capsys: Any, *, keys: bool) -> None:
    with chromium() as browser, shop() as (project, idents), running(project) as (address, token):
        with browsing(browser, address, token) as page:
            base = f"{address}/console/{project.project.key}"
            done = do_all(page, base, project, idents, keys=keys)
    with capsys.disabled():
        print("\n" + told(done))
    assert all(one.seconds < 10 for one in done)
