import type { ApiServer } from "@keelson/apiserver";
import type { Clock, Logger } from "@keelson/base";
import { type AdminServerOptions, startAdminServer } from "./admin/admin-server.ts";
import type { ConnectMachine } from "./admin/machine-upgrade.ts";
import { type BootProblem, BootProblems, type ReportBoot } from "./boot/boot-problems.ts";
import { type ClusterAddress, ClusterAddresses } from "./boot/cluster-addresses.ts";
import { FaultRegistry } from "./faults/fault-registry.ts";
import { Fleet } from "./fleet.ts";
import { reportBoot } from "./hypervisor/report-boot.ts";
import { followHypervisor, type HypervisorEndpoint } from "./hypervisor/stream.ts";
import { ImageRegistry } from "./kubelet/processes/image-registry.ts";
import { ImageRules } from "./kubelet/processes/image-rules.ts";
import type { ReleasePayload } from "./payload/release-manifest.ts";
import { defaultTimings, type Timings } from "./settings/timings.ts";
import { UpdateSource } from "./updates/update-source.ts";

export interface SimulatedClustersOptions {
  /** API server of the clusters. Each cluster is a logical cluster named by its infrastructure ID. */
  readonly apiServer: ApiServer;
  /** Simulated Azure with the machines of the clusters. */
  readonly azure: HypervisorEndpoint;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly timings?: Partial<Timings>;
  /** Image behaviours in every cluster. May change at any time. Default: a new `ImageRegistry`. */
  readonly images?: ImageRegistry;
  /**
   * File with the image rules of users (`/images` of the administration server). Default: the rules are not
   * persisted.
   */
  readonly imageRulesFile?: string;
  /** Manifests that releases install in every cluster after its installation. Default: none. */
  readonly releasePayload?: ReleasePayload;
  /**
   * Directory of the nodes' file systems, with one subdirectory per cluster. Default: temporary directories.
   */
  readonly folder?: string;
  /**
   * Local address of each cluster's API server, by its domain. Default: the address of the shared API server.
   */
  readonly clusterAddress?: ClusterAddress;
  /** Options of the administration server. Default: no server. */
  readonly admin?: AdminServerOptions;
}

/** Running simulations. Disposal stops them without changing the clusters. */
export interface SimulatedClusters extends AsyncDisposable {
  readonly faults: FaultRegistry;
  readonly updates: UpdateSource;
  /** Machines that cannot boot. */
  readonly bootProblems: readonly BootProblem[];
  /** Port of the administration server, if it runs. */
  readonly adminPort?: number;
}

/**
 * Starts the simulation of OpenShift clusters on the machines of the simulated Azure. Returns immediately.
 * Stored clusters resume after the hypervisor has reported its machines.
 */
export async function startSimulatedClusters(options: SimulatedClustersOptions): Promise<SimulatedClusters> {
  const { apiServer, azure, clock, logger } = options;
  const stop = new AbortController();
  const faults = new FaultRegistry(clock);
  const updates = new UpdateSource();
  const timings = { ...defaultTimings, ...options.timings };
  const { folder, images = new ImageRegistry(), releasePayload } = options;
  const imageRules = new ImageRules(options.imageRulesFile);
  const place = { images, imageRules, folder, releasePayload };
  const report: ReportBoot = (id, problem) => reportBoot(azure, id, problem, stop.signal);
  const bootProblems = new BootProblems(report, logger);
  const { clusterAddress } = options;
  const addresses = clusterAddress && new ClusterAddresses(apiServer, clusterAddress, logger);
  const fleet = new Fleet({
    apiServer,
    azure,
    clock,
    logger,
    timings,
    bootProblems,
    addresses,
    faults,
    updates,
    ...place,
  });
  const connectMachine: ConnectMachine = (machine, port) => fleet.connect(machine, port);
  const admin =
    options.admin &&
    (await startAdminServer(options.admin, {
      faults,
      bootProblems,
      updates,
      imageRules,
      connectMachine,
      logger,
    }));
  await fleet.serveStored();
  const following = followHypervisor(azure, fleet.view, { clock, logger }, stop.signal);
  return {
    faults,
    updates,
    get bootProblems() {
      return bootProblems.list();
    },
    ...(admin ? { adminPort: admin.port } : {}),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await admin?.[Symbol.asyncDispose]();
      await following;
      await fleet[Symbol.asyncDispose]();
      await addresses?.[Symbol.asyncDispose]();
    },
  };
}
