import { credentialsSecretName, operatorNameOf, operatorNamespace } from "@keelson/aro-api";
import { stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import type { ClusterContext } from "../context/context.ts";

/** Annotation with the version of the credentials that the operator used at its last start. */
const versionAnnotation = "aro.openshift.io/credentials-version";

/**
 * Restarts the operator if its credentials have changed, because it reads them only at startup. A missing Deployment is not an
 * error here, because a later step waits for the Deployment.
 */
export async function restartAROOperatorMaster({ kube, clock, signal }: ClusterContext): Promise<void> {
  const credentials = { namespace: operatorNamespace, name: credentialsSecretName };
  const secret = await kube().find(resources.secrets, credentials, signal);
  const version = secret?.metadata.resourceVersion;
  if (version === undefined) return;
  const key = { namespace: operatorNamespace, name: operatorNameOf("master") };
  const live = await kube().find(resources.deployments, key, signal);
  const annotationsAt = ["spec", "template", "metadata", "annotations"];
  if (!live || stringAt(live, ...annotationsAt, versionAnnotation) === version) return;
  const annotations = {
    // Annotation that `kubectl rollout restart` sets.
    "kubectl.kubernetes.io/restartedAt": clock.now().toISOString(),
    [versionAnnotation]: version,
  };
  const patch = { spec: { template: { metadata: { annotations } } } };
  await kube().mergePatch(resources.deployments, key, patch, signal);
}
