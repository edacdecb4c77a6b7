import type { Subscription } from "../arm/subscription.ts";
import type { Directory } from "../entra/directory.ts";
import { seededId } from "../entra/seed-directory.ts";

/**
 * Keeps the rights of existing principals if an earlier release created the state, because that release did not enforce role
 * assignments. The settings then grant these principals all rights, until an administrator revokes the rights in the settings.
 * Runs once per state, in a transaction.
 */
export function keepFormerRights(subscription: Subscription, directory: Directory): void {
  const marks = subscription.store.table<{ readonly since: string }>("assignedRights");
  if (marks.get("current")) return;
  marks.set("current", { since: subscription.clock.now().toISOString() });
  const reader = seededId(subscription.tenantId, "reader");
  const ids = [
    ...directory.servicePrincipals().map(({ clientId }) => clientId),
    ...directory.users().map(({ objectId }) => objectId),
  ];
  const { rights } = subscription.settings.current;
  const former = ids.filter((id) => id !== reader && rights[id] === undefined);
  if (former.length === 0) return;
  subscription.settings.change({ rights: Object.fromEntries(former.map((id) => [id, "everything"])) });
}
