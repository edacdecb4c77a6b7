import type { KubeObject } from "@keelson/apiserver";
import { numberAt, textAt } from "../../base/fields.ts";
import { resources } from "../../base/resources.ts";
import type { ClusterPayload } from "../../payload/cluster-payload.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { wasEverComplete } from "../../updates/update-history.ts";
import { clusterOperators, type OperatorFacts } from "./facts.ts";

/** On a ClusterOperator: `Managed` by the simulation or `Unmanaged`, whatever else there is to see. */
export const managementAnnotation = "simulation.keelson.io/management-state";

/** The manager of what the simulation itself writes. */
const ownManager = "keelson";
/** How long the status stays with its writer who shows no other sign of life. */
const writerTtlMs = 600_000;

/** Whose status a ClusterOperator is; that of another for as long as it is known now. */
export type Ownership = { readonly owner: "simulation" } | { readonly owner: "other"; readonly until?: Date };

export interface OwnershipObserved {
  readonly operator: KubeObject | undefined;
  /** The leases of the operator's namespaces. */
  readonly leases: readonly KubeObject[];
  /** A release that brought its operator is installed. */
  readonly brought?: boolean;
  readonly now: Date;
}

const never = Number.NEGATIVE_INFINITY;
const ours: Ownership = { owner: "simulation" };

/**
 * Who writes the status of a cluster operator. The annotation decides where it is set. That of an operator which the release
 * brings is its own, whether it runs or not. Others that run hold their Lease, and who wrote the status without one keeps
 * it for a while after the last change.
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
  // An operator that gave up its lease is gone, however recently it wrote.
  const end = Math.max(held, written > held ? written + writerTtlMs : never);
  return end > now.getTime() ? { owner: "other", until: new Date(end) } : ours;
}

/** Whether the release of an installed cluster brings this operator: a payload says so by its ClusterOperator. */
export function isBrought(
  payload: ClusterPayload,
  clusterVersion: KubeObject | undefined,
  name: string,
): boolean {
  if (!clusterVersion || !wasEverComplete(clusterVersion)) return false;
  const version = textAt(clusterVersion, "status", "desired", "version") ?? "";
  return payload.brings(version, { kind: "ClusterOperator", metadata: { name } });
}

/** Whether anything but the simulation was the last to write the status. */
export function isWrittenByOthers(operator: KubeObject): boolean {
  return foreignWriteOf(operator) > never;
}

/** Whether the parts of an operator that the simulation plays are another's now. */
export async function isOwnedByOthers({ client, clock, payload }: Cluster, name: string): Promise<boolean> {
  const facts = clusterOperators.find((each) => each.name === name);
  if (!facts) return false;
  const operator = await client.find(resources.clusterOperators, { name });
  const leases = (await client.list(resources.leases, { namespace: facts.namespaces[0] ?? "" })).items;
  const clusterVersion = await client.find(resources.clusterVersions, { name: "version" });
  const brought = isBrought(payload, clusterVersion, name);
  return ownershipOf(facts, { operator, leases, brought, now: clock.now() }).owner === "other";
}

/** The namespaces in which operators keep their leases. */
export const leaseNamespaces: ReadonlySet<string> = new Set(
  clusterOperators.flatMap(({ namespaces }) => namespaces.slice(0, 1)),
);

/** In a namespace that several operators share, the lease is called after its operator. */
function isLeaseOf({ name, namespaces }: OperatorFacts, { metadata }: KubeObject): boolean {
  const [namespace] = namespaces;
  if (metadata.namespace !== namespace) return false;
  const sharers = clusterOperators.filter((each) => each.namespaces[0] === namespace);
  return sharers.length === 1 || metadata.name.startsWith(name);
}

/** When a lease runs out, or was given back. */
function endOf(lease: KubeObject): number {
  const renewed = Date.parse(textAt(lease, "spec", "renewTime") ?? "");
  if (Number.isNaN(renewed)) return never;
  const seconds = numberAt(lease, "spec", "leaseDurationSeconds") ?? 0;
  return textAt(lease, "spec", "holderIdentity") ? renewed + seconds * 1_000 : renewed;
}

/** When another manager wrote the status, if none of the simulation's writes came later. */
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
