// Uses the REST API by the types that openapi-typescript makes of its description.
// Usage: node rest_client.ts URL TOKEN; prints what it saw. tsc checks it against satchel.d.ts first.
import createClient from "openapi-fetch";
import type { components, paths } from "./satchel.js";

type Memory = components["schemas"]["Memory"];

const [baseUrl, token] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
const project = { path: { projectId: "current" } };

function good<T>(answer: { data?: T; error?: components["schemas"]["Problem"] }): T {
  if (answer.data === undefined) throw new Error(answer.error?.detail ?? "no answer");
  return answer.data;
}

const remember = async (kind: string, content: string) =>
  good(
    await api.POST("/api/projects/{projectId}/memory", {
      params: project,
      body: { kind, content },
    }),
  );

const first = await remember("fact", "typescript | deployed on | Node 20");
const second = await remember("fact", "typescript | deployed on | Node 22");
const replaced: string[] = second.replaced.map((one) => one.content);

const lesson = await remember("learned", "typescript runs on Node 22");
const one = { params: { path: { projectId: "current", memId: lesson.id } } };
const read = await api.GET("/api/projects/{projectId}/memory/{memId}", one);
const tag = read.response.headers.get("etag") ?? "";
const change = (content: string) =>
  api.PATCH("/api/projects/{projectId}/memory/{memId}", {
    params: { ...one.params, header: { "If-Match": tag } },
    body: { content },
  });
const changed: Memory = good(await change("typescript runs on Node 24"));
const late = await change("typescript runs on Deno");

const wrong = await api.POST("/api/projects/{projectId}/memory", {
  params: project,
  body: { kind: "nonsense", content: "x", tags: [""] },
});
const pages: Memory[] = [];
let cursor: string | undefined;
do {
  const page = good(
    await api.GET("/api/projects/{projectId}/memory", {
      params: { ...project, query: { limit: 1, cursor } },
    }),
  );
  pages.push(...page.memories);
  cursor = page.nextCursor;
} while (cursor);

console.log(
  JSON.stringify({
    first: first.id,
    replaced,
    history: good(read).history.length,
    changed: changed.content,
    late: late.error?.status,
    wrong: wrong.error?.errors?.map((each) => each.pointer).sort(),
    listed: pages.map((each) => each.content).sort(),
  }),
);
