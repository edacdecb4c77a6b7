import { objectAt, Secret } from "@keelson/base";
import type { OpenShiftCluster } from "@keelson/model";
import { installerErrors } from "./errors.ts";

/** Red Hat's telemetry, to which managed clusters do not report (Azure/ARO-RP pkg/util/pullsecret). */
const telemetryRegistry = "cloud.openshift.com";

/**
 * Merges the cluster's pull secret in Docker's format: the customer's registries, the service's, and those
 * with a token of the cluster. Later ones take precedence.
 * @throws PullSecretMissing without credentials
 */
export function clusterPullSecret(cluster: OpenShiftCluster, ofService: Secret | undefined): Secret {
  const auths = {
    ...authsOf(cluster.properties.clusterProfile.pullSecret),
    ...authsOf(ofService),
    ...authsOf(registryPullSecret(cluster)),
  };
  delete auths[telemetryRegistry];
  if (Object.keys(auths).length > 0) return new Secret(JSON.stringify({ auths }));
  throw installerErrors.PullSecretMissing(
    "there are no credentials for the registry of OpenShift's images: set installer.pullSecretFile, or properties.clusterProfile.pullSecret of the cluster",
  );
}

/** The service's registries for which the cluster has passwords, in Docker's form. */
export function registryPullSecret({ properties }: OpenShiftCluster): Secret {
  const auths = (properties.registryProfiles ?? []).flatMap(({ name, username, password }) => {
    const auth = password && Buffer.from(`${username}:${password.reveal()}`).toString("base64");
    return auth ? [[name, { auth }]] : [];
  });
  return new Secret(JSON.stringify({ auths: Object.fromEntries(auths) }));
}

/** True if the customer provided a pull secret, which the images of samples and catalogues need. */
export function hasOwnPullSecret({ properties }: OpenShiftCluster): boolean {
  return (properties.clusterProfile.pullSecret?.reveal() ?? "") !== "";
}

function authsOf(secret: Secret | undefined): Record<string, unknown> {
  const text = secret?.reveal();
  if (!text) return {};
  try {
    const value: unknown = JSON.parse(text);
    return objectAt(value, "auths");
  } catch {
    // The pull secret must not appear in an error. The frontend has validated the customer's.
    throw installerErrors.PullSecretMissing("a pull secret is not JSON");
  }
}
