"""Commands about intent: parse, call the workspace, print. No decision is made here."""
