import { isPlainObject, Secret } from "@keelson/base";
import type { OpenShiftCluster } from "@keelson/model";
import { installerErrors } from "./errors.ts";

/** Red Hat's telemetry: managed clusters do not report there (Azure/ARO-RP pkg/util/pullsecret). */
const telemetryRegistry = "cloud.openshift.com";

/**
 * The registries that a cluster may pull from, in Docker's form: the customer's own and the service's, which win, and
 * of these the ones for which the cluster has a token of its own.
 * @throws PullSecretMissing when there are none
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

/** The service's own registries in Docker's form, as far as the cluster has passwords for them. */
export function registryPullSecret({ properties }: OpenShiftCluster): Secret {
  const auths = (properties.registryProfiles ?? []).flatMap(({ name, username, password }) => {
    const auth = password && Buffer.from(`${username}:${password.reveal()}`).toString("base64");
    return auth ? [[name, { auth }]] : [];
  });
  return new Secret(JSON.stringify({ auths: Object.fromEntries(auths) }));
}

/** Whether images of Red Hat's catalogues can be pulled: those that come with samples and marketplaces. */
export function hasOwnPullSecret({ properties }: OpenShiftCluster): boolean {
  return (properties.clusterProfile.pullSecret?.reveal() ?? "") !== "";
}

function authsOf(secret: Secret | undefined): Record<string, unknown> {
  const text = secret?.reveal();
  if (!text) return {};
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) && isPlainObject(value.auths) ? value.auths : {};
  } catch {
    // The frontend has checked the customer's; the text must not end in an error.
    throw installerErrors.PullSecretMissing("a pull secret is not JSON");
  }
}
