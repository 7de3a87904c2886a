"""Sessions: their states, messages and checkpoints, and the archive of what clients wrote.

Does not own the clients' formats, which `transcripts` reads.
"""
