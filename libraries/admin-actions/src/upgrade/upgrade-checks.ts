import { boundedText, stringAt, valueAt } from "@keelson/base";
import { conditionStatus, findCondition, type KubeObject } from "@keelson/kube";
import { compareVersions, parseVersion } from "@keelson/model";

/** Result of one check before an upgrade. */
export interface UpgradeCheck {
  readonly name: string;
  readonly passed: boolean;
  readonly message: string;
}

export interface UpgradeObserved {
  /** Newest version to which the cluster has completely updated. */
  readonly current: string;
  readonly wanted: string;
  readonly available: readonly string[];
  readonly clusterVersion: KubeObject;
  readonly operators: readonly KubeObject[];
  readonly pools: readonly KubeObject[];
  readonly nodes: readonly KubeObject[];
}

const mostNames = 10;
const maxText = 512;

/** Returns the checks before an upgrade of the cluster, in display order. */
export function upgradeChecks(observed: UpgradeObserved): readonly UpgradeCheck[] {
  const { wanted, available, clusterVersion, operators, pools, nodes } = observed;
  const unhealthy = operators.filter(
    (each) => conditionStatus(each, "Available") !== "True" || conditionStatus(each, "Degraded") === "True",
  );
  const badPools = pools.filter(
    (each) =>
      valueAt(each, "spec", "paused") === true ||
      conditionStatus(each, "Degraded") === "True" ||
      conditionStatus(each, "Updating") === "True",
  );
  const notReady = nodes.filter((each) => conditionStatus(each, "Ready") !== "True");
  return [
    check("Version", versionProblem(observed)),
    check(
      "Offered",
      available.includes(wanted)
        ? undefined
        : `The update service does not offer ${wanted}. Set a channel that has it, for example stable-${minorOf(wanted)}.`,
    ),
    check("Idle", idleProblem(clusterVersion)),
    check("Upgradeable", upgradeableProblem(observed)),
    check("Cluster operators", problemOf("Unavailable or degraded", unhealthy)),
    check("Machine config pools", problemOf("Paused, updating or degraded", badPools)),
    check("Nodes", problemOf("Not ready", notReady)),
  ];
}

function check(name: string, problem: string | undefined): UpgradeCheck {
  return { name, passed: problem === undefined, message: boundedText(problem ?? "", maxText) };
}

function versionProblem({ current, wanted }: UpgradeObserved): string | undefined {
  const [from, to] = [parseVersion(current), parseVersion(wanted)];
  if (!from) return "The cluster has no completed version.";
  if (!to) return `'${wanted}' is not a version.`;
  if (compareVersions(to, from) <= 0) return `${wanted} is not newer than ${current}.`;
  if (to.major !== from.major)
    return `An upgrade from OpenShift ${from.major} to ${to.major} is not supported.`;
  return to.minor > from.minor + 1 ? `${wanted} skips a minor version after ${current}.` : undefined;
}

function idleProblem(clusterVersion: KubeObject): string | undefined {
  const progressing = findCondition(clusterVersion, "Progressing");
  if (stringAt(progressing, "status") === "True")
    return `An update is in progress: ${stringAt(progressing, "message") ?? ""}`;
  const failing = findCondition(clusterVersion, "Failing");
  return stringAt(failing, "status") === "True"
    ? `The last update fails: ${stringAt(failing, "message") ?? ""}`
    : undefined;
}

/**
 * Returns the message of the condition Upgradeable if the condition blocks the update. The condition applies only to updates to
 * the next minor version, so patch updates ignore it.
 */
function upgradeableProblem({ current, wanted, clusterVersion }: UpgradeObserved): string | undefined {
  const upgradeable = findCondition(clusterVersion, "Upgradeable");
  if (minorOf(current) === minorOf(wanted) || stringAt(upgradeable, "status") !== "False") return undefined;
  return stringAt(upgradeable, "message") ?? "The cluster is not upgradeable.";
}

function problemOf(what: string, objects: readonly KubeObject[]): string | undefined {
  if (objects.length === 0) return undefined;
  const names = objects.slice(0, mostNames).map(({ metadata }) => metadata.name);
  return `${what}: ${names.join(", ")}${objects.length > mostNames ? ` and ${objects.length - mostNames} more` : ""}`;
}

function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}
