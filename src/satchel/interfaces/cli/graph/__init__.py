"""Commands about graph: parse, call the workspace, print. No decision is made here."""
