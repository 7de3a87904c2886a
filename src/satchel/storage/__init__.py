"""Storage: ledgers, databases, the inbox, settings, paths, locks, files that users own."""
