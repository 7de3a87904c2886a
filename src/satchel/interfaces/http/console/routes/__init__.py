"""Pages by what a person does on them."""
