"""What is done about a statement as soon as it is made: asked about, compared, taken back."""
