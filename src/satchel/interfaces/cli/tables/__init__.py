"""Commands about tables: parse, call the workspace, print. No decision is made here."""
