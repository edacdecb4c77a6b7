import { isFlagOn } from "@keelson/aro-api";
import { messageOf } from "@keelson/base";
import { conditionStatus, type KubeResource } from "@keelson/kube";
import type { WantedObject } from "@keelson/operator-kit";
import { getClusterVersion, installedAtMs, isUpgrading } from "./cluster-version.ts";
import type { Request } from "./operator-context.ts";

/** State of the gate: the reason why nodes may reboot now, or `closed`. */
export type RebootGate = "forced" | "upgrading" | "installing" | "closed";

/** Change of an object that configures nodes. The machine config operator reboots nodes to apply it. */
export interface RebootChange {
  readonly operation: "create" | "update" | "delete";
  readonly resource: KubeResource;
  /** Desired object. A deletion uses only its name. */
  readonly object: WantedObject;
  /**
   * True if the change is allowed while the gate is closed, because it reboots no node or because a delay would cause more harm.
   */
  readonly anyTime: boolean;
}

/** Plans those changes of a controller that may reboot nodes. */
export interface RebootPlanner {
  /** Prefix of the condition types of the planner's controller. */
  readonly reportsAs: string;
  /** Flag that enables the planner. Default: always enabled. */
  readonly flag?: string;
  plan(request: Request): Promise<readonly RebootChange[]>;
}

/**
 * Time in ms after the installation during which the gate is open for a controller without conditions. This time is long enough
 * for an operator that starts late.
 */
const newForMs = 60 * 60_000;

/**
 * Returns the state of the gate. The gate is open while an upgrade reboots nodes, or if an administrator sets the flag
 * `aro.forcereconciliation`. In a new cluster, the gate is also open for a controller that has no conditions yet.
 * @throws Error if the ClusterVersion cannot be read
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

/** Returns the changes that must wait until the gate opens. */
export function heldBack(gate: RebootGate, changes: readonly RebootChange[]): readonly RebootChange[] {
  return gate === "closed" ? changes.filter(({ anyTime }) => !anyTime) : [];
}

/** Makes the changes that the gate allows. A failed change does not block the next one. */
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

/** Describes a change for conditions, for example `update MachineConfig 99-master-aro-dns`. */
export function describeChange({ operation, resource, object }: RebootChange): string {
  return `${operation} ${resource.kind} ${object.metadata.name}`;
}
