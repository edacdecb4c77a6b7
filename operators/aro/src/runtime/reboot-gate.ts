import { isFlagOn } from "@keelson/aro-api";
import { messageOf } from "@keelson/base";
import { conditionStatus, type KubeResource } from "@keelson/kube";
import type { WantedObject } from "@keelson/operator-kit";
import { getClusterVersion, installedAtMs, isUpgrading } from "./cluster-version.ts";
import type { Request } from "./operator-context.ts";

/** Reason why nodes may reboot now, or `closed`. */
export type RebootGate = "forced" | "upgrading" | "installing" | "closed";

/** Change of an object that configures nodes. The machine config operator reboots them to apply it. */
export interface RebootChange {
  readonly operation: "create" | "update" | "delete";
  readonly resource: KubeResource;
  /** The desired object. For a deletion, only its name. */
  readonly object: WantedObject;
  /** Allowed while the gate is closed, because the change reboots no node or is worse to delay. */
  readonly anyTime: boolean;
}

/** Plans the changes of a controller behind the gate. */
export interface RebootPlanner {
  /** Prefix of the controller's conditions. */
  readonly reportsAs: string;
  /** Flag that enables the plan. Default: always enabled. */
  readonly flag?: string;
  plan(request: Request): Promise<readonly RebootChange[]>;
}

/** Period in which a new cluster gets all changes, even if the operator starts late. */
const newForMs = 60 * 60_000;

/**
 * Opens the gate while nodes reboot for an upgrade, or if an administrator sets the flag
 * `aro.forcereconciliation`. It also opens once in a new cluster, for a controller without conditions.
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

/** The changes that wait for the gate to open. */
export function heldBack(gate: RebootGate, changes: readonly RebootChange[]): readonly RebootChange[] {
  return gate === "closed" ? changes.filter(({ anyTime }) => !anyTime) : [];
}

/** Makes the changes that the gate allows. A failed change does not block the next. */
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

/** Description for conditions: `update MachineConfig 99-master-aro-dns`. */
export function describeChange({ operation, resource, object }: RebootChange): string {
  return `${operation} ${resource.kind} ${object.metadata.name}`;
}
