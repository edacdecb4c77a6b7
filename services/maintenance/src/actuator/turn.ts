import type { Collection } from "@keelson/database";
import type { MaintenanceManifestDocument } from "@keelson/model";

/** Maximum number of waiting maintenance manifests considered per cluster. */
const limit = 1_000;

/**
 * True if this manifest must run before all other waiting manifests of its cluster. Started manifests come first. Due manifests
 * follow, ordered by `runAfter`, priority and ID. A cluster's tasks therefore run one after the other in this order.
 */
export async function isItsTurn(
  manifests: Collection<MaintenanceManifestDocument>,
  document: MaintenanceManifestDocument,
  now: Date,
  signal: AbortSignal,
): Promise<boolean> {
  const { partitionKey } = document;
  const others: MaintenanceManifestDocument[] = [];
  for (const state of ["InProgress", "Pending"]) {
    const { items } = await manifests.list(
      { partitionKey, where: { state }, orderBy: "runAfter", limit },
      signal,
    );
    others.push(...items.map((item) => item.document));
  }
  return others.every((other) => other.id === document.id || !comesFirst(other, document, now));
}

/** True if `other` must run before `document`. */
function comesFirst(
  other: MaintenanceManifestDocument,
  document: MaintenanceManifestDocument,
  now: Date,
): boolean {
  const [theirs, ours] = [other.maintenanceManifest, document.maintenanceManifest];
  if (theirs.state !== ours.state) return theirs.state === "InProgress";
  const seconds = now.getTime() / 1000;
  const isDue = theirs.runAfter <= seconds && theirs.runBefore >= seconds;
  if (theirs.state === "Pending" && !isDue) return false;
  if (theirs.runAfter !== ours.runAfter) return theirs.runAfter < ours.runAfter;
  if (theirs.priority !== ours.priority) return theirs.priority < ours.priority;
  return other.id < document.id;
}
