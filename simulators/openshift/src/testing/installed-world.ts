import { randomUUID } from "node:crypto";
import type { ApiServer, ApiServerOptions, ClusterClient, LogicalCluster } from "@keelson/apiserver";
import { type AzureClients, connectAzure } from "@keelson/azure";
import {
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
  type Logger,
  Secret,
  silentLogger,
  systemClock,
} from "@keelson/base";
import { createKubeconfig } from "@keelson/kube";
import {
  type Timings as AzureTimings,
  instantTimings as instantAzure,
  ownerRole,
  type SimulatedAzure,
  startSimulatedAzure,
} from "@keelson/sim-azure";
import type { ReleasePayload } from "../payload/release-manifest.ts";
import { kubernetesVersionOf } from "../settings/cluster-settings.ts";
import { instantTimings, type Timings } from "../settings/timings.ts";
import type { SimulatedClusters } from "../simulated-clusters.ts";
import { exampleInstall, exampleSettings } from "./example-cluster.ts";
import { type SimulationConfig, startSimulation } from "./simulation.ts";

export const infraId = "demo-x7k2p";
const tenantId = "64dc69e4-d083-49fc-9569-ebece1dd1408";
const subscriptionId = "7a3036d1-60a1-4605-8a41-44955e050804";
const clientId = "11111111-2222-4333-8444-555555555555";
const audience = "https://management.azure.com/";

export interface WorldOptions {
  readonly storage?: ApiServerOptions["storage"];
  readonly timings?: Partial<Timings>;
  /** Timings of the simulated Azure. Default: no delays. */
  readonly azureTimings?: AzureTimings;
  readonly workers?: number;
  /** Release to install. */
  readonly openShiftVersion?: string;
  /** Manifests that the release applies to the cluster. */
  readonly releasePayload?: ReleasePayload;
  readonly logger?: Logger;
  /** Delays the start of the API server and the simulation until `wake` is called. */
  readonly asleep?: true;
}

/** Test environment: a simulated Azure with a network, an API server and simulated clusters. */
export class TestWorld implements AsyncDisposable {
  readonly azure: AzureClients;
  readonly #options: WorldOptions;
  readonly #tls: { readonly caPem: string; readonly pair: KeyPair };
  readonly #cloud: SimulatedAzure;
  readonly #secrets: { readonly client: Secret; readonly admin: Secret };
  readonly #signal = new AbortController().signal;
  #running: { readonly apiServer: ApiServer; readonly clusters: SimulatedClusters } | undefined;

  private constructor(parts: {
    readonly options: WorldOptions;
    readonly tls: { readonly caPem: string; readonly pair: KeyPair };
    readonly cloud: SimulatedAzure;
    readonly secrets: { readonly client: Secret; readonly admin: Secret };
    readonly azure: AzureClients;
  }) {
    this.#options = parts.options;
    this.#tls = parts.tls;
    this.#cloud = parts.cloud;
    this.#secrets = parts.secrets;
    this.azure = parts.azure;
  }

  static async start(options: WorldOptions = {}): Promise<TestWorld> {
    const authority = await createCertificateAuthority("test", 1);
    const pair = await issueCertificate(authority, {
      commonName: "localhost",
      dnsNames: ["localhost"],
      usage: "server",
      validDays: 1,
    });
    const tls = { caPem: authority.certificatePem, pair };
    const secrets = { client: new Secret(randomUUID()), admin: new Secret(randomUUID()) };
    const cloud = await startSimulatedAzure({
      host: "localhost",
      port: 0,
      tls: pair,
      state: { kind: "memory" },
      tenantId,
      subscriptionId,
      locations: ["eastus"],
      principals: [{ clientId, clientSecret: secrets.client, displayName: "cluster", roles: [ownerRole] }],
      adminToken: secrets.admin,
      timings: options.azureTimings ?? instantAzure,
      clock: systemClock,
      logger: silentLogger,
    });
    const azure = connectAzure({
      environment: {
        armEndpoint: cloud.url,
        loginEndpoint: cloud.url,
        audience,
        caPem: tls.caPem,
        pollIntervalMs: 20,
      },
      credential: { tenantId, clientId, clientSecret: secrets.client },
      subscriptionId,
      logger: silentLogger,
    });
    const world = new TestWorld({ options, tls, cloud, secrets, azure });
    await world.#createNetwork();
    if (!options.asleep) await world.wake();
    return world;
  }

  get client(): ClusterClient {
    return this.cluster.client;
  }

  /** Logical cluster in the API server. */
  get cluster(): LogicalCluster {
    const cluster = this.#running?.apiServer.findCluster(infraId);
    if (!cluster) throw new Error("the cluster does not exist");
    return cluster;
  }

  /** Returns a kubeconfig with which a service account can access the cluster over HTTPS. */
  async kubeconfigOf(namespace: string, serviceAccount: string): Promise<string> {
    const { token } = await this.cluster.issueToken({ namespace, serviceAccount });
    return createKubeconfig({
      server: this.cluster.url,
      caPem: this.#tls.caPem,
      clusterName: "cluster",
      userName: "account",
      token,
    });
  }

  get simulated(): SimulatedClusters {
    if (!this.#running) throw new Error("the simulation sleeps");
    return this.#running.clusters;
  }

  get clusterNames(): readonly string[] {
    return (this.#running?.apiServer.listClusters() ?? []).map(({ name }) => name);
  }

  /** Creates the machines of an installation: the bootstrap machine and three masters. */
  async install(): Promise<void> {
    const install = await this.customData();
    await Promise.all([
      this.createMachine(`${infraId}-bootstrap`, install.bootstrap),
      ...[0, 1, 2].map((index) => this.createMachine(`${infraId}-master-${index}`, install.master)),
    ]);
  }

  /** Returns the custom data that an installer assigns to its machines. */
  async customData(): ReturnType<typeof exampleInstall> {
    const { workers = 3, openShiftVersion = "4.19.24" } = this.#options;
    const example = exampleSettings();
    return exampleInstall({
      settings: {
        ...example,
        openShiftVersion,
        kubernetesVersion: kubernetesVersionOf(openShiftVersion),
        platform: { ...example.platform, subscriptionId, tenantId },
      },
      workers,
      servicePrincipal: { clientId, clientSecret: this.#secrets.client.reveal() },
    });
  }

  async createMachine(name: string, customData: string): Promise<void> {
    const subnet = {
      id: `/subscriptions/${subscriptionId}/resourceGroups/demo-rg/providers/Microsoft.Network/virtualNetworks/demo-vnet/subnets/master-subnet`,
    };
    const nic = await this.azure.network.networkInterfaces.createOrUpdate(
      "aro-demo",
      `${name}-nic`,
      { location: "eastus", ipConfigurations: [{ name: "ip", subnet }] },
      this.azure.call(this.#signal),
    );
    await this.azure.compute.virtualMachines.createOrUpdate(
      "aro-demo",
      name,
      {
        location: "eastus",
        hardwareProfile: { vmSize: "Standard_D8s_v3" },
        osProfile: { computerName: name, adminUsername: "core", customData },
        storageProfile: { osDisk: { name: `${name}_OSDisk`, createOption: "FromImage" } },
        networkProfile: { networkInterfaces: nic.id ? [{ id: nic.id }] : [] },
      },
      this.azure.call(this.#signal),
    );
  }

  /**
   * Uploads a blob to a storage account of the cluster's resource group. Returns a signed URL with Azure's host name for reading
   * the blob.
   */
  async uploadBlob(content: Uint8Array): Promise<string> {
    const call = this.azure.call(this.#signal);
    const { storageAccounts, blobContainers } = this.azure.storage;
    const [group, account] = ["aro-demo", "clusterdemo"];
    await storageAccounts.create(
      group,
      account,
      { location: "eastus", kind: "StorageV2", sku: { name: "Standard_LRS" } },
      call,
    );
    await blobContainers.create(group, account, "ignition", {}, call);
    const { accountSasToken: signature = "" } = await storageAccounts.listAccountSAS(
      group,
      account,
      {
        services: "b",
        resourceTypes: "co" as "c",
        permissions: "rwl" as "r",
        protocols: "https",
        sharedAccessStartTime: new Date(Date.now() - 900_000),
        sharedAccessExpiryTime: new Date(Date.now() + 86_400_000),
      },
      call,
    );
    const container = this.azure.blobContainer(
      `${this.#cloud.url}/${account}/ignition`,
      new Secret(signature),
    );
    await container.put("bootstrap.ign", content, "application/octet-stream", this.#signal);
    return `https://${account}.blob.core.windows.net/ignition/bootstrap.ign?${signature}`;
  }

  async deleteMachine(name: string): Promise<void> {
    await this.azure.compute.virtualMachines.delete("aro-demo", name, this.azure.call(this.#signal));
  }

  async stopMachine(name: string): Promise<void> {
    await this.azure.compute.virtualMachines.powerOff("aro-demo", name, this.azure.call(this.#signal));
  }

  async startMachine(name: string): Promise<void> {
    await this.azure.compute.virtualMachines.start("aro-demo", name, this.azure.call(this.#signal));
  }

  /** Returns the names of all machines in Azure, sorted. */
  async machineNames(): Promise<readonly string[]> {
    const names: string[] = [];
    for await (const { name } of this.azure.compute.virtualMachines.list("aro-demo")) names.push(name ?? "");
    return names.sort();
  }

  /** Starts the API server and the simulation. They continue with their stored state. */
  async wake(): Promise<void> {
    const { logger, releasePayload } = this.#options;
    this.#running = await startSimulation(this.simulation, logger, releasePayload);
  }

  async sleep(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await using _apiServer = running?.apiServer;
    await running?.clusters[Symbol.asyncDispose]();
  }

  /** Configuration for running this simulation in a separate process. */
  get simulation(): SimulationConfig {
    return {
      azureUrl: this.#cloud.url,
      adminToken: this.#secrets.admin.reveal(),
      caPem: this.#tls.caPem,
      tls: this.#tls.pair,
      storage: this.#options.storage ?? { kind: "memory" },
      timings: { ...instantTimings, ...this.#options.timings },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await using _cloud = this.#cloud;
    await this.sleep();
  }

  async #createNetwork(): Promise<void> {
    const options = this.azure.call(this.#signal);
    for (const group of ["aro-demo", "demo-rg"])
      await this.azure.resources.resourceGroups.createOrUpdate(group, { location: "eastus" });
    await this.azure.network.virtualNetworks.createOrUpdate(
      "demo-rg",
      "demo-vnet",
      {
        location: "eastus",
        addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
        subnets: [
          { name: "master-subnet", addressPrefix: "10.0.0.0/23" },
          { name: "worker-subnet", addressPrefix: "10.0.16.0/20" },
        ],
      },
      options,
    );
  }
}
