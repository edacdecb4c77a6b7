import { type Collection, create, replace, type Write } from "@keelson/database";
import { type DefaultVersionDocument, versionsPartition } from "../documents/catalogue-documents.ts";

const id = "default";

/**
 * The write that has to go with every commit that makes a version the default: it lets only one of several succeed
 * that know nothing of one another. Read before what the commit is decided by.
 */
export async function claimDefault(
  collection: Collection<DefaultVersionDocument>,
  signal: AbortSignal,
): Promise<(version: string) => Write> {
  const stored = await collection.find(versionsPartition, id, signal);
  return (version) => {
    const document = { id, partitionKey: versionsPartition, version };
    return stored
      ? replace(collection, stored, { ...stored.document, ...document })
      : create(collection, document);
  };
}
