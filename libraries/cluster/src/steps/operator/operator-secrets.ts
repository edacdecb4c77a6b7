import { credentialsSecretName, federatedTokenFile, operatorNamespace } from "@keelson/aro-api";
import { controllerReference, isControlledBy } from "@keelson/controller";
import { registryPullSecret } from "@keelson/installers";
import { isConflict, KubeError, type KubeObject, resources } from "@keelson/kube";
import { usesWorkloadIdentity } from "@keelson/model";
import type { ClusterContext } from "../../context/context.ts";
import { mergePullSecrets } from "../credentials/pull-secrets.ts";

const backup = { namespace: operatorNamespace, name: "cluster" };
/** The operator's identity among those of the cluster. */
const operatorIdentity = "aro-operator";

/** The Secrets that the operator reads and no other component of the cluster makes. */
export function operatorSecrets(context: ClusterContext): readonly KubeObject[] {
  return [
    pullSecretBackup(context),
    ...(usesWorkloadIdentity(context.cluster) ? [identityCredentials(context)] : []),
  ];
}

/**
 * The keys of the service's registries, with which the operator repairs the cluster's pull secret. It exists without any
 * too: the operator fails otherwise. Customers' keys are their own, but where the service has no registry the cluster
 * could pull nothing without them.
 */
function pullSecretBackup({ cluster, environment }: ClusterContext): KubeObject {
  const own = environment.registry ? undefined : cluster.properties.clusterProfile.pullSecret;
  const merged = mergePullSecrets(own?.reveal() ?? "", registryPullSecret(cluster).reveal());
  return secret(backup.name, { ".dockerconfigjson": merged });
}

/** On other clusters the cloud credential operator makes it, as the CredentialsRequest asks. */
function identityCredentials({ cluster, environment, subscription }: ClusterContext): KubeObject {
  const { platformWorkloadIdentities = {} } = cluster.properties.platformWorkloadIdentityProfile ?? {};
  const { clientId } = platformWorkloadIdentities[operatorIdentity] ?? {};
  if (!clientId) throw new Error(`operator identity ${operatorIdentity} not found`);
  return secret(credentialsSecretName, {
    azure_client_id: clientId,
    azure_tenant_id: environment.tenantIdOf(subscription),
    azure_region: cluster.location,
    azure_subscription_id: subscription.id,
    azure_federated_token_file: federatedTokenFile,
  });
}

function secret(name: string, stringData: Readonly<Record<string, string>>): KubeObject {
  const metadata = { namespace: operatorNamespace, name };
  return { apiVersion: "v1", kind: "Secret", metadata, type: "Opaque", stringData };
}

const pauseMs = 1_000;
const maxAttempts = 60;

/** Makes the Cluster resource own the backup, so that its changes reach the controllers of the Cluster. */
export async function ownPullSecretBackup(context: ClusterContext): Promise<void> {
  const { kube, clock, signal } = context;
  for (let attempt = 1; ; attempt++) {
    try {
      const cluster = await kube().get(resources.aroClusters, { name: "cluster" }, signal);
      const live = await kube().get(resources.secrets, backup, signal);
      const { ownerReferences = [], resourceVersion } = live.metadata;
      if (isControlledBy(live, cluster)) return;
      // An earlier Cluster, with another UID, owns nothing any more.
      const others = ownerReferences.filter(({ kind }) => kind !== cluster.kind);
      const metadata = { resourceVersion, ownerReferences: [...others, controllerReference(cluster)] };
      await kube().mergePatch(resources.secrets, backup, { metadata }, signal);
      return;
    } catch (error) {
      // Right after its CRD the API server may not know the Cluster's kind yet, and forbids that it owns anything.
      const isPassing = isConflict(error) || (error instanceof KubeError && error.code === 403);
      if (attempt >= maxAttempts || !isPassing) throw error;
      await clock.sleep(pauseMs, signal);
    }
  }
}
