import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "@keelson/base";
import { create, replace, type Stored } from "@keelson/database";
import type { ActionRequestDocument, ServiceDatabase } from "@keelson/model";
import { portalErrors } from "../errors/portal-errors.ts";

/** ID and partition of one request in the database. */
export interface RequestKey {
  readonly partitionKey: string;
  /** Resource ID of the cluster, lower case. */
  readonly clusterKey: string;
  readonly id: string;
}

/** Time limit in ms for a person to confirm an action. */
export const confirmationMs = 300_000;
const mostListed = 50;

export async function storeRequest(
  database: ServiceDatabase,
  document: ActionRequestDocument,
  signal: AbortSignal,
): Promise<void> {
  const write = create(database.collections.actionRequests, document);
  const { kind } = await database.commit(document.partitionKey, [write], { signal });
  if (kind !== "committed") throw new Error(`an action request was not stored: ${kind}`);
}

/** @throws NotFound */
export async function findRequest(
  database: ServiceDatabase,
  { partitionKey, clusterKey, id }: RequestKey,
  signal: AbortSignal,
): Promise<Stored<ActionRequestDocument>> {
  const stored = await database.collections.actionRequests.find(partitionKey, id, signal);
  if (stored?.document.clusterKey === clusterKey) return stored;
  throw portalErrors.NotFound("The cluster has no such action request.");
}

/** Lists the newest requests for a cluster. */
export async function listRequests(
  database: ServiceDatabase,
  { partitionKey, key, id }: { readonly partitionKey: string; readonly key: string; readonly id: string },
  signal: AbortSignal,
): Promise<readonly ActionRequestDocument[]> {
  const query = { partitionKey, where: { clusterKey: key }, orderBy: "newestFirst", limit: mostListed };
  const { items } = await database.collections.actionRequests.list(query, signal);
  return items.map(({ document }) => document).filter(({ clusterDocumentId }) => clusterDocumentId === id);
}

/**
 * Writes the result of `change` for a request. After a concurrent write, calls `change` again with the current document. Returns
 * the written document. If `change` returns undefined, returns the current document unchanged.
 */
export async function changeRequest(
  database: ServiceDatabase,
  key: RequestKey,
  change: (document: ActionRequestDocument) => ActionRequestDocument | undefined,
  signal: AbortSignal,
): Promise<{ readonly document: ActionRequestDocument; readonly isChanged: boolean }> {
  for (;;) {
    const stored = await findRequest(database, key, signal);
    const document = change(stored.document);
    if (!document) return { document: stored.document, isChanged: false };
    const write = replace(database.collections.actionRequests, stored, document);
    const { kind } = await database.commit(key.partitionKey, [write], { signal });
    if (kind === "committed") return { document, isChanged: true };
  }
}

/** Creates a one-time token. Returns the token, and the document property with which the portal verifies the token. */
export function newConfirmation(clock: Clock): {
  readonly token: string;
  readonly confirmation: NonNullable<ActionRequestDocument["confirmation"]>;
} {
  const token = randomBytes(32).toString("base64url");
  const expiresAt = new Date(clock.now().getTime() + confirmationMs).toISOString();
  return { token, confirmation: { hash: hashOf(token), expiresAt } };
}

export function isTokenOf({ confirmation }: ActionRequestDocument, token: string): boolean {
  if (!confirmation) return false;
  return timingSafeEqual(Buffer.from(confirmation.hash, "hex"), Buffer.from(hashOf(token), "hex"));
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
