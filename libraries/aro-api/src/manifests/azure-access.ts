import { resources } from "@keelson/kube";
import { type Manifest, manifest } from "./manifest.ts";
import { credentialsSecretName, federatedTokenFile, operatorNamespace } from "./operator-names.ts";

/** Azure endpoints of a custom cloud. */
export interface CustomCloud {
  /** Base URL of the identity provider. */
  readonly loginEndpoint: string;
  /** Base URL of Azure Resource Manager. */
  readonly armEndpoint: string;
  /** Audience of tokens for Azure Resource Manager. */
  readonly audience: string;
  /** Base URL of Microsoft Graph. Undefined for clouds without it. */
  readonly graphEndpoint?: string | undefined;
  /** CA certificates (PEM) of the endpoints. Undefined if public CAs issued the endpoints' certificates. */
  readonly caPem?: string | undefined;
}

interface PodParts {
  readonly env: readonly object[];
  readonly mounts: readonly object[];
  readonly volumes: readonly object[];
}

/**
 * Returns the pod configuration with which the operator's master role signs in to Azure. On clusters with managed identities, the
 * pod uses the token of its service account. On all other clusters, the pod uses a client secret.
 */
export function credentialParts(usesWorkloadIdentity: boolean): PodParts {
  const ids = [fromSecret("AZURE_CLIENT_ID"), fromSecret("AZURE_TENANT_ID")];
  if (!usesWorkloadIdentity) {
    const kind = { name: "AZURE_TOKEN_CREDENTIALS", value: "EnvironmentCredential" };
    return { env: [...ids, fromSecret("AZURE_CLIENT_SECRET"), kind], mounts: [], volumes: [] };
  }
  const name = "bound-sa-token";
  const mountPath = federatedTokenFile.slice(0, federatedTokenFile.lastIndexOf("/"));
  const serviceAccountToken = { audience: "openshift", expirationSeconds: 3_600, path: "token" };
  return {
    env: [
      ...ids,
      { name: "AZURE_FEDERATED_TOKEN_FILE", value: federatedTokenFile },
      { name: "AZURE_TOKEN_CREDENTIALS", value: "WorkloadIdentityCredential" },
    ],
    mounts: [{ name, mountPath, readOnly: true }],
    volumes: [{ name, projected: { defaultMode: 0o644, sources: [{ serviceAccountToken }] } }],
  };
}

/** Defines an environment variable with a value from the Secret. The key in the Secret is the variable's name in lower case. */
function fromSecret(name: string): object {
  return { name, valueFrom: { secretKeyRef: { name: credentialsSecretName, key: name.toLowerCase() } } };
}

const bundle = {
  name: "azure-ca-bundle",
  directory: "/etc/pki/ca-trust/keelson",
  file: "ca-bundle.crt",
} as const;

/** Returns the pod configuration for a custom cloud. It contains the endpoints and additional CA certificates. */
export function cloudParts(cloud: CustomCloud | undefined): PodParts {
  if (!cloud) return { env: [], mounts: [], volumes: [] };
  const endpoints = [
    { name: "AZURE_AUTHORITY_HOST", value: cloud.loginEndpoint },
    { name: "AZURE_RESOURCE_MANAGER_ENDPOINT", value: cloud.armEndpoint },
    { name: "AZURE_RESOURCE_MANAGER_AUDIENCE", value: cloud.audience },
    ...(cloud.graphEndpoint === undefined
      ? []
      : [{ name: "AZURE_GRAPH_ENDPOINT", value: cloud.graphEndpoint }]),
  ];
  if (cloud.caPem === undefined) return { env: endpoints, mounts: [], volumes: [] };
  const { name, directory, file } = bundle;
  return {
    env: [...endpoints, { name: "AZURE_CA_FILE", value: `${directory}/${file}` }],
    mounts: [{ name, mountPath: directory, readOnly: true }],
    volumes: [{ name, configMap: { name } }],
  };
}

export function caBundle(cloud: CustomCloud | undefined): readonly Manifest[] {
  if (cloud?.caPem === undefined) return [];
  const { name, file } = bundle;
  return [
    manifest(resources.configMaps, { name, namespace: operatorNamespace }, { data: { [file]: cloud.caPem } }),
  ];
}
