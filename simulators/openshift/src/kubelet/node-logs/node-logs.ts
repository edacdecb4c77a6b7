import type { KubeObject, NodeResponse } from "@keelson/apiserver";
import { messageOf } from "@keelson/base";
import { resources } from "../../base/resources.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { journalLines } from "./journal.ts";
import { parseJournalQuery } from "./journal-query.ts";
import { openLogFile } from "./log-files.ts";

/** Number of journal lines per chunk of a response. */
const linesAtATime = 500;

/**
 * Responds to a request below `/logs` of a node's kubelet. `/logs/journal` and `/logs/?query=UNIT` return the journal. Other paths
 * return files and directory listings of the node's `/var/log`.
 */
export async function respondToLogs(
  context: WorkloadContext,
  { node, nodeDirectory }: { readonly node: KubeObject; readonly nodeDirectory: string },
  url: string,
): Promise<NodeResponse> {
  const { pathname, searchParams } = new URL(url, "http://node");
  const path = decoded(pathname.replace(/^\/logs\/?/, ""));
  if (path === undefined) return text(400, "invalid path\n");
  if (path.replace(/\/$/, "") === "journal" || (path === "" && searchParams.size > 0))
    return journal(context, node, searchParams);
  const found = await openLogFile(nodeDirectory, path);
  if (found.kind === "file") return { status: 200, headers: plain, body: found.body };
  const names = found.kind === "directory" ? found.names : [];
  if (path !== "" && found.kind === "missing") return text(404, "404 page not found\n");
  const all = [...names, ...(path === "" ? ["journal/"] : [])].sort();
  return {
    ...text(200, `<pre>\n${all.map(link).join("")}</pre>\n`),
    headers: { "content-type": "text/html; charset=utf-8" },
  };
}

async function journal(
  context: WorkloadContext,
  node: KubeObject,
  parameters: URLSearchParams,
): Promise<NodeResponse> {
  let query: ReturnType<typeof parseJournalQuery>;
  try {
    query = parseJournalQuery(parameters, context.clock.now());
  } catch (error) {
    return text(400, `${messageOf(error)}\n`);
  }
  const { items } = await context.client.list(resources.events);
  const lines = journalLines(node, items, query);
  const body = async function* () {
    for (let at = 0; at < lines.length; at += linesAtATime)
      yield Buffer.from(lines.slice(at, at + linesAtATime).join(""));
  };
  return { status: 200, headers: plain, body: body() };
}

const plain = { "content-type": "text/plain; charset=utf-8" } as const;

function text(status: number, body: string): NodeResponse {
  const content = async function* () {
    yield Buffer.from(body);
  };
  return { status, headers: plain, body: content() };
}

/** Returns a line of a directory listing in the format of Go's file server. */
function link(name: string): string {
  const shown = name.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<a href="${encodeURI(name).replace(/[?#]/g, encodeURIComponent)}">${shown}</a>\n`;
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
