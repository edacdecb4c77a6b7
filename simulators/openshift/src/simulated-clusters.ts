import type { ApiServer } from "@keelson/apiserver";
import { type Clock, type Logger, requireOptions } from "@keelson/base";
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
import { clusterProcessOf } from "./processes/cluster-process.ts";
import type { ClusterShare } from "./processes/cluster-share.ts";
import { followSettings } from "./processes/follow-settings.ts";
import { SettingsFeed } from "./processes/settings-feed.ts";
import { applySettings } from "./processes/world-settings.ts";
import { defaultTimings, type Timings } from "./settings/timings.ts";
import { UpdateSource } from "./updates/update-source.ts";

export interface SimulatedClustersOptions {
  /** API server of all clusters. Each cluster is a logical cluster with its infrastructure ID as the name. */
  readonly apiServer: ApiServer;
  /** Endpoint of the simulated Azure that runs the clusters' machines. */
  readonly azure: HypervisorEndpoint;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly timings?: Partial<Timings>;
  /** Behavior of images in all clusters. The behavior may be changed at any time. Default: a new `ImageRegistry`. */
  readonly images?: ImageRegistry;
  /** File that stores the users' image rules (`/images` of the administration server). Default: the rules are not persistent. */
  readonly imageRulesFile?: string;
  /** Manifests that each release applies after the installation. Default: none. */
  readonly releasePayload?: ReleasePayload | undefined;
  /** Directory of the nodes' file systems with one subdirectory per cluster. Default: temporary directories. */
  readonly directory?: string;
  /**
   * Function that returns the local address of a cluster's API server for the cluster's domain. Default: the address of the
   * shared API server.
   */
  readonly clusterAddress?: ClusterAddress;
  /** Port of each cluster's API server at its local address. Default: the port of the shared API server. */
  readonly clusterPort?: number;
  /** Clusters that this process runs, if several processes run clusters. Default: all clusters. */
  readonly share?: ClusterShare;
  /** Options of the administration server. Default: the server does not run. */
  readonly admin?: AdminServerOptions;
}

/** Maximum time in milliseconds that the start of a further process waits for the settings of the first process. */
const firstSettingsMs = 2_000;

/** Running simulation. Disposal stops the simulation without changing the clusters. */
export interface SimulatedClusters extends AsyncDisposable {
  readonly faults: FaultRegistry;
  readonly updates: UpdateSource;
  /** Machines that cannot boot. */
  readonly bootProblems: readonly BootProblem[];
  /** Port of the administration server. Undefined if it does not run. */
  readonly adminPort?: number;
}

/**
 * Starts the simulation of OpenShift clusters on the machines of the simulated Azure. Returns immediately. Stored clusters resume
 * when the hypervisor reports their machines.
 */
export async function startSimulatedClusters(options: SimulatedClustersOptions): Promise<SimulatedClusters> {
  requireOptions("startSimulatedClusters", options, ["apiServer", "azure", "clock", "logger"]);
  const { apiServer, azure, clock, logger } = options;
  const stop = new AbortController();
  const faults = new FaultRegistry(clock);
  const updates = new UpdateSource();
  const timings = { ...defaultTimings, ...options.timings };
  const { directory, images = new ImageRegistry(), releasePayload } = options;
  const imageRules = new ImageRules(options.imageRulesFile);
  const place = { images, imageRules, directory, releasePayload };
  const report: ReportBoot = (id, problem) => reportBoot(azure, id, problem, stop.signal);
  const bootProblems = new BootProblems(report, logger);
  const { clusterAddress: addressOf, clusterPort: port } = options;
  const addresses = addressOf && new ClusterAddresses(apiServer, { addressOf, port }, logger);
  const { process: index, admins } = options.share ?? { process: 0, admins: [] };
  const owns = (infraId: string) => clusterProcessOf(infraId, admins.length) === index;
  const fleet = new Fleet({
    owns,
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
  const settings = { faults, imageRules, updates };
  const [firstAdmin] = admins;
  const isFirst = index === 0 || firstAdmin === undefined;
  const admin =
    options.admin &&
    (await startAdminServer(options.admin, {
      faults,
      bootProblems,
      updates,
      imageRules,
      connectMachine,
      serves: (name) => apiServer.serves(name),
      feed: isFirst ? new SettingsFeed(settings, clock) : undefined,
      others: admins.filter((_, at) => at !== index),
      logger,
    }));
  const applied = Promise.withResolvers<void>();
  const followingSettings = isFirst
    ? undefined
    : followSettings(
        { admin: firstAdmin, process: index },
        (latest) => {
          applySettings(settings, latest);
          applied.resolve();
        },
        { clock, logger },
        stop.signal,
      );
  // Waits for the settings of the first process, so that the clusters start with these settings. The wait is limited, because the
  // first process may be down.
  if (followingSettings)
    await Promise.race([applied.promise, clock.sleep(firstSettingsMs, stop.signal).catch(() => undefined)]);
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
      await Promise.all([following, followingSettings]);
      await fleet[Symbol.asyncDispose]();
      await addresses?.[Symbol.asyncDispose]();
    },
  };
}
