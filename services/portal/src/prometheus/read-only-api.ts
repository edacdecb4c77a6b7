/** Read-only endpoints of the Prometheus API (prometheus.io/docs: HTTP API). The portal rejects all other requests. */
const readable: readonly RegExp[] = [
  /^-\/(ready|healthy)$/,
  /^api\/v1\/(query|query_range|query_exemplars|format_query|parse_query|series|labels)$/,
  /^api\/v1\/label\/[^/]+\/values$/,
  /^api\/v1\/(targets|targets\/metadata|metadata|rules|alerts|alertmanagers|scrape_pools|features)$/,
  /^api\/v1\/status\/(buildinfo|runtimeinfo|tsdb|walreplay|flags)$/,
];

/** Endpoints that accept POST requests. POST is necessary for queries that are too long for a URL. */
const takesPost = /^api\/v1\/(query|query_range|query_exemplars|series|labels|format_query|parse_query)$/;

/** True if a request to Prometheus only reads. `path` is relative to the root of Prometheus. */
export function isReadOnly(method: string, path: string): boolean {
  if (method === "POST") return takesPost.test(path);
  return (method === "GET" || method === "HEAD") && readable.some((each) => each.test(path));
}
