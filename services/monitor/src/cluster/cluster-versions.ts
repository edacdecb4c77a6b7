import { listAt, stringAt } from "@keelson/base";
import { minorVersion, parseVersion } from "@keelson/model";

/** Versions of a cluster. Versions in a different form than `x.y.z` are undefined. */
export interface ClusterVersions {
  /** Newest version with a completed update. */
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

/** Returns the minor version, for example `4.16` for `4.16.30`. Empty without a version. */
export function minorOf(text: string | undefined): string {
  const parsed = text === undefined ? undefined : parseVersion(text);
  return parsed ? minorVersion(parsed) : "";
}

function version(text: string | undefined): string | undefined {
  return text !== undefined && parseVersion(text) ? text : undefined;
}
