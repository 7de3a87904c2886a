// A session of the official TypeScript SDK over both transports, in both eras of the protocol.
// Usage: node client.mjs '{"command","cwd","env","url","token"}'; prints what each session saw.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const given = JSON.parse(process.argv[2]);

const overStdio = () =>
  new StdioClientTransport({ command: given.command, args: ["mcp"], cwd: given.cwd, env: given.env });
const overHttp = () =>
  new StreamableHTTPClientTransport(new URL(given.url), {
    requestInit: { headers: { Authorization: `Bearer ${given.token}` } },
  });

async function session(transport, make, mode) {
  const client = new Client(
    { name: "typescript", version: "1" },
    { versionNegotiation: { mode } },
  );
  await client.connect(make());
  const tools = (await client.listTools()).tools;
  const found = await client.callTool({ name: "recall", arguments: { question: "pnpm" } });
  const kept = await client.callTool({
    name: "remember",
    arguments: { content: `Seen over ${transport} by ${mode}`, kind: "decision" },
  });
  const refused = await client.callTool({ name: "recall", arguments: {} });
  const read = await client.readResource({ uri: "memory://preferences" });
  const prompts = (await client.listPrompts()).prompts;
  const said = {
    transport,
    protocol: client.getNegotiatedProtocolVersion(),
    tools: tools.length,
    first: found.content[0].text,
    remembered: kept.content[0].text,
    refused: refused.isError === true,
    preferences: read.contents[0].text,
    prompts: prompts.map((one) => one.name).sort(),
  };
  await client.close();
  return said;
}

const seen = [];
for (const mode of ["legacy", "auto"]) {
  seen.push(await session("stdio", overStdio, mode));
  seen.push(await session("http", overHttp, mode));
}
console.log(JSON.stringify(seen));
