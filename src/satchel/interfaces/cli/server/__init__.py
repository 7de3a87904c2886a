"""Commands about server: parse, call the workspace, print. No decision is made here."""
