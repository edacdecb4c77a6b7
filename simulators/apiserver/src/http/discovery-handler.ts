import { failures } from "@keelson/apimachinery";
import type { Cluster } from "../cluster/cluster.ts";
import { aggregatedContentType, aggregatedDiscovery } from "../discovery/aggregated-discovery.ts";
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from "../discovery/legacy-discovery.ts";
import { encodeAs } from "./messages/encode-value.ts";
import { aggregatedDiscoveryVersion, mediaTypes } from "./messages/negotiation.ts";
import type { ApiRequest, PathRequest } from "./messages/request.ts";
import { send, sendText, sendValue } from "./messages/respond.ts";

/** Response body for a path without a handler. */
const pageNotFound = "404 page not found\n";

/** Handles discovery requests. @throws StatusError 404, 405 */
export function handleDiscovery(cluster: Cluster, request: PathRequest): void {
  const { method, incoming, response } = request;
  const { segments } = request.info;
  const [root] = segments;
  const known = root === undefined || root === "api" || root === "apis";
  if (!known) {
    sendText(response, 404, pageNotFound);
    return;
  }
  if (method !== "GET") throw failures.methodNotAllowed();
  const wanted = segments.length === 1 ? aggregatedDiscoveryVersion(incoming.headers.accept) : undefined;
  if (wanted) {
    sendAggregated(cluster, request, root === "api", wanted);
    return;
  }
  const found = documentAt(cluster, segments);
  if (!found && root === "apis" && !isServedGroup(cluster, segments[1])) {
    sendText(response, 404, pageNotFound);
    return;
  }
  if (!found) throw failures.noSuchPath();
  sendValue(response, 200, found);
}

function isServedGroup(cluster: Cluster, group: string | undefined): boolean {
  return cluster.context.directory.all().some(({ type }) => type.group === group);
}

function documentAt(cluster: Cluster, segments: readonly string[]): object | undefined {
  const resources = cluster.context.directory.all();
  const [root, first, second, ...more] = segments;
  if (root === undefined) return { paths: rootPaths(cluster) };
  if (more.length > 0 || (root === "api" && second !== undefined)) return undefined;
  if (first === undefined) return root === "api" ? apiVersions() : apiGroupList(resources);
  if (root === "api") return apiResourceList(resources, "", first);
  return second === undefined ? apiGroup(resources, first) : apiResourceList(resources, first, second);
}

function sendAggregated(
  cluster: Cluster,
  { incoming, response }: ApiRequest,
  core: boolean,
  { version, media }: NonNullable<ReturnType<typeof aggregatedDiscoveryVersion>>,
): void {
  const { body, etag } = cluster.documents.get(
    `${version} ${media} ${core ? "api" : "apis"}`,
    () => encodeAs(media, aggregatedDiscovery(cluster.context.directory.all(), core, version)).body,
  );
  const headers = { etag, vary: "Accept", "cache-control": "public" };
  if (incoming.headers["if-none-match"] === etag) response.writeHead(304, headers).end();
  else send(response, 200, aggregatedContentType(mediaTypes[media], version), body, headers);
}

function rootPaths(cluster: Cluster): readonly string[] {
  const grouped = cluster.context.directory.all().filter(({ type }) => type.group !== "");
  const groups = grouped.map(({ type }) => `/apis/${type.group}`);
  const versions = grouped.map(({ type }) => `/apis/${type.group}/${type.version}`);
  const fixed = [
    "/api",
    "/api/v1",
    "/apis",
    "/healthz",
    "/livez",
    "/metrics",
    "/openapi/v2",
    "/openapi/v3",
    "/readyz",
    "/version",
  ];
  return [...new Set([...fixed, ...groups, ...versions])].sort();
}
