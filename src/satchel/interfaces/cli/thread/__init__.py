"""Commands about the thread from code to conversation: parse, call, print."""
