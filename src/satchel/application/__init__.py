"""Application: whatever spans several features. Calls features; owns none of their ledgers."""
