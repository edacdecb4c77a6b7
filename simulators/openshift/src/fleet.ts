import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import type { ApiServer, LogicalCluster } from "@keelson/apiserver";
import { type Clock, isCoded, type Logger, messageOf } from "@keelson/base";
import { done, type Result, WorkQueue } from "@keelson/controller";
import { defaultRoles } from "./apis/default-roles.ts";
import { priorityClasses } from "./apis/priority-classes.ts";
import { constraintRoles } from "./apis/security/constraint-roles.ts";
import { serveApis } from "./apis/served/serve-apis.ts";
import { AzureAccess } from "./azure/azure-access.ts";
import { ensureObject } from "./base/objects.ts";
import { resources } from "./base/resources.ts";
import { type BootProblems, isBootError } from "./boot/boot-problems.ts";
import type { ClusterAddresses } from "./boot/cluster-addresses.ts";
import { machineConfigServer } from "./boot/machine-config-server.ts";
import { machineNetwork } from "./boot/machine-network.ts";
import { servingNames } from "./boot/serving-names.ts";
import { installCluster, isInstalled, readSettings } from "./bootstrap/install.ts";
import { controllers } from "./controllers/controllers.ts";
import { EtcdServers } from "./etcd/etcd-servers.ts";
import { concernsCluster, type Fault } from "./faults/fault.ts";
import type { FaultRegistry } from "./faults/fault-registry.ts";
import { apiFaultsOf } from "./faults/request-faults.ts";
import { planCluster, servesApi } from "./fleet-plan.ts";
import { type MachineListener, MachineView } from "./hypervisor/machine-view.ts";
import type { HypervisorEndpoint } from "./hypervisor/stream.ts";
import type { VirtualMachine } from "./hypervisor/virtual-machine.ts";
import { applyIgnition } from "./ignition/apply-ignition.ts";
import { convertEarlierFiles } from "./installer/earlier-cluster-file.ts";
import { combinePodServers } from "./kubelet/pod-servers.ts";
import type { ImageRegistry } from "./kubelet/processes/image-registry.ts";
import type { ImageRules } from "./kubelet/processes/image-rules.ts";
import { MonitoringServers } from "./monitoring/monitoring-servers.ts";
import { ClusterPayload } from "./payload/cluster-payload.ts";
import type { ReleasePayload } from "./payload/release-manifest.ts";
import { startClusterCache } from "./runtime/cluster-cache.ts";
import { startControllers } from "./runtime/start-controllers.ts";
import { readBootConfiguration } from "./settings/boot-configuration.ts";
import type { ClusterSettings } from "./settings/cluster-settings.ts";
import type { Timings } from "./settings/timings.ts";
import { ClusterGuests, type MachineRef } from "./ssh/cluster-guests.ts";
import type { UpdateSource } from "./updates/update-source.ts";
import { startWorkloads } from "./workloads/start-workloads.ts";

export interface FleetDeps {
  readonly apiServer: ApiServer;
  /** Endpoint of the simulated Azure. */
  readonly azure: HypervisorEndpoint;
  readonly timings: Timings;
  readonly bootProblems: BootProblems;
  /** Dedicated addresses of clusters. Default: all clusters use the API server's address. */
  readonly addresses: ClusterAddresses | undefined;
  readonly faults: FaultRegistry;
  readonly updates: UpdateSource;
  /** Simulated behavior of images in all clusters. */
  readonly images: ImageRegistry;
  /** Image rules that users configured. */
  readonly imageRules: ImageRules;
  /** Parent directory of the nodes' file systems. Default: temporary directories. */
  readonly directory: string | undefined;
  /** Manifests of the real operators in each release. Undefined if all operators are simulated. */
  readonly releasePayload: ReleasePayload | undefined;
  /** Selects the clusters of this process. */
  readonly owns: (infraId: string) => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Maximum number of concurrent cluster installations, starts and deletions. */
const clustersAtATime = 32;
const maxRetryMs = 30_000;
/** Interval in milliseconds between the requests of a booting machine for its Ignition configuration. */
const bootRetryMs = 5_000;

/**
 * Manages all simulated clusters. A cluster is created when its bootstrap machine boots, and deleted when its last machine is
 * deleted.
 */
export class Fleet implements MachineListener, AsyncDisposable {
  readonly view: MachineView;
  readonly #deps: FleetDeps;
  readonly #stop = new AbortController();
  readonly #queue: WorkQueue;
  /** Running controllers and workloads by cluster. */
  readonly #running = new Map<string, AsyncDisposable>();
  readonly #guests = new Map<string, ClusterGuests>();
  /** Clusters with registered OpenShift APIs. */
  readonly #served = new WeakSet<LogicalCluster>();

  constructor(deps: FleetDeps) {
    this.#deps = deps;
    this.view = new MachineView(deps.clock, this, deps.owns);
    deps.faults.onChange((fault) => this.#faultChanged(fault));
    this.#queue = new WorkQueue({
      concurrency: clustersAtATime,
      maxRetryMs,
      process: (infraId) => this.#reconcile(infraId),
      onFailure: (cluster, error, attempt) =>
        deps.logger.warn(
          { cluster, attempt, error: messageOf(error) },
          "simulated cluster failed to progress",
        ),
      clock: deps.clock,
      signal: this.#stop.signal,
    });
  }

  /** Registers OpenShift's APIs for stored clusters before their machines are reported. */
  async serveStored(): Promise<void> {
    for (const logical of this.#deps.apiServer.listClusters()) {
      const settings = await readSettings(logical.client);
      if (!settings) continue;
      this.view.addCluster(settings.infraId, settings.platform);
      this.#serve(logical, settings);
    }
  }

  /** Connects to a port of a cluster machine. `undefined` if the port is closed. */
  connect(machine: MachineRef, port: number): Duplex | undefined {
    return this.#guests.get(this.view.infraIdOf(machine.id) ?? "")?.connect(machine, port);
  }

  changed(infraId: string, machine: VirtualMachine): void {
    if (!this.view.ofCluster(infraId).find(machine.name)) this.#deps.bootProblems.forget(machine);
    this.#queue.add(infraId);
  }

  /** Handles the first complete machine list. Also reconciles stored clusters that have no machines in the list. */
  synced(): void {
    const stored = this.#deps.apiServer.listClusters().map(({ name }) => name);
    for (const infraId of new Set([...stored, ...this.view.infraIds()])) this.#queue.add(infraId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#queue.drained();
    await Promise.all([...this.#running.values()].map((running) => running[Symbol.asyncDispose]()));
  }

  #faultChanged(fault: Fault): void {
    for (const logical of this.#deps.apiServer.listClusters()) {
      if (!concernsCluster(fault, logical.name)) continue;
      logical.setFaults(apiFaultsOf(this.#deps.faults.ofCluster(logical.name)));
      if (fault.kind === "watch-drop") logical.dropStreams();
    }
  }

  async #reconcile(infraId: string): Promise<Result> {
    if (!this.view.complete) return done;
    const { apiServer, clock, timings, logger } = this.#deps;
    const logical = apiServer.findCluster(infraId);
    const machines = this.view.ofCluster(infraId).list();
    logical?.setServing(servesApi(infraId, machines));
    const settings = logical && (await readSettings(logical.client));
    if (settings) this.#serve(logical, settings);
    const change = planCluster({
      infraId,
      machines,
      stored: settings !== undefined,
      installed: logical !== undefined && (this.#running.has(infraId) || (await isInstalled(logical.client))),
      running: this.#running.has(infraId),
      now: clock.now(),
      bootMs: timings.bootstrapBootMs,
    });
    switch (change.kind) {
      case "none":
        if (machines.length === 0) this.view.removeCluster(infraId);
        return done;
      case "wait":
        return { requeueAfterMs: change.ms };
      case "install":
        return this.#install(infraId, change.bootstrap);
      case "run":
        if (logical) await this.#run(logical);
        return done;
      case "delete":
        await this.#running.get(infraId)?.[Symbol.asyncDispose]();
        this.#running.delete(infraId);
        if (this.#deps.directory)
          await rm(join(this.#deps.directory, infraId), { recursive: true, force: true });
        await this.#deps.addresses?.remove(infraId);
        await apiServer.deleteCluster(infraId);
        this.view.removeCluster(infraId);
        logger.info({ cluster: infraId }, "simulated cluster removed");
        return done;
    }
  }

  async #install(infraId: string, bootstrap: VirtualMachine): Promise<Result> {
    const { azure, bootProblems, logger } = this.#deps;
    try {
      const fetch = machineNetwork(azure);
      const { files } = await applyIgnition(bootstrap.customData, fetch, this.#stop.signal);
      const boot = readBootConfiguration(await convertEarlierFiles(files), infraId);
      await bootProblems.resolve(bootstrap);
      const serve = (logical: LogicalCluster, settings: ClusterSettings) => this.#serve(logical, settings);
      const payload = new ClusterPayload(this.#deps.releasePayload);
      await this.#run(await installCluster(this.#deps.apiServer, { boot, payload, serve, logger }));
      return done;
    } catch (error) {
      if (!isBootError(error)) throw error;
      await bootProblems.add(infraId, bootstrap, error.message);
      // Retries only if the machine could not fetch an Ignition configuration or file. All other errors are permanent because a
      // machine's custom data never changes.
      return isCoded(error, "IgnitionUnavailable") ? { requeueAfterMs: bootRetryMs } : done;
    }
  }

  #serve(logical: LogicalCluster, { domain }: ClusterSettings): void {
    if (this.#served.has(logical)) return;
    this.#served.add(logical);
    const faults = this.#deps.faults.ofCluster(logical.name);
    serveApis({ client: logical.client, logical, domain, faults, clock: this.#deps.clock });
    this.#deps.addresses?.add(logical.name, domain);
    logical.setServingCertificates("installer", [servingNames(logical.client, domain)]);
  }

  async #run(logical: LogicalCluster): Promise<void> {
    const settings = await readSettings(logical.client);
    if (!settings) return;
    const { timings, clock, updates } = this.#deps;
    const faults = this.#deps.faults.ofCluster(logical.name);
    logical.setFaults(apiFaultsOf(faults));
    const logger = this.#deps.logger.child({ cluster: logical.name });
    const { azure: endpoint, bootProblems } = this.#deps;
    const azure = new AzureAccess(endpoint, settings.platform.subscriptionId, logger);
    const machines = this.view.ofCluster(settings.infraId);
    const { images, imageRules, directory, releasePayload } = this.#deps;
    const place = directory === undefined ? {} : { directory: join(directory, logical.name) };
    const { client } = logical;
    // An earlier release can have stored the cluster without these objects.
    await logical.reconcilePolicy([...defaultRoles(), ...constraintRoles()]);
    for (const object of priorityClasses) await ensureObject(client, resources.priorityClasses, object);
    await using parts = new AsyncDisposableStack();
    const { cache } = parts.use(startClusterCache(client, { clock, logger }));
    const servers = combinePodServers([
      parts.use(new MonitoringServers({ logical, faults, clock, logger })),
      parts.use(new EtcdServers({ client, logger })),
    ]);
    const { nodeDirectory } = parts.use(
      await startWorkloads(logical, { ...place, cache, images, imageRules, servers, clock, logger }),
    );
    const guests = parts.use(
      new ClusterGuests({ infraId: settings.infraId, client, machines, nodeDirectory, clock, logger }),
    );
    this.#guests.set(logical.name, guests);
    parts.defer(() => void this.#guests.delete(logical.name));
    const payload = new ClusterPayload(releasePayload);
    const serveConfig = machineConfigServer({ client, domain: settings.domain, clock });
    const fetch = machineNetwork(endpoint, serveConfig);
    const circumstances = { fetch, bootProblems, faults, payload, updates, timings, clock, logger };
    const context = { client, cache, logical, settings, machines, azure, nodeDirectory, ...circumstances };
    parts.use(await startControllers(controllers, { cache, context, clock, logger }));
    this.#running.set(logical.name, parts.move());
    logger.info("simulated cluster runs");
  }
}
