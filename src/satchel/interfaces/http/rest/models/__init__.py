"""What the REST API takes and gives, by subject: each field with what it means and an example.

Does not own: making them of the product's values (views), asking for them (routes).
"""
