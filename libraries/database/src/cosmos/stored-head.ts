import type { FoundHead } from "./batch-plan.ts";
import type { CosmosConnection } from "./connection.ts";
import type { Head } from "./head.ts";
import type { HeadItem, Versioned } from "./items.ts";

export async function findHead(
  connection: CosmosConnection,
  partitionKey: string,
  id: string,
  signal: AbortSignal,
): Promise<FoundHead | undefined> {
  const item = await connection.read<Versioned<HeadItem>>(connection.documents, partitionKey, id, signal);
  return item && foundHead(item);
}

export function foundHead(item: Versioned<HeadItem>): FoundHead {
  const { _etag, ...rest } = item;
  // Removes the fields that Cosmos DB adds.
  const own = Object.entries(rest).filter(([name]) => !name.startsWith("_"));
  return { head: Object.fromEntries(own) as unknown as Head, etag: _etag };
}

/** Replaces a head with `next`. Returns `undefined` if the stored head has changed since it was read. */
export async function replaceHead(
  connection: CosmosConnection,
  { etag }: FoundHead,
  next: Head,
  signal: AbortSignal,
): Promise<FoundHead | undefined> {
  const { documents } = connection;
  const outcome = await connection.replace(documents, next.partitionKey, next, etag, signal);
  return outcome.kind === "written" ? { head: next, etag: outcome.etag } : undefined;
}
