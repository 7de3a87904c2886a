"""Commands that trace code back to conversations: parse, call, print."""
