/** What of Prometheus' API changes nothing (prometheus.io/docs: HTTP API). Everything else is refused here. */
const readable: readonly RegExp[] = [
  /^-\/(ready|healthy)$/,
  /^api\/v1\/(query|query_range|query_exemplars|format_query|parse_query|series|labels)$/,
  /^api\/v1\/label\/[^/]+\/values$/,
  /^api\/v1\/(targets|targets\/metadata|metadata|rules|alerts|alertmanagers|scrape_pools|features)$/,
  /^api\/v1\/status\/(buildinfo|runtimeinfo|tsdb|walreplay|flags)$/,
];

/** With queries that are too long for a URL. */
const takesPost = /^api\/v1\/(query|query_range|query_exemplars|series|labels|format_query|parse_query)$/;

/** Whether a request to Prometheus, by its path below the root, changes nothing. */
export function isReadOnly(method: string, path: string): boolean {
  if (method === "POST") return takesPost.test(path);
  return (method === "GET" || method === "HEAD") && readable.some((each) => each.test(path));
}
