"""The REST API's requests and responses, by subject, with descriptions and examples.

Does not own: building them from the product's values (views), or requesting them (routes).
"""
