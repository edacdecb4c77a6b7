import { stringAt } from "@keelson/base";
import { apiVersionOf, type KubeClient, type KubeObject, type KubeResource, resources } from "@keelson/kube";

export interface ProvisionNames {
  readonly deployment: KubeObject;
  /** Name of the ClusterProvision. */
  readonly provision: string;
}

/**
 * Creates the objects that Hive and its install pod write in addition to a ClusterProvision. The values in these objects are
 * placeholders. Returns the fields with which ClusterProvision and ClusterDeployment refer to these objects.
 */
export async function createProvisionObjects(
  kube: KubeClient,
  { deployment, provision }: ProvisionNames,
  signal: AbortSignal,
) {
  const { namespace = "", name } = deployment.metadata;
  const kubeconfig = { name: `${provision}-admin-kubeconfig` };
  const password = { name: `${provision}-admin-password` };
  const metadataJson = { name: `${name}-metadata-json` };
  const placeholder = "placeholder";
  const create = (resource: KubeResource, kind: string, { name: own }: { name: string }, rest: object = {}) =>
    kube.create(
      resource,
      { apiVersion: apiVersionOf(resource), kind, metadata: { namespace, name: own }, ...rest },
      signal,
    );
  const installer = { name: "cluster-installer" };
  await create(resources.serviceAccounts, "ServiceAccount", installer);
  await create(resources.roles, "Role", installer, { rules: [] });
  await create(resources.roleBindings, "RoleBinding", installer, {
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", ...installer },
    subjects: [{ kind: "ServiceAccount", namespace, ...installer }],
  });
  await create(
    resources.configMaps,
    "ConfigMap",
    { name: "hive-trusted-cabundle" },
    {
      data: { "ca-bundle.crt": placeholder },
    },
  );
  const secret = (own: { name: string }, stringData: object, type = "Opaque") =>
    create(resources.secrets, "Secret", own, { type, stringData });
  await secret(
    { name: `${name}-merged-pull-secret` },
    { ".dockerconfigjson": '{"auths":{}}' },
    "kubernetes.io/dockerconfigjson",
  );
  await secret(kubeconfig, { kubeconfig: placeholder, "raw-kubeconfig": placeholder });
  await secret(password, { password: placeholder, username: "kubeadmin" });
  await secret(metadataJson, { "metadata.json": "{}" });
  const clusterID = namespace.replace(/^aro-/, "");
  const infraID = stringAt(deployment, "spec", "clusterMetadata", "infraID") ?? `${name}-x1x2x`;
  const references = {
    adminKubeconfigSecretRef: kubeconfig,
    adminPasswordSecretRef: password,
    clusterID,
    infraID,
  };
  return {
    spec: { ...references, metadataJSON: Buffer.from("{}").toString("base64") },
    clusterMetadata: {
      ...references,
      metadataJSONSecretRef: metadataJson,
      platform: { azure: { resourceGroupName: "aro-demo" } },
    },
  };
}
