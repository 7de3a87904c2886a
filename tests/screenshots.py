"""Makes the pictures of the documentation: `make screenshots`. A furnished console, a real browser.

With a directory as argument, every page goes there in both themes, at 1440 pixels and on a phone.
"""

import os
import sys
from typing import Any

from integration.console_shop import shop
from integration.console_stand import chromium, running, signed_in

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs", "images")
#: Those that the documentation shows, and what their files are called after.
PAGES = {
    "home": "home",
    "inbox": "inbox/s-{suggestion}",
    "memory": "memory/{memory}?tab=shown",
    "session": "sessions/{session}",
    "work": "work/{task}",
    "explore": "explore?focus=PaymentClient",
    "settings": "settings?section=brief",
}
_SHOWN = ("home", "inbox", "memory", "work")


def draw(page: Any, base: str, idents: dict[str, str], name: str, path: str) -> None:
    """Draw one page into a file."""
    page.goto(f"{base}/{PAGES[name].format(**idents)}")
    page.wait_for_selector("#live.on", state="attached")
    page.screenshot(path=path)
    print(os.path.relpath(path))


def main(folder: str = "") -> None:
    """Draw every page, and say where it went."""
    os.makedirs(folder or FOLDER, exist_ok=True)
    sizes = [(1440, 900), (390, 844)] if folder else [(1280, 800)]
    with chromium() as browser, shop() as (project, idents), running(project) as (address, token):
        base = f"{address}/console/{project.project.key}"
        for scheme in ("light", "dark") if folder else ("light",):
            for width, height in sizes:
                size = {"width": width, "height": height}
                with signed_in(browser, address, token, viewport=size, color_scheme=scheme) as page:
                    for name in PAGES if folder else _SHOWN:
                        more = f"-{scheme}-{width}" if folder else ""
                        path = os.path.join(folder or FOLDER, f"console-{name}{more}.png")
                        draw(page, base, idents, name, path)


if __name__ == "__main__":
    main(*sys.argv[1:2])
