"""Application: what crosses subjects. Asks features; owns no ledger of theirs."""
