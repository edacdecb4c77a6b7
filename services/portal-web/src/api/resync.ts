import type { QueryClient, QueryFilters, QueryKey } from "@tanstack/react-query";

/** Parts of a cluster's data that events update. For all other parts there are no events. */
export const changingParts: readonly string[] = ["", "operations", "activity", "step-logs"];

/** True if events update the query. */
export function isCoveredByEvents([subject, , part]: QueryKey): boolean {
  return subject === "clusters" || (subject === "cluster" && changingParts.includes(String(part)));
}

/**
 * Repeats the selected queries, because their data may be outdated. Requests in flight are not cancelled. The page can display
 * their responses until the repeated queries have responded.
 */
export async function readAgain(client: QueryClient, isMeant: (key: QueryKey) => boolean): Promise<void> {
  const queries = client.getQueryCache().findAll({ predicate: ({ queryKey }) => isMeant(queryKey) });
  await Promise.all(
    queries.map(async ({ promise, queryKey }) => {
      await promise?.catch(() => undefined);
      await client.invalidateQueries({ queryKey, exact: true });
    }),
  );
}

/** Queries that are repeated after the response to their first request. */
const repeated = new WeakSet<object>();

/**
 * Invalidates queries, so that the visible ones are sent again. TanStack Query does not repeat a query during its first request,
 * although the response may contain the state before the change. This function repeats such a query once after the response.
 */
export async function invalidate(client: QueryClient, filters: QueryFilters): Promise<void> {
  const first = client
    .getQueryCache()
    .findAll(filters)
    .filter((query) => query.state.data === undefined && query.state.fetchStatus !== "idle");
  const waiting = first
    .filter((query) => !repeated.has(query))
    .map(async (query) => {
      repeated.add(query);
      await query.promise?.catch(() => undefined);
      repeated.delete(query);
      await client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    });
  await Promise.all([client.invalidateQueries(filters), ...waiting]);
}
