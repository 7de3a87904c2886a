"""Commands about learning: parse, call the workspace, print. No decision is made here."""
