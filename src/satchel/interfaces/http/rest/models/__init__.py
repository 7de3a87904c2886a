"""The REST API's requests and responses, by subject, with descriptions and examples.

Does not own: making them of the product's values (views), asking for them (routes).
"""
