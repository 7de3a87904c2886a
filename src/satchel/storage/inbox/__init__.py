"""The inbox: hook events, appended to disk and nothing more. No database, nothing heavy.

Does not own: what an event means (capture), or when it is drained (whoever reads first).
"""
