"""Storage: ledgers, the database seam, the inbox, settings, paths, locks, files that people own."""
