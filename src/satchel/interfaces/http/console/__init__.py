"""The console: server-rendered pages for people, in a browser."""
