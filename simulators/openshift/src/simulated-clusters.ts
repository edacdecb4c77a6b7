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
  /** Where the clusters live: each is a logical cluster named by its infrastructure ID. */
  readonly apiServer: ApiServer;
  /** The simulated Azure whose machines form the clusters. */
  readonly azure: HypervisorEndpoint;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly timings?: Partial<Timings>;
  /** What images do, in every cluster; the defaults when absent. It may change at any time. */
  readonly images?: ImageRegistry;
  /** File with the rules of users for images (`/images` of the administration). Default: they end with the process. */
  readonly imageRulesFile?: string;
  /** What releases bring into every cluster once it is installed; nothing when absent. */
  readonly releasePayload?: ReleasePayload;
  /** Where nodes have their file systems, by cluster; temporary folders when absent. */
  readonly folder?: string;
  /** Address of this machine for each cluster's API server, by its domain. Default: they share the API server's. */
  readonly clusterAddress?: ClusterAddress;
  /** Where the simulated world is administered; nowhere when absent. */
  readonly admin?: AdminServerOptions;
}

/** Running simulations; disposal stops them and leaves the clusters as they are. */
export interface SimulatedClusters extends AsyncDisposable {
  readonly faults: FaultRegistry;
  readonly updates: UpdateSource;
  /** Machines that cannot boot. */
  readonly bootProblems: readonly BootProblem[];
  /** The port of the administration; absent when there is none. */
  readonly adminPort?: number;
}

/**
 * Makes machines of the simulated Azure that boot into OpenShift form clusters, and keeps these alive. Returns at
 * once; clusters stored in `apiServer` go on when the hypervisor has reported which machines there are.
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
