import type { KubeObject } from "@keelson/apiserver";
import { desiredVersionOf } from "../../base/desired-version.ts";
import { numberAt, textAt } from "../../base/fields.ts";
import { resources } from "../../base/resources.ts";
import type { ClusterPayload } from "../../payload/cluster-payload.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { wasEverComplete } from "../../updates/update-history.ts";
import { clusterOperators, type OperatorFacts } from "./facts.ts";

/**
 * Annotation of a ClusterOperator: `Managed` by the simulation or `Unmanaged`. It has priority over all other
 * signs.
 */
export const managementAnnotation = "simulation.keelson.io/management-state";

/** Field manager of the simulation. */
const ownManager = "keelson";
/** Duration for which a writer without a lease owns the status after its last change. */
const writerTtlMs = 600_000;

/** Owner of a ClusterOperator's status. `until` is the time when a different owner's claim expires. */
export type Ownership = { readonly owner: "simulation" } | { readonly owner: "other"; readonly until?: Date };

export interface OwnershipObserved {
  readonly operator: KubeObject | undefined;
  /** Leases of the operator's namespaces. */
  readonly leases: readonly KubeObject[];
  /** True if the installed release contains its operator. */
  readonly brought?: boolean;
  readonly now: Date;
}

const never = Number.NEGATIVE_INFINITY;
const ours: Ownership = { owner: "simulation" };

/**
 * Determines the owner of a cluster operator's status. The annotation has priority. An operator of the
 * release always owns its status. Other operators own it while they hold their Lease. A writer without a
 * lease owns it for a period after its last change.
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
  // An operator that released its lease has stopped, even if it wrote recently.
  const end = Math.max(held, written > held ? written + writerTtlMs : never);
  return end > now.getTime() ? { owner: "other", until: new Date(end) } : ours;
}

/**
 * True if the release of an installed cluster contains this operator. Its payload then has the
 * ClusterOperator.
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

/** True if the last write of the status was not by the simulation. */
export function isWrittenByOthers(operator: KubeObject): boolean {
  return foreignWriteOf(operator) > never;
}

/** True if a real operator has taken over the functions that the simulation provides. */
export async function isOwnedByOthers({ client, clock, payload }: Cluster, name: string): Promise<boolean> {
  const facts = clusterOperators.find((each) => each.name === name);
  if (!facts) return false;
  const operator = await client.find(resources.clusterOperators, { name });
  const leases = (await client.list(resources.leases, { namespace: facts.namespaces[0] ?? "" })).items;
  const clusterVersion = await client.find(resources.clusterVersions, { name: "version" });
  const brought = isBrought(payload, clusterVersion, name);
  return ownershipOf(facts, { operator, leases, brought, now: clock.now() }).owner === "other";
}

/** Namespaces with the operators' leases. */
export const leaseNamespaces: ReadonlySet<string> = new Set(
  clusterOperators.flatMap(({ namespaces }) => namespaces.slice(0, 1)),
);

/**
 * True if the lease belongs to the operator. In a namespace of several operators, its name begins with the
 * operator's name.
 */
function isLeaseOf({ name, namespaces }: OperatorFacts, { metadata }: KubeObject): boolean {
  const [namespace] = namespaces;
  if (metadata.namespace !== namespace) return false;
  const sharers = clusterOperators.filter((each) => each.namespaces[0] === namespace);
  return sharers.length === 1 || metadata.name.startsWith(name);
}

/** Time when a lease expires, or was released. */
function endOf(lease: KubeObject): number {
  const renewed = Date.parse(textAt(lease, "spec", "renewTime") ?? "");
  if (Number.isNaN(renewed)) return never;
  const seconds = numberAt(lease, "spec", "leaseDurationSeconds") ?? 0;
  return textAt(lease, "spec", "holderIdentity") ? renewed + seconds * 1_000 : renewed;
}

/** Time of a different manager's last write of the status, if the simulation has not written it later. */
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
