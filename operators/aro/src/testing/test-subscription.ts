import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClusterSpec } from "@keelson/aro-api";
import type { JsonObject } from "@keelson/base";
import { resources } from "@keelson/kube";
import {
  location,
  startTestAzure,
  subscriptionId,
  type TestAzure,
  type TestPrincipal,
  type TestRole,
  tenantId,
} from "@keelson/sim-azure/testing";
import type { TestCluster } from "./test-cluster.ts";

const group = (name: string) => `/subscriptions/${subscriptionId}/resourceGroups/${name}`;
const network = "providers/Microsoft.Network";
const apiVersion = "2024-05-01";
const contributorRole = "b24988ac-6180-42a0-ab88-20f7382dd24c";

export const vnetId = `${group("customer")}/${network}/virtualNetworks/vnet`;
export const subnetId = (name: string) => `${vnetId}/subnets/${name}`;
export const securityGroupId = (name: string) =>
  `${group("aro-demo")}/${network}/networkSecurityGroups/${name}`;
/** Returns the ID of a network interface of the cluster's machines. */
export const networkInterfaceId = (name: string) =>
  `${group("aro-demo")}/${network}/networkInterfaces/${name}`;

/** Cluster specification that matches the subscription. */
export const subscriptionSpec: ClusterSpec = {
  resourceId: `${group("customer")}/providers/Microsoft.RedHatOpenShift/openShiftClusters/demo`,
  clusterResourceGroupId: group("aro-demo"),
  vnetId,
  clusterSubnets: [subnetId("master"), subnetId("worker")],
  location,
};

/** Simulated subscription with the network of one cluster and a principal for its operator. */
export interface TestSubscription extends AsyncDisposable {
  readonly azure: TestAzure;
  /** Principal of the operator. */
  readonly principal: TestPrincipal;
  /** Environment of the operator's pod. */
  readonly environment: Readonly<Record<string, string>>;
  /** Returns the stored resource. */
  get(id: string): Promise<JsonObject>;
  put(id: string, body: JsonObject): Promise<void>;
}

/** @param roles roles of the operator's principal. Default: contributor of the subscription */
export async function startTestSubscription(
  roles: readonly TestRole[] = [{ role: contributorRole }],
): Promise<TestSubscription> {
  const azure = await startTestAzure();
  const directory = await mkdtemp(join(tmpdir(), "aro-operator-"));
  const caFile = join(directory, "ca.pem");
  await writeFile(caFile, azure.caPem);
  const version = (id: string) => (id.includes("/Microsoft.Storage/") ? "2023-05-01" : apiVersion);
  const call = async (method: string, id: string, body?: JsonObject) => {
    const response = await azure.arm(method, `${id}?api-version=${version(id)}`, body);
    if (response.status >= 300) throw new Error(`${method} ${id}: ${response.status} ${response.text}`);
    return response.json as JsonObject;
  };
  const put = async (id: string, body: JsonObject) => void (await call("PUT", id, body));
  for (const name of ["customer", "aro-demo"])
    await azure.clients.resources.resourceGroups.createOrUpdate(name, { location });
  for (const name of ["demo-x1x2x-nsg", "foreign-nsg"]) await put(securityGroupId(name), { location });
  const nsg = { networkSecurityGroup: { id: securityGroupId("demo-x1x2x-nsg") } };
  const prefixes = Object.entries({ master: "10.0.0.0/24", worker: "10.0.1.0/24" });
  await put(vnetId, {
    location,
    properties: {
      addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
      subnets: prefixes.map(([name, addressPrefix]) => ({ name, properties: { addressPrefix, ...nsg } })),
    },
  });
  const principal = await azure.register(...roles);
  return {
    azure,
    principal,
    environment: {
      AZURE_TENANT_ID: tenantId,
      AZURE_CLIENT_ID: principal.clientId,
      AZURE_CLIENT_SECRET: principal.clientSecret.reveal(),
      AZURE_TOKEN_CREDENTIALS: "EnvironmentCredential",
      AZURE_AUTHORITY_HOST: azure.url,
      AZURE_RESOURCE_MANAGER_ENDPOINT: azure.url,
      AZURE_CA_FILE: caFile,
    },
    get: (id) => call("GET", id),
    put,
    async [Symbol.asyncDispose]() {
      await azure[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    },
  };
}

const namespace = "openshift-machine-api";
const role = "machine.openshift.io/cluster-api-machine-role";

function providerSpec(subnet: string, more: JsonObject) {
  return { providerSpec: { value: { networkResourceGroup: "customer", vnet: "vnet", subnet, ...more } } };
}

/** Stores a MachineSet for workers in the given subnet. */
export function putMachineSet(cluster: TestCluster, name: string, subnet: string, more: JsonObject = {}) {
  const labels = { "machine.openshift.io/cluster-api-machineset": name, [role]: "worker" };
  return cluster.put(resources.machineSets, {
    metadata: { name, namespace, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: providerSpec(subnet, more) },
    },
  });
}

/** Stores the Machine of a master in the given subnet. */
export function putMaster(cluster: TestCluster, name: string, subnet: string, more: JsonObject = {}) {
  const labels = { [role]: "master" };
  return cluster.put(resources.machines, {
    metadata: { name, namespace, labels },
    spec: providerSpec(subnet, more),
  });
}
