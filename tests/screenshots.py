"""Makes the pictures of the documentation: `make screenshots`. A furnished console, a real browser."""

import os

from integration.console_stand import chromium, furnished, running, signed_in

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs", "images")
PAGES = {
    "overview": "overview",
    "review": "review",
    "search": "search?q=how+do+I+reach+staging",
    "tasks": "tasks",
}


def main() -> None:
    """Draw every page, and say where it went."""
    os.makedirs(FOLDER, exist_ok=True)
    with chromium() as browser, furnished() as (project, _), running(project) as (address, token):
        size = {"width": 1180, "height": 760}
        with signed_in(browser, address, token, viewport=size, color_scheme="light") as page:
            for name, path in PAGES.items():
                page.goto(f"{address}/console/{project.project.key}/{path}")
                page.screenshot(path=os.path.join(FOLDER, f"console-{name}.png"))
                print(f"docs/images/console-{name}.png")


if __name__ == "__main__":
    main()
