"""From what an agent does to what is worth remembering.

Reads shell commands and comments and says which memories they contain. It does not own where
memories are kept, and reads no file: whoever calls it has the text already.
"""
