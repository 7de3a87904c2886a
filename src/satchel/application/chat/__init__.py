"""Chat: a model that a person chose answers in a session. Satchel calls none by itself."""
