"""How people say what lasts: patterns of sentences by what they do, and the forms made of them."""
