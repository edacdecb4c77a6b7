import { customResourceDefinition, type KubeObject, resources } from "@keelson/kube";
import { kubeApiServerSpec } from "./spec-schema.ts";
import { kubeApiServerStatus, kubeApiServerStatusWithKms } from "./status-schema.ts";

/** CustomResourceDefinition for one or several feature sets. `fileName` is the name of its file in the release's manifests. */
export interface ReleasedDefinition {
  readonly fileName: string;
  readonly featureSets: readonly string[];
  readonly definition: KubeObject;
}

/** KubeAPIServer (operator.openshift.io/v1) definitions for all feature sets of a release. */
export const releasedDefinitions: readonly ReleasedDefinition[] = [
  released(["Default", "OKD"], kubeApiServerStatus),
  released(["TechPreviewNoUpgrade", "DevPreviewNoUpgrade", "CustomNoUpgrade"], kubeApiServerStatusWithKms),
];

function released(
  featureSets: readonly string[],
  status: typeof kubeApiServerStatus | typeof kubeApiServerStatusWithKms,
): ReleasedDefinition {
  const definition = customResourceDefinition(resources.kubeApiServers, {
    spec: kubeApiServerSpec,
    status,
    required: ["spec"],
    categories: ["coreoperators"],
  });
  const annotations = {
    "api-approved.openshift.io": "https://github.com/openshift/api/pull/475",
    "include.release.openshift.io/ibm-cloud-managed": "true",
    "include.release.openshift.io/self-managed-high-availability": "true",
    "release.openshift.io/feature-set": featureSets.join(","),
  };
  return {
    fileName: `0000_20_kube-apiserver_01_kubeapiservers-${featureSets[0]}.crd.yaml`,
    featureSets,
    definition: { ...definition, metadata: { ...definition.metadata, annotations } },
  };
}
