"""The common format of transcripts: turns, texts, lines, independent of the client."""
