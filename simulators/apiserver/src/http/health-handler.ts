import type { IncomingMessage, ServerResponse } from "node:http";
import { failures } from "@keelson/apimachinery";
import type { Cluster } from "../cluster/cluster.ts";
import { type PathRequest, parseTarget } from "./messages/request.ts";
import type { PathInfo } from "./messages/request-info.ts";
import { sendJson, sendText } from "./messages/respond.ts";

/** Checks of each health endpoint. The storage check is named `etcd`, because clients expect this name. */
const checksOf: Readonly<Record<string, readonly string[]>> = {
  healthz: ["ping", "log", "etcd"],
  livez: ["ping", "log", "etcd"],
  readyz: ["ping", "log", "etcd", "etcd-readiness", "informer-sync", "shutdown"],
};
/** Checks that fail while the storage is loading. */
const needsStorage: ReadonlySet<string> = new Set(["etcd-readiness", "informer-sync"]);

/** True for paths that need no credentials. */
export function isPublic({ segments: [root = "", ...more] }: PathInfo): boolean {
  return Object.hasOwn(checksOf, root) || (root === "version" && more.length === 0);
}

/** Handles `/healthz`, `/livez` and `/readyz` with their individual checks, and `/version`. */
export function handleHealth(cluster: Cluster, request: PathRequest): void {
  const { method, info, query, response } = request;
  const { segments } = info;
  const isVersion = segments[0] === "version";
  if (method !== "GET" && (method !== "HEAD" || isVersion)) throw failures.methodNotAllowed();
  if (isVersion) sendJson(response, 200, versionInfo(cluster.gitVersion));
  else sendHealth(response, segments, query, (check) => !cluster.faults?.failedChecks?.has(check));
}

/**
 * Handles health requests while the storage is loading. During this time, the server is live but not ready. Returns false for all
 * other requests.
 * @throws StatusError 400, 404
 */
export function respondWhileLoading(
  incoming: IncomingMessage,
  response: ServerResponse,
  root?: string,
): boolean {
  const target = parseTarget(incoming, root);
  if (target?.info.kind !== "path" || !Object.hasOwn(checksOf, target.info.segments[0] ?? "")) return false;
  sendHealth(response, target.info.segments, target.query, (check) => !needsStorage.has(check));
  return true;
}

/**
 * Handles health requests at the root URL of a server with several clusters. Returns false for other paths.
 * @throws StatusError 404
 */
export function responseForServer(url: string, response: ServerResponse): boolean {
  const [path = "", search = ""] = url.split("?");
  const segments = path.split("/").filter((each) => each !== "");
  if (!Object.hasOwn(checksOf, segments[0] ?? "")) return false;
  sendHealth(response, segments, new URLSearchParams(search), () => true);
  return true;
}

function sendHealth(
  response: ServerResponse,
  [root = "", single, ...more]: readonly string[],
  query: URLSearchParams,
  isWell: (check: string) => boolean,
): void {
  const checks = checksOf[root] ?? [];
  if (more.length > 0 || (single !== undefined && !checks.includes(single))) throw failures.noSuchPath();
  const excluded = query.getAll("exclude").flatMap((each) => each.split(","));
  const asked = single === undefined ? checks : [single];
  const sick = asked.some((check) => !excluded.includes(check) && !isWell(check));
  if (!sick && (single !== undefined || !query.has("verbose"))) {
    sendText(response, 200, "ok");
    return;
  }
  const lines = asked.map((check) => {
    if (excluded.includes(check)) return `[+]${check} excluded: ok\n`;
    return isWell(check) ? `[+]${check} ok\n` : `[-]${check} failed: reason withheld\n`;
  });
  const unknown = excluded.filter((each) => !checks.includes(each)).map((each) => JSON.stringify(each));
  if (unknown.length > 0) {
    lines.push(`warn: some health checks cannot be excluded: no matches for ${unknown.join(", ")}\n`);
  }
  sendText(response, sick ? 500 : 200, `${lines.join("")}${root} check ${sick ? "failed" : "passed"}\n`);
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
