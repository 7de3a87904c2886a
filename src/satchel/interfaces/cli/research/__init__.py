"""Commands about research: parse, call the workspace, print. No decision is made here."""
