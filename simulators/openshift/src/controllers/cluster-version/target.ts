import type { KubeObject } from "@keelson/apiserver";
import { listAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { conditionStatus } from "@keelson/kube";
import { conditionOf } from "../../base/conditions.ts";
import { desiredVersionOf } from "../../base/desired-version.ts";
import { compareVersions, parseVersion, type Release, type Version } from "../../updates/update-graph.ts";
import { releaseImage } from "../../updates/update-source.ts";

export interface TargetObserved {
  readonly clusterVersion: KubeObject;
  readonly operators: readonly KubeObject[];
  /** Initially installed version. */
  readonly installed: string;
  readonly offers: readonly Release[] | undefined;
  /** Returns the reason why the payload of a version cannot be loaded. Returns undefined if it can be loaded. */
  readonly rejected: (version: string) => string | undefined;
}

/** Target release of the cluster and the result of `spec.desiredUpdate`. */
export interface Target {
  readonly release: Release;
  /** Reason for the rejection of the desired release. */
  readonly refusal?: Refusal;
  /** True if the update overrides failed preconditions. */
  readonly forced: boolean;
}

type Refusal =
  | { readonly kind: "invalid"; readonly message: string }
  | { readonly kind: "payload" | "precondition"; readonly release: Release; readonly message: string };

/** Returns the target release for `spec.desiredUpdate`. Default: the current release. */
export function targetOf(observed: TargetObserved): Target {
  const { clusterVersion, installed } = observed;
  const current = currentRelease(clusterVersion, installed);
  const wanted = wantedRelease(observed, current);
  const forced = valueAt(clusterVersion, "spec", "desiredUpdate", "force") === true;
  if (wanted === undefined) return { release: current, forced: false };
  if ("problem" in wanted)
    return { release: current, forced, refusal: { kind: "invalid", message: wanted.problem } };
  if (wanted.version === current.version) return { release: { ...current, image: wanted.image }, forced };
  const refusal = refusalOf(observed, current, wanted, forced);
  return refusal ? { release: current, forced, refusal } : { release: wanted, forced };
}

function currentRelease(clusterVersion: KubeObject, installed: string): Release {
  const desired = valueAt(clusterVersion, "status", "desired");
  const version = desiredVersionOf(clusterVersion) ?? installed;
  const channels = listAt(desired, "channels").filter((each) => typeof each === "string");
  const url = stringAt(desired, "url");
  return {
    version,
    image: stringAt(desired, "image") || releaseImage(version),
    ...(channels.length > 0 ? { channels } : {}),
    ...(url ? { url } : {}),
  };
}

function wantedRelease(
  { clusterVersion, offers = [] }: TargetObserved,
  current: Release,
): Release | { readonly problem: string } | undefined {
  const update = valueAt(clusterVersion, "spec", "desiredUpdate");
  const version = stringAt(update, "version") ?? "";
  const image = stringAt(update, "image") ?? "";
  if (version === "" && image === "") return undefined;
  const history = listAt(clusterVersion, "status", "history").map(
    (entry): Release => ({
      version: stringAt(entry, "version") ?? "",
      image: stringAt(entry, "image") ?? "",
    }),
  );
  const known = [current, ...offers, ...history];
  if (version === "") {
    const tagged = /:v?(\d+\.\d+\.\d+)(?:-[a-z0-9_]+)?$/.exec(image)?.[1];
    const found =
      known.find((release) => release.image === image) ?? (tagged ? { version: tagged } : undefined);
    if (found) return { ...found, image };
    return {
      problem: `spec.desiredUpdate.image: Invalid value: "${image}": no release is known by this image`,
    };
  }
  if (!parseVersion(version))
    return {
      problem: `spec.desiredUpdate.version: Invalid value: "${version}": must be a semantic version (1.2.3[-pre1][+build1])`,
    };
  const found = known.find((release) => release.version === version);
  return { ...(found ?? { version }), version, image: image || found?.image || releaseImage(version) };
}

function refusalOf(
  observed: TargetObserved,
  current: Release,
  wanted: Release,
  forced: boolean,
): Refusal | undefined {
  const { clusterVersion, operators } = observed;
  const unreadable = observed.rejected(wanted.version);
  if (unreadable !== undefined) return { kind: "payload", release: wanted, message: unreadable };
  if (forced) return undefined;
  const refuse = (condition: string, reason: string, message: string): Refusal => ({
    kind: "precondition",
    release: wanted,
    message: `Precondition "${condition}" failed because of "${reason}": ${message}`,
  });
  const [from, to] = [parseVersion(current.version), parseVersion(wanted.version)];
  if (!from || !to) return undefined;
  const before = listAt(clusterVersion, "status", "history").some(
    (entry) => stringAt(entry, "version") === wanted.version,
  );
  if (compareVersions(wanted.version, current.version) < 0 && !(before && sameMinor(from, to)))
    return refuse(
      "ClusterVersionRollback",
      "LowDesiredVersion",
      `${wanted.version} is less than the current target ${current.version}, and the cluster has no previous Completed update to it`,
    );
  if (sameMinor(from, to)) return undefined;
  if (to.major !== from.major || to.minor !== from.minor + 1)
    return refuse(
      "ClusterVersionRecommendedUpdate",
      "UnknownUpdate",
      `Update from ${current.version} to ${wanted.version} is not recommended: no update leads from one to the other.`,
    );
  const blocker = upgradeBlocker(clusterVersion, operators);
  return blocker && refuse("ClusterVersionUpgradeable", blocker.reason, blocker.message);
}

function sameMinor(a: Version, b: Version): boolean {
  return a.major === b.major && a.minor === b.minor;
}

/** Returns the reason that blocks minor version updates. `undefined` if they are allowed. */
export function upgradeBlocker(
  clusterVersion: KubeObject,
  operators: readonly KubeObject[],
): { readonly reason: string; readonly message: string } | undefined {
  const unmanaged = listAt(clusterVersion, "spec", "overrides").some(
    (override) => objectAt(override).unmanaged === true,
  );
  if (unmanaged)
    return {
      reason: "ClusterVersionOverridesSet",
      message:
        "Disabling ownership via cluster version overrides prevents upgrades. Please remove overrides before continuing.",
    };
  const blocking = operators.filter((operator) => conditionStatus(operator, "Upgradeable") === "False");
  const [first] = blocking;
  if (!first) return undefined;
  const texts = blocking.map((operator) => {
    const { reason = "", message = "" } = conditionOf(operator, "Upgradeable");
    return `Cluster operator ${operator.metadata.name} should not be upgraded between minor versions: ${message || reason}`;
  });
  return blocking.length === 1
    ? { reason: conditionOf(first, "Upgradeable").reason ?? "", message: texts[0] ?? "" }
    : {
        reason: "ClusterOperatorsNotUpgradeable",
        message: `Multiple cluster operators should not be upgraded between minor versions:\n* ${texts.join("\n* ")}`,
      };
}
