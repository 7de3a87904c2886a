"""Commands about guards: parse, call the workspace, print. No decision is made here."""
