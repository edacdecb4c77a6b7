import { nextLink } from "@keelson/arm";
import { clusterSummary, summaryFilter } from "../cluster-summary.ts";
import { openToken } from "../paging.ts";
import type { Route } from "../route.ts";
import { uncheckedVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

/** A region has fewer clusters, as a rule; what is beyond is in the page that the `link` header names. */
const pageSize = 1_000;

/**
 * The clusters of all subscriptions in short, those that the query asks for, in the order of their IDs.
 * An array without more, as administrators' tools expect.
 */
export const clusterSummaries: Route = {
  method: "GET",
  path: paths.clusterSummaries,
  versions: uncheckedVersion,
  authorization: "caller",
  async handle(exchange, service) {
    const continuation = openToken(exchange, service);
    const query = { orderBy: "key", limit: pageSize, ...(continuation ? { continuation } : {}) };
    const page = await service.database.collections.clusters.list(query, exchange.signal);
    const body = page.items
      .map(({ document }) => clusterSummary(document))
      .filter(summaryFilter((name) => exchange.query(name)));
    if (!page.continuation) return { status: 200, body };
    const next = nextLink(exchange.callerUrl(), service.sealer.seal(page.continuation, exchange.path));
    return { status: 200, headers: { link: `<${next}>; rel="next"` }, body };
  },
};
