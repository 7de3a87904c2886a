"""Chat: a model chosen by the user answers in a session. Satchel calls none on its own."""
