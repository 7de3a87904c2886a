"""Commands about shell: parse, call the workspace, print. No decision is made here."""
