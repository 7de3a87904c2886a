"""Commands about agents: parse, call the workspace, print. No decision is made here."""
