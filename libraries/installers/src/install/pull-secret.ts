import { objectAt, Secret } from "@keelson/base";
import type { OpenShiftCluster } from "@keelson/model";
import { installerErrors } from "./errors.ts";

/**
 * Entry for Red Hat's telemetry in pull secrets. It is removed, because managed clusters do not report to this telemetry
 * (Azure/ARO-RP pkg/util/pullsecret).
 */
const telemetryRegistry = "cloud.openshift.com";

/**
 * Merges the cluster's pull secret in Docker's format. The result contains the customer's pull secret, the service's pull secret,
 * and the cluster's registry tokens. For the same registry, later sources take precedence.
 * @throws PullSecretMissing if there are no credentials
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

/** Returns the cluster's passwords for the service's registries, in Docker's format. */
export function registryPullSecret({ properties }: OpenShiftCluster): Secret {
  const auths = (properties.registryProfiles ?? []).flatMap(({ name, username, password }) => {
    const auth = password && Buffer.from(`${username}:${password.reveal()}`).toString("base64");
    return auth ? [[name, { auth }]] : [];
  });
  return new Secret(JSON.stringify({ auths: Object.fromEntries(auths) }));
}

/** True if the customer provided a pull secret. Images of samples and catalogues require it. */
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
    // The error must not contain the pull secret. The frontend has already validated the customer's pull secret.
    throw installerErrors.PullSecretMissing("a pull secret is not JSON");
  }
}
