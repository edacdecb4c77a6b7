import { customResourceDefinition, type KubeObject, resources } from "@keelson/kube";

/**
 * Returns Hive's CustomResourceDefinitions with the fields that the service uses. Keys are the file names in Hive's
 * `config/crds`.
 */
export function hiveDefinitions(): Readonly<Record<string, KubeObject>> {
  return Object.fromEntries(
    [
      customResourceDefinition(resources.clusterDeployments, deploymentSchemas),
      customResourceDefinition(resources.clusterProvisions, provisionSchemas),
    ].map((each) => {
      const [plural = "", ...group] = each.metadata.name.split(".");
      return [`${group.join(".")}_${plural}.yaml`, each];
    }),
  );
}

const text = { type: "string" };
const flag = { type: "boolean" };
const reference = { type: "object", required: ["name"], properties: { name: text } };
const object = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  required,
  properties,
});

/** Rejects the same changes as Hive's admission webhook. */
const immutable = (properties: object) => ({
  ...object(properties),
  "x-kubernetes-validations": [
    { rule: "self == oldSelf", message: "Attempted to change ClusterDeployment.Spec" },
  ],
});

/**
 * Fields of a ClusterDeployment. The tests write with strict field validation, so the API server rejects fields that this schema
 * lacks.
 */
const deploymentSchemas = {
  spec: object(
    {
      baseDomain: text,
      clusterName: text,
      installed: flag,
      installAttemptsLimit: { type: "integer" },
      manageDNS: flag,
      preserveOnDelete: flag,
      pullSecretRef: reference,
      boundServiceAccountSigningKeySecretRef: reference,
      clusterMetadata: object(
        {
          adminKubeconfigSecretRef: reference,
          adminPasswordSecretRef: reference,
          clusterID: text,
          infraID: text,
          metadataJSONSecretRef: reference,
          platform: object({ azure: object({ resourceGroupName: text }) }),
        },
        ["infraID"],
      ),
      controlPlaneConfig: object({ apiServerIPOverride: text, apiURLOverride: text }),
      platform: object({
        azure: object({ baseDomainResourceGroupName: text, region: text, credentialsSecretRef: reference }, [
          "region",
        ]),
      }),
      provisioning: immutable({
        installerImageOverride: text,
        releaseImage: text,
        installConfigSecretRef: reference,
        manifestsSecretRef: reference,
        installerEnv: {
          type: "array",
          items: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      }),
    },
    ["baseDomain", "clusterName", "platform"],
  ),
  status: object({
    conditions: { type: "array", items: object({ type: text, status: text, reason: text, message: text }) },
  }),
};

const provisionSchemas = {
  spec: object({
    adminKubeconfigSecretRef: reference,
    adminPasswordSecretRef: reference,
    attempt: { type: "integer" },
    clusterDeploymentRef: reference,
    clusterID: text,
    infraID: text,
    metadataJSON: text,
    stage: { type: "string", enum: ["initializing", "provisioning", "complete", "failed"] },
    installLog: text,
  }),
  status: object({}),
};
