"""Commands about upkeep: parse, call the workspace, print. No decision is made here."""
