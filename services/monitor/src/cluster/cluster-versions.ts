import { listAt, stringAt } from "@keelson/base";
import { minorVersion, parseVersion } from "@keelson/model";

/** Versions of a cluster. A version is undefined if it does not have the form `x.y.z`. */
export interface ClusterVersions {
  /** Newest version to which the cluster has completely updated. */
  readonly actual: string | undefined;
  /** Requested version. */
  readonly desired: string | undefined;
}

export function clusterVersions(clusterVersion: unknown): ClusterVersions {
  const completed = listAt(clusterVersion, "status", "history").find(
    (update) => stringAt(update, "state") === "Completed",
  );
  const asked = stringAt(clusterVersion, "spec", "desiredUpdate", "version") || undefined;
  return {
    actual: version(stringAt(completed, "version")),
    desired: version(asked ?? stringAt(clusterVersion, "status", "desired", "version")),
  };
}

/** Returns the minor version, for example `4.16` for `4.16.30`. Returns an empty string if there is no version. */
export function minorOf(text: string | undefined): string {
  const parsed = text === undefined ? undefined : parseVersion(text);
  return parsed ? minorVersion(parsed) : "";
}

function version(text: string | undefined): string | undefined {
  return text !== undefined && parseVersion(text) ? text : undefined;
}
