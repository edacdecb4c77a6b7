import type { KubeObject } from "@keelson/kube";
import { usesWorkloadIdentity } from "@keelson/model";
import type { InstallContext } from "./install-context.ts";
import { hasOwnPullSecret } from "./pull-secret.ts";

/**
 * Returns additional Kubernetes objects for the installation, by file name (Azure/ARO-RP pkg/cluster/install.go,
 * workloadidentityresources.go).
 */
export async function customManifests(
  context: InstallContext,
): Promise<Readonly<Record<string, KubeObject>>> {
  const all = usesWorkloadIdentity(context.cluster) ? await context.operatorCredentials() : [];
  // The CloudCredential object is omitted, because the install config already sets the manual credentials mode.
  const ofIdentities = all.filter(({ kind }) => kind !== "CloudCredential");
  return {
    ...Object.fromEntries(ofIdentities.map((each) => [fileNameOf(each), each])),
    ...(hasOwnPullSecret(context.cluster) ? {} : { "cluster-config-samples.yaml": removedSamples }),
  };
}

/** Disables the samples if the customer has no pull secret, because the samples' images require one. */
const removedSamples: KubeObject = {
  apiVersion: "samples.operator.openshift.io/v1",
  kind: "Config",
  metadata: { name: "cluster" },
  spec: { managementState: "Removed" },
};

/** Names of files that replace the installer's own manifests. */
const wellKnownFiles: Readonly<Record<string, string>> = {
  "Secret openshift-cloud-credential-operator/azure-credentials": "azure-ad-pod-identity-webhook-config.yaml",
  "Authentication /cluster": "cluster-authentication-02-config.yaml",
};

function fileNameOf({ kind, metadata: { namespace = "", name } }: KubeObject): string {
  const known = wellKnownFiles[`${kind} ${namespace}/${name}`];
  if (known) return known;
  return kind === "Secret"
    ? `${namespace}-${name}-credentials.yaml`
    : `${kind.toLowerCase()}-${name}-config.yaml`;
}
