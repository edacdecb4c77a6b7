import type { KubeObject } from "@keelson/apiserver";
import { numberAt, stringAt } from "@keelson/base";
import { desiredVersionOf } from "../../base/desired-version.ts";
import { resources } from "../../base/resources.ts";
import type { ClusterPayload } from "../../payload/cluster-payload.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { wasEverComplete } from "../../updates/update-history.ts";
import { clusterOperators, type OperatorFacts } from "./facts.ts";

/**
 * ClusterOperator annotation. `Managed`: the simulation owns the status. `Unmanaged`: a real operator owns the status. The
 * annotation overrides all other rules.
 */
export const managementAnnotation = "simulation.keelson.io/management-state";

/** Field manager of the simulation. */
const ownManager = "keelson";
/** Ownership period in milliseconds after the last status write of an operator without a lease. */
const writerTtlMs = 600_000;

/** Owner of a ClusterOperator's status. `until` is the expiry time of a real operator's ownership. */
export type Ownership = { readonly owner: "simulation" } | { readonly owner: "other"; readonly until?: Date };

export interface OwnershipObserved {
  readonly operator: KubeObject | undefined;
  /** Leases of the operator's namespaces. */
  readonly leases: readonly KubeObject[];
  /** True if the installed release contains the real operator. */
  readonly brought?: boolean;
  readonly now: Date;
}

const never = Number.NEGATIVE_INFINITY;
const ours: Ownership = { owner: "simulation" };

/**
 * Returns the owner of a ClusterOperator's status. The annotation has priority. A real operator in the release always owns the
 * status. Any other real operator owns the status while it holds a Lease. Without a Lease, it owns the status for a period after
 * its last write.
 */
export function ownershipOf(
  facts: OperatorFacts,
  { operator, leases, brought = false, now }: OwnershipObserved,
): Ownership {
  const state = operator?.metadata.annotations?.[managementAnnotation];
  if (state === "Managed") return ours;
  if (state === "Unmanaged" || brought) return { owner: "other" };
  const held = Math.max(...leases.filter((lease) => isLeaseOf(facts, lease)).map(endOf), never);
  const written = foreignWriteOf(operator);
  // A released lease means that the operator has stopped, even if the operator has written the status recently.
  const end = Math.max(held, written > held ? written + writerTtlMs : never);
  return end > now.getTime() ? { owner: "other", until: new Date(end) } : ours;
}

/**
 * True if the cluster is installed and its release contains the real operator. A release payload with the operator also contains
 * the operator's ClusterOperator.
 */
export function isBrought(
  payload: ClusterPayload,
  clusterVersion: KubeObject | undefined,
  name: string,
): boolean {
  if (!clusterVersion || !wasEverComplete(clusterVersion)) return false;
  const version = desiredVersionOf(clusterVersion) ?? "";
  return payload.brings(version, { kind: "ClusterOperator", metadata: { name } });
}

/** True if the last status write is not from the simulation. */
export function isWrittenByOthers(operator: KubeObject): boolean {
  return foreignWriteOf(operator) > never;
}

/** True if a real operator currently owns the ClusterOperator's status. */
export async function isOwnedByOthers({ client, clock, payload }: Cluster, name: string): Promise<boolean> {
  const facts = clusterOperators.find((each) => each.name === name);
  if (!facts) return false;
  const operator = await client.find(resources.clusterOperators, { name });
  const leases = (await client.list(resources.leases, { namespace: facts.namespaces[0] ?? "" })).items;
  const clusterVersion = await client.find(resources.clusterVersions, { name: "version" });
  const brought = isBrought(payload, clusterVersion, name);
  return ownershipOf(facts, { operator, leases, brought, now: clock.now() }).owner === "other";
}

/** Namespaces of the operators' leases. */
export const leaseNamespaces: ReadonlySet<string> = new Set(
  clusterOperators.flatMap(({ namespaces }) => namespaces.slice(0, 1)),
);

/**
 * True if the lease belongs to the operator. If several operators share a namespace, the name of each Lease begins with the
 * operator's name.
 */
function isLeaseOf({ name, namespaces }: OperatorFacts, { metadata }: KubeObject): boolean {
  const [namespace] = namespaces;
  if (metadata.namespace !== namespace) return false;
  const sharers = clusterOperators.filter((each) => each.namespaces[0] === namespace);
  return sharers.length === 1 || metadata.name.startsWith(name);
}

/**
 * Returns the time in milliseconds at which the lease expires. A released lease has no holder. For such a lease, returns the time
 * of the last renewal, because a release also sets this time.
 */
function endOf(lease: KubeObject): number {
  const renewed = Date.parse(stringAt(lease, "spec", "renewTime") ?? "");
  if (Number.isNaN(renewed)) return never;
  const seconds = numberAt(lease, "spec", "leaseDurationSeconds") ?? 0;
  return stringAt(lease, "spec", "holderIdentity") ? renewed + seconds * 1_000 : renewed;
}

/**
 * Returns the time in milliseconds of the last status write by a real operator. Ignores this write if the simulation has written
 * the status later.
 */
function foreignWriteOf(operator: KubeObject | undefined): number {
  const writes = (operator?.metadata.managedFields ?? []).filter(
    ({ subresource }) => subresource === "status",
  );
  const newest = (own: boolean) =>
    Math.max(
      never,
      ...writes
        .filter(({ manager }) => (manager === ownManager) === own)
        .map(({ time }) => Date.parse(time ?? ""))
        .filter((time) => !Number.isNaN(time)),
    );
  const others = newest(false);
  return others >= newest(true) ? others : never;
}
