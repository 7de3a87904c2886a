"""Inbox events in canonical form, independent of the client.

Every event has `what`, and `session`, `agent`, `client`, `cwd` if known; the inbox adds `id`, `ts`
and, if the clock had jumped back, `wall`. More fields by `what`:

- command: `command`: a shell command that holds a marker of a memory; `made` as below
- commit: `made`: a line for each commit that a shell command made, id and first line
- dispatch: `to`, `prompt`: a subagent was started
- checkpoint: `trigger`, `transcript`: the session is being compacted or ends
- presence: `state` (online, offline), `reason`, `transcript`: a session began or ended
"""

COMMAND, DISPATCH, CHECKPOINT, PRESENCE = "command", "dispatch", "checkpoint", "presence"
COMMIT = "commit"

#: Longest dispatch prompt that is kept, characters, as in beads memory's hook.
PROMPT_CHARACTERS = 2048

#: The client hooks that Satchel always handles, by canonical name.
USUAL_EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PostToolUse",
    "PostToolUseFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "SessionEnd",
)
#: After a tool has run; some clients have a separate event for failures.
AFTER_TOOLS = ("PostToolUse", "PostToolUseFailure")
#: Before a tool runs: installed once there is a guard, because it costs a process for every call.
GUARDED_EVENT = "PreToolUse"
HOOK_EVENTS = (*USUAL_EVENTS, GUARDED_EVENT)
