"""Commands about briefs: parse, call the workspace, print. No decision is made here."""
