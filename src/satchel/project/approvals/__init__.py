"""Which of a repository's content the user trusts: rules, authorship, and the gate."""
