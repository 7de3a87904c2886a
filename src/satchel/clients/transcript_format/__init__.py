"""What all transcripts are read into: turns, texts, lines. No client's own format."""
