import { CloudError } from "@keelson/arm";
import { type OpenShiftCluster, usesWorkloadIdentity } from "@keelson/model";

/** Refuses a new cluster that workers could not install, valid as it is, before anything is stored. */
export function assertInstallable(cluster: OpenShiftCluster): void {
  if (!usesWorkloadIdentity(cluster)) return;
  throw new CloudError(
    "InvalidParameter",
    "This service creates no clusters with managed identities. Use a service principal.",
    { target: "properties.platformWorkloadIdentityProfile" },
  );
}
