"""Commands about memories: parse, call the workspace, print. No decision is made here."""
