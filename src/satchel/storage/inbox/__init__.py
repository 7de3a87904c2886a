"""The inbox: hook events appended to disk. No database, nothing heavy.

Does not own: what an event means (capture), or when it is drained (by the first reader).
"""
