"""Commands about sharing: parse, call the workspace, print. No decision is made here."""
