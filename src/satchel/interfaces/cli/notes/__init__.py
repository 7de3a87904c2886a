"""Commands about notes: parse, call the workspace, print. No decision is made here."""
