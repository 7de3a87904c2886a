"""Reflection: reads transcripts and captures, and queues suggestions for review."""
