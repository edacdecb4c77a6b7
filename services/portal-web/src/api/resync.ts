import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** Parts of a cluster that events update. Other parts have no events. */
export const changingParts: readonly string[] = ["", "operations", "activity"];

/** True if events update a query. */
export function isCoveredByEvents([subject, , part]: QueryKey): boolean {
  return subject === "clusters" || (subject === "cluster" && changingParts.includes(String(part)));
}

/**
 * Reads potentially outdated queries again. Waits for a request in flight and shows its result first, because
 * cancelling it would prolong the wait.
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
