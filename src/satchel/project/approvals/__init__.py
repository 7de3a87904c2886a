"""What the user trusts of a repository's content: rules, authorship, and the gate."""
