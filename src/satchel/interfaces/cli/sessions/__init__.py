"""Commands about sessions: parse, call the workspace, print. No decision is made here."""
