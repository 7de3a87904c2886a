"""Commands about instructions: parse, call the workspace, print. No decision is made here."""
