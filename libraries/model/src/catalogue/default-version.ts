import { type Collection, create, replace, type Write } from "@keelson/database";
import { type DefaultVersionDocument, versionsPartition } from "../documents/catalogue-documents.ts";

const id = "default";

/**
 * Returns a function that creates a write. Every commit that changes the default version must include this write. Of several
 * concurrent commits with this write, only one succeeds. Call `claimDefault` before you read the data for the commit.
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
