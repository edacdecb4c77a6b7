import { listAt, stringAt } from "@keelson/base";
import { minorVersion, parseVersion } from "@keelson/model";

/** Versions of a cluster; those that are no `x.y.z` count as absent. */
export interface ClusterVersions {
  /** The newest that was completed. */
  readonly actual: string | undefined;
  /** What the cluster is asked to be. */
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

/** `4.16` of `4.16.30`; empty of none. */
export function minorOf(text: string | undefined): string {
  const parsed = text === undefined ? undefined : parseVersion(text);
  return parsed ? minorVersion(parsed) : "";
}

function version(text: string | undefined): string | undefined {
  return text !== undefined && parseVersion(text) ? text : undefined;
}
