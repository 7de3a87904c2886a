"""Commands about routing: parse, call the workspace, print. No decision is made here."""
