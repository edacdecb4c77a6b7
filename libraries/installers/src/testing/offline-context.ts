import { randomUUID } from "node:crypto";
import type { AzureClients } from "@keelson/azure";
import { type Clock, type Logger, silentLogger, systemClock } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import type { OpenShiftCluster } from "@keelson/model";
import type { InstallContext, ProgressReport } from "../install/install-context.ts";

export interface OfflineContext {
  readonly cluster: OpenShiftCluster;
  readonly signal: AbortSignal;
  readonly documentId?: string;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly onReport?: (progress: ProgressReport) => void;
  readonly beforeRequest?: () => void;
  readonly graphContainer?: InstallContext["graphContainer"];
}

const tenantId = "22222222-2222-4222-8222-222222222222";

/** Returns an install context with the cluster in memory. The context has neither Azure nor an API server. */
export function offlineContext(options: OfflineContext): InstallContext {
  let current = options.cluster;
  const subscriptionId = current.id.split("/")[2] ?? "";
  return {
    documentId: options.documentId ?? randomUUID(),
    get cluster() {
      return current;
    },
    async update(change) {
      current = change(current);
      return current;
    },
    subscription: {
      id: subscriptionId,
      partitionKey: subscriptionId,
      deleting: false,
      subscription: { state: "Registered" },
    },
    tenantId,
    domain: "demo.eastus.example.org",
    servicePrincipal() {
      const { servicePrincipalProfile } = current.properties;
      if (!servicePrincipalProfile) throw new Error("the cluster has no service principal");
      const { clientId, clientSecret } = servicePrincipalProfile;
      return { tenantId, clientId, clientSecret };
    },
    operatorCredentials: async () => identityCredentials,
    azureEnvironment: {
      armEndpoint: "https://arm.example",
      loginEndpoint: "https://login.example",
      audience: "https://arm",
    },
    get azure(): AzureClients {
      throw new Error("there is no Azure");
    },
    graphContainer: options.graphContainer ?? (async () => undefined),
    kube: () => {
      throw new Error("there is no API server");
    },
    release: async () => ({
      openShiftPullspec: "quay.io/openshift-release-dev/ocp-release:4.19.24-x86_64",
      installerPullspec: "registry.example/aro-installer:4.19",
    }),
    beforeRequest: options.beforeRequest ?? (() => {}),
    correlation: {
      correlationId: "c",
      requestId: "r",
      operationId: "o",
      requestTime: "2026-01-01T00:00:00Z",
    },
    clock: options.clock ?? systemClock,
    logger: options.logger ?? silentLogger,
    signal: options.signal,
    report: options.onReport ?? (() => {}),
  };
}

const secret = (
  namespace: string,
  name: string,
  stringData: Readonly<Record<string, string>>,
): KubeObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { namespace, name },
  type: "Opaque",
  stringData,
});
const token = { azure_federated_token_file: "/var/run/secrets/openshift/serviceaccount/token" };

/** Azure credentials for the operators of a cluster with managed identities. */
const identityCredentials: readonly KubeObject[] = [
  secret("openshift-machine-api", "azure-cloud-credentials", token),
  secret("openshift-image-registry", "installer-cloud-credentials", token),
  secret("openshift-cloud-credential-operator", "azure-credentials", { azure_tenant_id: tenantId }),
  {
    apiVersion: "operator.openshift.io/v1",
    kind: "CloudCredential",
    metadata: { name: "cluster" },
    spec: { managementState: "Managed", credentialsMode: "Manual" },
  },
  {
    apiVersion: "config.openshift.io/v1",
    kind: "Authentication",
    metadata: { name: "cluster" },
    spec: { serviceAccountIssuer: "https://issuer.example/t/d" },
  },
];
