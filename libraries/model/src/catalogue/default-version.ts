import { type Collection, create, replace, type Write } from "@keelson/database";
import { type DefaultVersionDocument, versionsPartition } from "../documents/catalogue-documents.ts";

const id = "default";

/**
 * Returns a write that every commit must include to change the default version. Only one of several concurrent commits with this
 * write can succeed. Call it before reading the data for the commit.
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
