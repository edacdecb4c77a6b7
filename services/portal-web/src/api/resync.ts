import type { QueryClient, QueryKey } from "@tanstack/react-query";

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
