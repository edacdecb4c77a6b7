import { boundedText, listAt, stringAt } from "@keelson/base";
import { conditionStatus, findCondition, type KubeObject, objectFields, resources } from "@keelson/kube";
import { compareVersions, parseVersion } from "@keelson/model";
import type { ActionContext } from "../context/action-context.ts";
import { type UpgradeCheck, upgradeChecks } from "./upgrade-checks.ts";

/** Version and update history of a cluster, with the results of the checks before an upgrade to a specific version. */
export interface UpgradeStatus {
  readonly version: string;
  /** Current version of the cluster, or the target version of a running update. */
  readonly desired: string;
  /** Update channel. Empty for a cluster without a channel. Such a cluster also has no available versions. */
  readonly channel: string;
  readonly progressing: boolean;
  /** Message of the condition `Progressing`. */
  readonly message: string;
  /** Available versions without release candidates, newest first. */
  readonly available: readonly string[];
  /** Update history, newest first. Times: RFC 3339. The completion time is empty while the update runs. */
  readonly history: readonly {
    readonly version: string;
    readonly state: string;
    readonly startedAt: string;
    readonly completedAt: string;
  }[];
  /** Version to which the checks refer. Default: the newest available version. */
  readonly checked: string;
  readonly checks: readonly UpgradeCheck[];
}

const most = 50;
const maxText = 512;
const key = { name: "version" };
const conditions = { type: true, status: true, reason: true, message: true };
const versionFields = objectFields({
  spec: { channel: true, desiredUpdate: { version: true } },
  status: {
    desired: { version: true },
    availableUpdates: { version: true },
    history: { version: true, state: true, startedTime: true, completionTime: true },
    conditions,
  },
});
const conditionFields = objectFields({ status: { conditions } });
const poolFields = objectFields({ spec: { paused: true }, status: { conditions } });

/**
 * Reads the cluster's version, its upgrade history, and the results of the checks before an upgrade.
 * @throws KubeError if the cluster rejects a request
 */
export async function readUpgrade(context: ActionContext, wanted: string): Promise<UpgradeStatus> {
  const { kube, signal } = context;
  const client = kube();
  const [clusterVersion, operators, pools, nodes] = await Promise.all([
    readClusterVersion(context),
    client.list(resources.clusterOperators, { fields: conditionFields }, signal),
    client.list(resources.machineConfigPools, { fields: poolFields }, signal),
    client.list(resources.nodes, { fields: conditionFields }, signal),
  ]);
  const available = offeredVersions(clusterVersion);
  const version = completedVersion(clusterVersion);
  const checked = wanted === "" ? (available[0] ?? "") : wanted;
  const progressing = findCondition(clusterVersion, "Progressing");
  return {
    version,
    desired: text(stringAt(clusterVersion, "status", "desired", "version")),
    channel: text(stringAt(clusterVersion, "spec", "channel")),
    progressing: stringAt(progressing, "status") === "True",
    message: text(stringAt(progressing, "message")),
    available,
    history: listAt(clusterVersion, "status", "history")
      .slice(0, most)
      .map((each) => ({
        version: text(stringAt(each, "version")),
        state: text(stringAt(each, "state")),
        startedAt: text(stringAt(each, "startedTime")),
        completedAt: text(stringAt(each, "completionTime")),
      })),
    checked,
    checks:
      checked === ""
        ? []
        : upgradeChecks({
            ...{ current: version, wanted: checked, available, clusterVersion },
            ...{ operators: operators.items, pools: pools.items, nodes: nodes.items },
          }),
  };
}

export function readClusterVersion({ kube, signal }: ActionContext): Promise<KubeObject> {
  return kube().get(resources.clusterVersions, key, signal, versionFields);
}

/** Returns the available versions, newest first. */
export function offeredVersions(clusterVersion: KubeObject): readonly string[] {
  return listAt(clusterVersion, "status", "availableUpdates")
    .map((each) => stringAt(each, "version") ?? "")
    .flatMap((version) => (/^[\d.]+$/.test(version) ? (parseVersion(version) ?? []) : []))
    .sort((a, b) => compareVersions(b, a))
    .slice(0, most)
    .map(({ major, minor, patch }) => `${major}.${minor}.${patch}`);
}

function completedVersion(clusterVersion: KubeObject): string {
  const completed = listAt(clusterVersion, "status", "history").find(
    (each) => stringAt(each, "state") === "Completed",
  );
  return text(stringAt(completed, "version"));
}

/** True if the version is the cluster's current version or its update target. */
export function isTarget(clusterVersion: KubeObject, version: string): boolean {
  return stringAt(clusterVersion, "status", "desired", "version") === version;
}

/** Returns the message of the condition that blocks an update. Undefined if no condition blocks it. */
export function refusalOf(clusterVersion: KubeObject): string | undefined {
  if (conditionStatus(clusterVersion, "Invalid") === "True")
    return text(stringAt(findCondition(clusterVersion, "Invalid"), "message"));
  if (conditionStatus(clusterVersion, "ReleaseAccepted") !== "False") return undefined;
  return text(stringAt(findCondition(clusterVersion, "ReleaseAccepted"), "message"));
}

function text(value: string | undefined): string {
  return boundedText(value ?? "", maxText);
}
