import { isFlagOn } from "@keelson/aro-api";
import { messageOf } from "@keelson/base";
import { conditionStatus, type KubeResource } from "@keelson/kube";
import type { WantedObject } from "@keelson/operator-kit";
import { getClusterVersion, installedAtMs, isUpgrading } from "./cluster-version.ts";
import type { Request } from "./operator-context.ts";

/** Whether nodes may reboot now, and why. */
export type RebootGate = "forced" | "upgrading" | "installing" | "closed";

/** A change of an object that nodes are configured by: the machine config operator reboots them for it. */
export interface RebootChange {
  readonly operation: "create" | "update" | "delete";
  readonly resource: KubeResource;
  /** The object as it should be; of one to delete, its name. */
  readonly object: WantedObject;
  /** Made while the gate is closed, too: no node reboots for it, or to wait is worse. */
  readonly anyTime: boolean;
}

/** What a controller behind the gate has to change. */
export interface RebootPlanner {
  /** What its controller's conditions are named after. */
  readonly reportsAs: string;
  /** While it is off nothing is planned; always on without one. */
  readonly flag?: string;
  plan(request: Request): Promise<readonly RebootChange[]>;
}

/** A new cluster is as its service wants it before anything runs there, even if the operator comes up late. */
const newForMs = 60 * 60_000;

/**
 * Nodes reboot for the operator's changes only while they do so for an upgrade, or when an administrator forces it with
 * the flag `aro.forcereconciliation`; and once in a new cluster, for a controller that has not reported there yet.
 * @throws Error while the ClusterVersion cannot be read
 */
export async function rebootGate(
  { flags, objects, cluster, clock }: Pick<Request, "flags" | "objects" | "cluster" | "clock">,
  reportsAs: string,
): Promise<RebootGate> {
  if (isFlagOn(flags, "aro.forcereconciliation")) return "forced";
  const clusterVersion = await getClusterVersion(objects);
  if (isUpgrading(clusterVersion)) return "upgrading";
  const installedMs = installedAtMs(clusterVersion);
  const isNew = installedMs !== undefined && clock.now().getTime() - installedMs < newForMs;
  return isNew && conditionStatus(cluster, `${reportsAs}ControllerAvailable`) === undefined
    ? "installing"
    : "closed";
}

/** The changes that wait for the gate to open. */
export function heldBack(gate: RebootGate, changes: readonly RebootChange[]): readonly RebootChange[] {
  return gate === "closed" ? changes.filter(({ anyTime }) => !anyTime) : [];
}

/** Makes the changes that the gate lets through; one that fails does not keep the next from being made. */
export async function makeChanges(
  { objects }: Request,
  gate: RebootGate,
  changes: readonly RebootChange[],
): Promise<void> {
  const held = new Set(heldBack(gate, changes));
  const failures: unknown[] = [];
  for (const change of changes) {
    if (held.has(change)) continue;
    const { operation, resource, object } = change;
    try {
      if (operation === "delete") await objects.remove(resource, object.metadata);
      else await objects.ensure(resource, object);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 0) throw new AggregateError(failures, failures.map(messageOf).join("\n"));
}

/** As conditions name it: `update MachineConfig 99-master-aro-dns`. */
export function describeChange({ operation, resource, object }: RebootChange): string {
  return `${operation} ${resource.kind} ${object.metadata.name}`;
}
