"""Commands about code: parse, call the workspace, print. No decision is made here."""
