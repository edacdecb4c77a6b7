import { CloudError } from "@keelson/arm";
import type { Release } from "@keelson/installers";
import { type ServiceDatabase, versionsPartition } from "@keelson/model";

const limit = 1_000;

/**
 * Returns the current images of a version. Administrators configure these images.
 * @throws CloudError InvalidParameter if the version does not exist or is disabled
 */
export async function readRelease(
  versions: Pick<ServiceDatabase["collections"]["versions"], "list">,
  version: string,
  signal: AbortSignal,
): Promise<Release> {
  const { items } = await versions.list({ partitionKey: versionsPartition, limit }, signal);
  const found = items
    .map(({ document }) => document.openShiftVersion.properties)
    .find((each) => each.enabled && each.version === version);
  if (found) return found;
  throw new CloudError("InvalidParameter", `The requested OpenShift version '${version}' is not supported.`, {
    target: "properties.clusterProfile.version",
  });
}
