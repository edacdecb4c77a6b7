import type { Cluster } from "../cluster/cluster.ts";
import { failures } from "../status/status-error.ts";
import type { ApiRequest } from "./request.ts";
import { sendJson, sendText } from "./respond.ts";

const roots: ReadonlySet<string> = new Set(["healthz", "livez", "readyz"]);
const checks = ["ping", "log", "storage"] as const;

/** What anyone may ask, without credentials. */
export function isPublic(path: string): boolean {
  return path === "/version" || path === "/version/" || roots.has(path.split("/")[1] ?? "");
}

/** Answers `/healthz`, `/livez`, `/readyz`, each with its single checks below it, and `/version`. */
export function handleHealth(cluster: Cluster, request: ApiRequest): void {
  const { method, segments, query, response } = request;
  if (method !== "GET" && method !== "HEAD") throw failures.methodNotAllowed();
  const [root = "", check, ...more] = segments;
  if (root === "version") {
    sendJson(response, 200, versionInfo(cluster.gitVersion));
    return;
  }
  if (more.length > 0 || (check !== undefined && !isCheck(check))) throw failures.noSuchPath();
  const verbose = check === undefined && query.has("verbose");
  sendText(response, 200, verbose ? report(root, query.getAll("exclude")) : "ok");
}

function report(root: string, excluded: readonly string[]): string {
  const lines = checks.map((name) => `[+]${name} ${excluded.includes(name) ? "excluded: ok" : "ok"}\n`);
  return `${lines.join("")}${root} check passed\n`;
}

function isCheck(name: string): boolean {
  return checks.some((each) => each === name);
}

function versionInfo(gitVersion: string): object {
  const [, major = "1", minor = "0"] = /^v(\d+)\.(\d+)/.exec(gitVersion) ?? [];
  return {
    major,
    minor,
    gitVersion,
    gitCommit: "",
    gitTreeState: "clean",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: "",
    compiler: "",
    platform: "linux/amd64",
  };
}
