"""Commands about health: parse, call the workspace, print. No decision is made here."""
