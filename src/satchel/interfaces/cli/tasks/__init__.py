"""Commands about tasks: parse, call the workspace, print. No decision is made here."""
