import { credentialsSecretName, federatedTokenFile, operatorNamespace } from "@keelson/aro-api";
import { controllerReference, isControlledBy } from "@keelson/controller";
import { registryPullSecret } from "@keelson/installers";
import { isConflict, KubeError, type KubeObject, resources } from "@keelson/kube";
import { usesWorkloadIdentity } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { mergePullSecrets } from "../credentials/pull-secrets.ts";

const backup = { namespace: operatorNamespace, name: "cluster" };
/** Name of the operator's managed identity. */
const operatorIdentity = "aro-operator";

/** Returns the Secrets that the operator reads and that no other component creates. */
export function operatorSecrets(context: ClusterContext): readonly KubeObject[] {
  return [
    pullSecretBackup(context),
    ...(usesWorkloadIdentity(context.cluster) ? [identityCredentials(context)] : []),
  ];
}

/**
 * Returns the Secret that contains the service's registry keys. The operator uses these keys to repair the cluster's pull secret.
 * The Secret exists even without keys, because the operator requires it. If the service has no registry, the Secret contains the
 * customer's keys instead, because the cluster needs them to pull images.
 */
function pullSecretBackup({ cluster, environment }: ClusterContext): KubeObject {
  const own = environment.registry ? undefined : cluster.properties.clusterProfile.pullSecret;
  const merged = mergePullSecrets(own?.reveal() ?? "", registryPullSecret(cluster).reveal());
  return secret(backup.name, { ".dockerconfigjson": merged });
}

/**
 * Returns the credentials of the operator's managed identity. On clusters with a service principal, the cloud credential operator
 * creates the credentials from the CredentialsRequest.
 */
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

/**
 * Makes the Cluster resource the owner of the backup Secret. A change of the Secret then triggers the controllers that reconcile
 * the Cluster resource.
 */
export async function ownPullSecretBackup(context: ClusterContext): Promise<void> {
  const { kube, clock, signal } = context;
  for (let attempt = 1; ; attempt++) {
    try {
      const cluster = await kube().get(resources.aroClusters, { name: "cluster" }, signal);
      const live = await kube().get(resources.secrets, backup, signal);
      const { ownerReferences = [], resourceVersion } = live.metadata;
      if (isControlledBy(live, cluster)) return;
      // Owner references of this kind are replaced, because a reference with a different UID refers to a Cluster that was
      // deleted.
      const others = ownerReferences.filter(({ kind }) => kind !== cluster.kind);
      const metadata = { resourceVersion, ownerReferences: [...others, controllerReference(cluster)] };
      await kube().mergePatch(resources.secrets, backup, { metadata }, signal);
      return;
    } catch (error) {
      // Immediately after the CRD's creation, the API server may not serve the kind yet. It then rejects the owner reference with
      // status 403.
      const isPassing = isConflict(error) || (error instanceof KubeError && error.code === 403);
      if (attempt >= maxAttempts || !isPassing) throw error;
      await clock.sleep(pauseMs, signal);
    }
  }
}
