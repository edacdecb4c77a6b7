import type { KubeObject } from "@keelson/kube";
import { usesWorkloadIdentity } from "@keelson/model";
import type { ClusterContext } from "../context.ts";
import { identityManifests } from "../steps/identity-secrets.ts";
import { hasOwnPullSecret } from "./pull-secret.ts";

/**
 * The objects that a cluster is installed with besides OpenShift's own, by their file names (Azure/ARO-RP
 * pkg/cluster/install.go, workloadidentityresources.go).
 */
export async function customManifests(
  context: ClusterContext,
): Promise<Readonly<Record<string, KubeObject>>> {
  const all = usesWorkloadIdentity(context.cluster) ? await identityManifests(context) : [];
  // That credentials are made by hand, the install config says.
  const ofIdentities = all.filter(({ kind }) => kind !== "CloudCredential");
  return {
    ...Object.fromEntries(ofIdentities.map((each) => [fileNameOf(each), each])),
    ...(hasOwnPullSecret(context.cluster) ? {} : { "cluster-config-samples.yaml": removedSamples }),
  };
}

/** Samples whose images nobody could pull. */
const removedSamples: KubeObject = {
  apiVersion: "samples.operator.openshift.io/v1",
  kind: "Config",
  metadata: { name: "cluster" },
  spec: { managementState: "Removed" },
};

/** Names that the installer's own manifests have replace these. */
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
