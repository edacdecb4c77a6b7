import type { Subscription } from "../arm/subscription.ts";
import type { Directory } from "../entra/directory.ts";
import { seededId } from "../entra/seed-directory.ts";

/**
 * Grants all rights to the principals in a state that an earlier release created. That release did not enforce role assignments,
 * so these principals would otherwise lose rights. The settings contain the grants, and an administrator can revoke them there.
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
