import { type KubeObject, type KubeResource, resources } from "@keelson/kube";

const openShift = (group: string, plural: string, kind: string): KubeResource => ({
  group: `${group}.openshift.io`,
  version: "v1",
  plural,
  kind,
  namespaced: true,
});

export const imageStreams = openShift("image", "imagestreams", "ImageStream");
export const imageStreamImports = openShift("image", "imagestreamimports", "ImageStreamImport");
export const templates = openShift("template", "templates", "Template");
export const samplesConfigs: KubeResource = {
  group: "samples.operator.openshift.io",
  version: "v1",
  plural: "configs",
  kind: "Config",
  namespaced: false,
};
export const { clusterOperators, configImages, configMaps, proxies, secrets } = resources;

export const configKey = { name: "cluster" } as const;
export const operatorNamespace = "openshift-cluster-samples-operator";
/** Namespace of the samples. */
export const contentNamespace = "openshift";
export const clusterOperatorName = "openshift-samples";
export const finalizer = "samples.operator.openshift.io/finalizer";
export const managedLabel = "samples.operator.openshift.io/managed";
export const versionAnnotation = "samples.operator.openshift.io/version";
/** Annotation of a Config. It means that the initial state is Removed because the registry was unreachable. */
export const unreachableAnnotation = "samples.operator.openshift.io/registry-unreachable";
/** Label of the ConfigMaps in the operator's namespace. Each of them reports the failed imports of one imagestream. */
export const importErrorLabel = "samples.openshift.io/imagestream-error";
export const tagMapName = "imagestreamtag-to-image";
export const pullSecretKey = { namespace: "openshift-config", name: "pull-secret" } as const;

/** True if the operator manages a sample. A skipped sample has the label value `false`. */
export function isManaged({ metadata }: KubeObject): boolean {
  return metadata.labels?.[managedLabel] === "true";
}
