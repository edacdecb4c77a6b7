/** Options of `render`. Each property has the name of its flag. */
export interface RenderOptions {
  readonly manifestNamespace: string;
  readonly manifestImage: string;
  readonly manifestOperatorImage: string;
  readonly manifestImagePullPolicy: string;
  readonly manifestConfigHostPath: string;
  readonly manifestConfigFileName: string;
  readonly manifestSecretsHostPath: string;
  readonly manifestCloudProviderHostPath: string;
  readonly manifestLockHostPath: string;
  readonly manifestEtcdServerUrls: readonly string[];
  readonly manifestEtcdServingCa: string;
  readonly assetInputDir: string;
  readonly assetOutputDir: string;
  readonly configOutputFile: string;
  readonly templatesInputDir: string;
  readonly configOverrideFiles: readonly string[];
  readonly renderedManifestFiles: readonly string[];
  readonly payloadVersion: string;
  readonly clusterConfigFile: string;
  readonly clusterAuthFile: string;
  readonly infraConfigFile: string;
  readonly operandKubernetesVersion: string;
}

export const renderDefaults: RenderOptions = {
  manifestNamespace: "openshift-kube-apiserver",
  manifestImage: "openshift/origin-hyperkube:latest",
  manifestOperatorImage: "",
  manifestImagePullPolicy: "IfNotPresent",
  manifestConfigHostPath: "/etc/kubernetes/bootstrap-configs",
  manifestConfigFileName: "kube-apiserver-config.yaml",
  manifestSecretsHostPath: "/etc/kubernetes/bootstrap-secrets",
  manifestCloudProviderHostPath: "/etc/kubernetes/cloud",
  manifestLockHostPath: "/var/run/kubernetes/lock",
  manifestEtcdServerUrls: ["https://127.0.0.1:2379"],
  manifestEtcdServingCa: "root-ca.crt",
  assetInputDir: "",
  assetOutputDir: "",
  configOutputFile: "",
  templatesInputDir: "/usr/share/bootkube/manifests",
  configOverrideFiles: [],
  renderedManifestFiles: [],
  payloadVersion: "",
  clusterConfigFile: "",
  clusterAuthFile: "",
  infraConfigFile: "",
  operandKubernetesVersion: "",
};

/** Required flags, in the order in which errors report missing flags. */
const required = [
  "manifestNamespace",
  "manifestImage",
  "manifestImagePullPolicy",
  "manifestConfigHostPath",
  "manifestConfigFileName",
  "manifestCloudProviderHostPath",
  "manifestSecretsHostPath",
  "assetInputDir",
  "assetOutputDir",
  "configOutputFile",
  "manifestOperatorImage",
  "manifestLockHostPath",
] as const satisfies readonly (keyof RenderOptions)[];

/** Matches a version in the form major.minor.patch, with an optional prerelease and build. */
const semanticVersion = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[\w.-]+)?(\+[\w.-]+)?$/;

/**
 * Validates the options.
 * @throws Error that names the invalid flag
 */
export function validateRenderOptions(options: RenderOptions): void {
  for (const name of required)
    if (options[name] === "") throw new Error(`missing required flag: --${flagName(name)}`);
  if (options.manifestEtcdServerUrls.length === 0)
    throw new Error("missing etcd server URLs: --manifest-etcd-server-urls");
  if (options.manifestEtcdServingCa === "")
    throw new Error("missing etcd serving CA: --manifest-etcd-serving-ca");
  const { operandKubernetesVersion: version } = options;
  if (version === "") throw new Error("missing operand kubernetes version: --operand-kubernetes-version");
  if (!semanticVersion.test(version))
    throw new Error(`could not parse --operand-kubernetes-version: "${version}" is no semantic version`);
  if (options.payloadVersion === "") throw new Error("missing payload version: --payload-version");
  if (options.renderedManifestFiles.length === 0)
    throw new Error("missing the FeatureGate manifest: --rendered-manifest-files");
}

export function flagName(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
