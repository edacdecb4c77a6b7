import { credentialsSecretName, operatorNameOf, operatorNamespace } from "@keelson/aro-api";
import { stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import type { ClusterContext } from "../../context/context.ts";

/** Says with which version of its credentials the operator was started last. */
const versionAnnotation = "aro.openshift.io/credentials-version";

/**
 * Restarts the operator when its credentials have changed since it started: it reads them only then. A missing
 * Deployment is left to the condition that waits for it.
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
    // As kubectl rollout restart has it.
    "kubectl.kubernetes.io/restartedAt": clock.now().toISOString(),
    [versionAnnotation]: version,
  };
  const patch = { spec: { template: { metadata: { annotations } } } };
  await kube().mergePatch(resources.deployments, key, patch, signal);
}
