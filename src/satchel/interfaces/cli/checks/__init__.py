"""Commands about checks: parse, call the workspace, print. No decision is made here."""
