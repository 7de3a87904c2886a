"""The thread behind code: lines, commits, sessions, prompts, memories, tasks and intent."""
