import { randomUUID } from "node:crypto";
import {
  type Collection,
  create,
  type Database,
  type Definitions,
  type Document,
  replace,
  type Stored,
  type Write,
} from "@keelson/database";
import type { Retirable } from "../documents/catalogue-documents.ts";

/** Time in seconds from a document's retirement to its deletion. Within this time, the change feeds report the retirement. */
const retiredTtlSeconds = 60;

/** Changes that were published. The keys are the names of the published items. */
export interface Published {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly unchanged: readonly string[];
  readonly removed: readonly string[];
}

export interface PublishPlan extends Published {
  readonly writes: readonly { readonly name: string; readonly write: Write }[];
}

/**
 * Plans the writes that bring a collection to the desired state. A document is never deleted directly. It is marked as retired
 * and expires later.
 */
export function planPublishing<T extends Document & Retirable, Properties>(options: {
  readonly collection: Collection<T>;
  readonly partitionKey: string;
  readonly stored: readonly Stored<T>[];
  readonly wanted: ReadonlyMap<string, Properties>;
  readonly nameOf: (document: T) => string;
  readonly propertiesOf: (document: T) => Properties;
  readonly isSame: (a: Properties, b: Properties) => boolean;
  readonly documentOf: (base: Document, properties: Properties) => T;
}): PublishPlan {
  const { collection, partitionKey, stored, wanted, nameOf, propertiesOf, isSame, documentOf } = options;
  const writes: { readonly name: string; readonly write: Write }[] = [];
  const result = {
    added: [] as string[],
    changed: [] as string[],
    unchanged: [] as string[],
    removed: [] as string[],
  };
  const seen = new Set<string>();
  for (const item of stored) {
    const name = nameOf(item.document);
    const properties = wanted.get(name);
    const { deleting, ttlSeconds: _, ...kept } = item.document;
    seen.add(name);
    if (properties === undefined) {
      if (deleting) continue;
      result.removed.push(name);
      const retired = { ...item.document, deleting: true, ttlSeconds: retiredTtlSeconds };
      writes.push({ name, write: replace(collection, item, retired) });
    } else if (!deleting && isSame(propertiesOf(item.document), properties)) {
      result.unchanged.push(name);
    } else {
      (deleting ? result.added : result.changed).push(name);
      const base = { ...kept, id: item.document.id, partitionKey };
      writes.push({ name, write: replace(collection, item, documentOf(base, properties)) });
    }
  }
  for (const [name, properties] of wanted) {
    if (seen.has(name)) continue;
    result.added.push(name);
    writes.push({
      name,
      write: create(collection, documentOf({ id: randomUUID(), partitionKey }, properties)),
    });
  }
  return { ...result, writes };
}

/** Maximum number of writes in one commit. Cosmos DB allows 100 writes. */
const writesPerCommit = 90;

/** Commits the plan. Returns false if a write conflicts with a concurrent change. The caller must then plan again. */
export async function commitPlan<D extends Definitions>(
  database: Database<D>,
  partitionKey: string,
  writes: readonly Write[],
  signal: AbortSignal,
): Promise<boolean> {
  for (let at = 0; at < writes.length; at += writesPerCommit) {
    const result = await database.commit(partitionKey, writes.slice(at, at + writesPerCommit), { signal });
    if (result.kind !== "committed") return false;
  }
  return true;
}
