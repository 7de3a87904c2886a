"""Commands about instincts: parse, call the workspace, print. No decision is made here."""
