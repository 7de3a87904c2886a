"""How useful memories were to the sessions that were shown them."""
