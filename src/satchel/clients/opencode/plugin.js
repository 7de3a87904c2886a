// What opencode's plugin interface calls becomes calls of `satchel hook`. Whatever goes wrong
// here, opencode goes on.
import { spawn } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"

const data = process.env.XDG_DATA_HOME || path.join(os.homedir(), ".local", "share")
const transcripts = path.join(data, "opencode", "satchel")

// Call one hook; return what it answers, {} for nothing.
function hook(event, payload) {
  return new Promise((done) => {
    let said = ""
    const line = `${PROGRAM} hook ${event} --client opencode`
    const child = spawn("/bin/sh", ["-c", line], { stdio: ["pipe", "pipe", "ignore"], timeout: 5000 })
    child.on("error", () => done({}))
    child.stdin.on("error", () => {})
    child.stdout.on("data", (part) => { said += part })
    child.on("close", () => {
      try { done(said ? JSON.parse(said) : {}) } catch { done({}) }
    })
    child.stdin.end(JSON.stringify({ hook_event_name: event, ...payload }))
  })
}

const context = (answer) => answer.hookSpecificOutput?.additionalContext || ""

function words(parts, synthetic) {
  const texts = parts.filter((part) => part.type === "text" && (synthetic || !part.synthetic))
  return texts.map((part) => part.text).join("\n")
}

// Of what a tool answered, what no other place has: that it did, that a file is new, git's commits.
function result({ status, metadata, output }) {
  if (status !== "completed") return undefined
  if (metadata?.exists === false) return "Created file"
  return (output || "").split("\n").filter((one) => one.startsWith("[")).slice(0, 50).join("\n")
}

// One message as a line of the transcript.
function line(session, cwd, { info, parts }) {
  const calls = parts.filter((part) => part.type === "tool")
  const tools = calls.map((part) => ({
    name: part.tool, input: part.state?.input, ended: part.state?.time?.end,
    result: result(part.state || {}),
    error: part.state?.error || (part.state?.metadata?.exit ? part.state.output : ""),
    answers: part.state?.metadata?.answers,
  }))
  const model = info.modelID || info.model?.modelID || ""
  return JSON.stringify({
    type: "opencode.message", session, cwd, id: info.id, role: info.role, time: info.time?.created,
    model, text: words(parts, info.role !== "user"), tools,
  })
}

export const Satchel = async ({ client, directory }) => {
  const parents = new Map() // session -> the one that started it, "" for none
  const told = new Map() // session -> what is shown to its agent
  const ours = (session) => ({ session_id: session, cwd: directory })
  const file = (session) => path.join(transcripts, `${path.basename(session)}.jsonl`)

  async function save(session) {
    if (parents.get(session)) return // a subagent's: the agent asks it, not a person
    try {
      const { data: messages } = await client.session.messages({ path: { id: session } })
      fs.mkdirSync(transcripts, { recursive: true, mode: 0o700 })
      const text = messages.map((one) => line(session, directory, one) + "\n").join("")
      fs.writeFileSync(file(session), text, { mode: 0o600 })
    } catch {}
  }

  async function begin(session, agent) {
    if (told.has(session)) return
    const parent = parents.get(session)
    told.set(session, [])
    const source = parents.has(session) ? "startup" : "resume"
    const more = parent ? { agent_id: session, agent_type: agent || "general" } : { source }
    const answer = await hook(parent ? "SubagentStart" : "SessionStart", { ...ours(session), ...more })
    told.get(session).push(context(answer))
  }

  return {
    event: async ({ event }) => {
      if (event.type === "session.created") {
        parents.set(event.properties.info.id, event.properties.info.parentID || "")
      } else if (event.type === "session.idle") {
        await save(event.properties.sessionID)
      }
    },
    "chat.message": async (input, output) => {
      const session = input.sessionID
      await begin(session, input.agent)
      if (parents.get(session)) return
      const answer = await hook("UserPromptSubmit", { ...ours(session), prompt: words(output.parts) })
      told.get(session).push(context(answer))
    },
    "experimental.chat.system.transform": async (input, output) => {
      output.system.push(...(told.get(input.sessionID) || []).filter(Boolean))
    },
    "tool.execute.before": async (input, output) => {
      if (!GUARD) return
      const given = { ...output.args }
      if (given.filePath) given.file_path = given.filePath
      const call = { tool_name: input.tool, tool_input: given }
      const answer = await hook("PreToolUse", { ...ours(input.sessionID), ...call })
      const { permissionDecision, permissionDecisionReason } = answer.hookSpecificOutput || {}
      // There is no asking here: who cannot ask must not pass.
      if (["deny", "ask"].includes(permissionDecision)) throw new Error(permissionDecisionReason)
    },
    "tool.execute.after": async (input, output) => {
      if (!["bash", "task"].includes(input.tool)) return
      const tool_response = { exit_code: output.metadata?.exit ?? 0, output: output.output }
      const call = { tool_name: input.tool, tool_input: input.args, tool_response }
      const parent = parents.get(input.sessionID)
      const more = parent ? { agent_id: input.sessionID } : {}
      const told_ = context(await hook("PostToolUse", { ...ours(input.sessionID), ...call, ...more }))
      if (told_) output.output += "\n" + told_
    },
    "experimental.session.compacting": async (input) => {
      await save(input.sessionID)
      await hook("PreCompact", { ...ours(input.sessionID), transcript_path: file(input.sessionID), trigger: "auto" })
    },
    "shell.env": async (input, output) => {
      if (input.sessionID) output.env.SATCHEL_SESSION = input.sessionID
    },
    dispose: async () => {
      for (const session of told.keys()) {
        if (parents.get(session)) continue
        await hook("SessionEnd", { ...ours(session), transcript_path: file(session), reason: "other" })
      }
    },
  }
}
