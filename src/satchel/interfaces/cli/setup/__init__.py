"""Commands about setup: parse, call the workspace, print. No decision is made here."""
