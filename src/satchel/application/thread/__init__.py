"""Why code is so: lines, commits, sessions, prompts, memories, tasks and intent on one thread."""
