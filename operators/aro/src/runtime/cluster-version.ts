import { isDeepStrictEqual } from "node:util";
import { singleton } from "@keelson/aro-api";
import { listAt, stringAt } from "@keelson/base";
import { allOf, named, type Predicate, watchFor } from "@keelson/controller";
import { isKubeNotFound, type KubeObject, resources } from "@keelson/kube";
import type { ManagedObjects } from "@keelson/operator-kit";
import { may, reading } from "./may.ts";

const { clusterVersions } = resources;
const key = { name: "version" };

/** Selects changes of the upgrade history. The history changes only during an upgrade, whereas conditions change frequently. */
const historyChanged: Predicate = ({ object, before, type }) =>
  type !== "updated" || !isDeepStrictEqual(historyOf(object), historyOf(before));

/** Reconciles the controller's single key when an upgrade starts or completes. */
export const clusterVersionChanged = watchFor(clusterVersions, singleton, {
  selection: { fieldSelector: `metadata.name=${key.name}` },
  where: allOf(named(key.name), historyChanged),
});

/** Permission that controllers with `clusterVersionChanged` need. */
export const clusterVersionPermission = may(reading, "config.openshift.io", ["clusterversions"]);

/**
 * Returns the ClusterVersion.
 * @throws Error if it does not exist
 */
export async function getClusterVersion(objects: ManagedObjects): Promise<KubeObject> {
  const found = await objects.find(clusterVersions, key).catch((error) => {
    if (!isKubeNotFound(error)) throw error;
  });
  if (!found)
    throw new Error(
      `error getting the ClusterVersion: clusterversions.config.openshift.io "version" not found`,
    );
  return found;
}

/**
 * True if the latest history entry exists and is not completed. The condition Progressing does not show this, because it is also
 * true while nodes apply a new configuration.
 */
export function isUpgrading(clusterVersion: KubeObject): boolean {
  const [last] = historyOf(clusterVersion);
  return last !== undefined && stringAt(last, "state") !== "Completed";
}

/** Returns the completion time of the installation. Undefined if the cluster has been upgraded after the installation. */
export function installedAtMs(clusterVersion: KubeObject): number | undefined {
  const [first, ...later] = historyOf(clusterVersion);
  if (later.length > 0 || stringAt(first, "state") !== "Completed") return undefined;
  const time = Date.parse(stringAt(first, "completionTime") ?? "");
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Returns the major, minor and patch version of the last completed release. During the installation, returns the version that is
 * being installed.
 */
export function installedVersion(clusterVersion: KubeObject): ReleaseVersion {
  const history = historyOf(clusterVersion);
  const entry = history.find((each) => stringAt(each, "state") === "Completed") ?? history[0];
  const text = stringAt(entry, "version");
  const version = text === undefined ? undefined : parseReleaseVersion(text);
  if (!version) throw new Error("unknown cluster version");
  return version;
}

export type ReleaseVersion = readonly [major: number, minor: number, patch: number];

/** Parses a release version such as `4.19.24`. A suffix such as `-rc.1` is allowed. */
export function parseReleaseVersion(text: string): ReleaseVersion | undefined {
  const match = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:[-+].*)?$/.exec(text);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : undefined;
}

export function isBefore(version: ReleaseVersion, other: ReleaseVersion): boolean {
  const index = version.findIndex((part, each) => part !== other[each]);
  return index >= 0 && (version[index] ?? 0) < (other[index] ?? 0);
}

function historyOf(clusterVersion: KubeObject): readonly unknown[] {
  return listAt(clusterVersion, "status", "history");
}
