"""Sessions: their states, messages and checkpoints, and the archive of clients' transcripts.

Does not own the clients' formats, which `transcripts` reads.
"""
