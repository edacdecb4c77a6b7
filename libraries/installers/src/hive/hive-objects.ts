import { objectAt, type Secret } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { infraIdOf, regionOf, usesWorkloadIdentity } from "@keelson/model";
import { customManifests } from "../install/custom-manifests.ts";
import type { DevelopmentProxyFiles } from "../install/development-proxy.ts";
import type { InstallContext, Release } from "../install/install-context.ts";
import { clusterServicePrincipal, installerDocuments } from "../install/installer-documents.ts";
import { installerYaml } from "../install/installer-yaml.ts";
import { clusterPullSecret } from "../install/pull-secret.ts";
import { logFields, logFieldsAnnotation } from "./log-fields.ts";

/**
 * Name of each cluster's ClusterDeployment. Do not change any name in this file, because the objects of existing clusters have
 * these names.
 */
export const deploymentName = "cluster";

const secretNames = {
  servicePrincipal: "cluster-service-principal-secret",
  manifests: "cluster-manifests-secret",
  environment: "aro-env-secret",
  pullSecret: "aro-pullsecret",
  installConfig: "aro-installconfig",
  signingKey: "bound-service-account-signing-key",
  kubeconfig: "aro-service-kubeconfig-secret",
} as const;

const infraDisabled = { "hive.openshift.io/infra-disabled": "true" };

export interface HiveInstall {
  readonly namespace: string;
  readonly release: Release;
  /** Pull secret of the service. It is merged with the customer's pull secret. */
  readonly pullSecret: Secret | undefined;
  /** Environment variables that the installer receives with the prefix `ARO_`. The names here omit this prefix. */
  readonly environment: Readonly<Record<string, string>>;
  /** Files for an installer in development mode. Undefined in production. */
  readonly developmentProxy?: DevelopmentProxyFiles | undefined;
}

/** Returns all objects with which Hive installs a cluster. The ClusterDeployment is the last object (Azure/ARO-RP pkg/hive). */
export async function installObjects(
  context: InstallContext,
  { namespace, release, pullSecret, environment, developmentProxy }: HiveInstall,
): Promise<readonly KubeObject[]> {
  const manifests = await customManifests(context);
  const key = context.cluster.properties.clusterProfile.boundServiceAccountSigningKey;
  const variables = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [`ARO_${name}`, value]),
  );
  const documents = Object.entries(installerDocuments(context)).map(([name, text]) => [name, text.reveal()]);
  return [
    {
      ...secret(namespace, secretNames.servicePrincipal, Object.fromEntries(documents)),
      ...(developmentProxy ? { data: inTheClear(developmentProxy) } : {}),
    },
    secret(
      namespace,
      secretNames.manifests,
      Object.fromEntries(Object.entries(manifests).map(([name, each]) => [name, installerYaml(each)])),
    ),
    secret(namespace, secretNames.environment, variables),
    {
      ...secret(namespace, secretNames.pullSecret, {
        ".dockerconfigjson": clusterPullSecret(context.cluster, pullSecret).reveal(),
      }),
      type: "kubernetes.io/dockerconfigjson",
    },
    secret(namespace, secretNames.installConfig, {
      // This file contains only the values that Hive itself reads. The installer image reads all other values from the cluster's
      // document.
      "install-config.yaml": installerYaml({
        apiVersion: "v1",
        platform: { azure: { region: regionOf(context.cluster) } },
      }),
    }),
    ...(key
      ? [secret(namespace, secretNames.signingKey, { "bound-service-account-signing-key.key": key.reveal() })]
      : []),
    deploymentForInstall(context, namespace, release, Object.keys(variables)),
  ];
}

/** ClusterDeployment fields that may change according to Hive's admission webhook (openshift/hive pkg/validating-webhooks). */
const mutableFields: ReadonlySet<string> = new Set([
  "clusterMetadata",
  "controlPlaneConfig",
  "installAttemptsLimit",
  "installed",
  "preserveOnDelete",
]);

/** Removes the fields that Hive does not allow to change after the creation of the ClusterDeployment. */
export function withoutImmutable(object: KubeObject): KubeObject {
  if (object.kind !== "ClusterDeployment") return object;
  const fields = Object.entries(objectAt(object, "spec")).filter(([name]) => mutableFields.has(name));
  return { ...object, spec: Object.fromEntries(fields) };
}

/** Returns the objects with which Hive adopts an installed cluster. */
export function adoptionObjects(context: InstallContext, namespace: string): readonly KubeObject[] {
  const { cluster, documentId } = context;
  const kubeconfig = cluster.properties.aroServiceKubeconfig;
  if (!kubeconfig) throw new Error("the cluster has no kubeconfig for the service yet");
  const { metadata, spec, ...rest } = deployment(context, namespace, {});
  return [
    secret(namespace, secretNames.kubeconfig, { kubeconfig: kubeconfig.reveal() }),
    ...refreshedSecrets(context, namespace),
    {
      ...rest,
      metadata,
      spec: {
        ...spec,
        installed: true,
        clusterMetadata: {
          adminKubeconfigSecretRef: { name: secretNames.kubeconfig },
          clusterID: documentId,
          infraID: infraIdOf(cluster),
        },
      },
    },
  ];
}

/** Returns the Secrets that may change after the installation. Hive also has these Secrets for adopted clusters. */
export function refreshedSecrets(context: InstallContext, namespace: string): readonly KubeObject[] {
  const texts = usesWorkloadIdentity(context.cluster)
    ? {}
    : { "osServicePrincipal.json": clusterServicePrincipal(context).reveal() };
  return [secret(namespace, secretNames.servicePrincipal, texts)];
}

function deploymentForInstall(
  context: InstallContext,
  namespace: string,
  { installerPullspec, openShiftPullspec }: Release,
  variables: readonly string[],
): KubeObject {
  const { cluster, subscription, documentId } = context;
  const { metadata, spec, ...rest } = deployment(context, namespace, {
    "aro-created-by-Hive": "true",
    "kubernetes.azure.com/managedby": `sub_${subscription.id}`,
  });
  return {
    ...rest,
    metadata: {
      ...metadata,
      annotations: {
        ...metadata.annotations,
        "hive.openshift.io/minimal-install-mode": "true",
        "hive.openshift.io/cli-domain-from-installer-image": "true",
      },
    },
    spec: {
      ...spec,
      // Only one attempt is allowed, because a second attempt would conflict with Azure resources of the first attempt.
      installAttemptsLimit: 1,
      pullSecretRef: { name: secretNames.pullSecret },
      provisioning: {
        installerImageOverride: installerPullspec,
        releaseImage: openShiftPullspec,
        installConfigSecretRef: { name: secretNames.installConfig },
        manifestsSecretRef: { name: secretNames.manifests },
        installerEnv: [
          { name: "ARO_UUID", value: documentId },
          ...variables.map((name) => ({
            name,
            valueFrom: { secretKeyRef: { name: secretNames.environment, key: name } },
          })),
        ],
      },
      ...(usesWorkloadIdentity(cluster)
        ? { boundServiceAccountSigningKeySecretRef: { name: secretNames.signingKey } }
        : {}),
    },
  };
}

function deployment(context: InstallContext, namespace: string, labels: Readonly<Record<string, string>>) {
  const { cluster, correlation } = context;
  const { networkProfile, clusterProfile } = cluster.properties;
  const region = regionOf(cluster);
  return {
    apiVersion: "hive.openshift.io/v1",
    kind: "ClusterDeployment",
    metadata: {
      name: deploymentName,
      namespace,
      labels: {
        "hive.openshift.io/cluster-platform": "azure",
        "hive.openshift.io/cluster-region": region,
        ...labels,
      },
      annotations: { ...infraDisabled, [logFieldsAnnotation]: logFields(cluster.id, correlation) },
    },
    spec: {
      baseDomain: "",
      clusterName: cluster.name,
      platform: {
        azure: {
          baseDomainResourceGroupName: clusterProfile.resourceGroupId,
          region,
          credentialsSecretRef: { name: secretNames.servicePrincipal },
        },
      },
      controlPlaneConfig: {
        apiServerIPOverride: networkProfile.privateEndpointIp ?? "",
        apiURLOverride: `api-int.${context.domain}:6443`,
      },
      // Hive must not delete anything in Azure. The service deletes the DNS records, and deletes the Azure resources with their
      // resource group.
      preserveOnDelete: true,
      manageDNS: false,
    },
  } as const;
}

function inTheClear(files: DevelopmentProxyFiles): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([name, each]) => [name, each.reveal()]));
}

function secret(namespace: string, name: string, texts: Readonly<Record<string, string>>): KubeObject {
  const metadata = { namespace, name };
  return { apiVersion: "v1", kind: "Secret", metadata, type: "Opaque", stringData: texts };
}
