import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** Parts of a cluster that change with its events; of the others no event says anything. */
export const changingParts: readonly string[] = ["", "operations", "activity"];

/** Whether events bring changes of an answer. */
export function isCoveredByEvents([subject, , part]: QueryKey): boolean {
  return subject === "clusters" || (subject === "cluster" && changingParts.includes(String(part)));
}

/**
 * Reads answers again that may lack a change. One that is under way is waited for and shown, and then read once more: to break
 * it off would let people wait for the second one.
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
