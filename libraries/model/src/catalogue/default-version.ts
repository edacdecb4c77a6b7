import { type Collection, create, replace, type Write } from "@keelson/database";
import { type DefaultVersionDocument, versionsPartition } from "../documents/catalogue-documents.ts";

const id = "default";

/**
 * Returns the write that every commit must include to change the default version. It lets only one of several
 * concurrent commits succeed. Read it before the data on which the commit depends.
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
