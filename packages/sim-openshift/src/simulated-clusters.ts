import type { ApiServer } from "@keelson/apiserver";
import type { Clock, Logger } from "@keelson/base";
import { Fleet } from "./fleet.ts";
import { followHypervisor, type HypervisorEndpoint } from "./hypervisor/stream.ts";
import { defaultTimings, type Timings } from "./timings.ts";

export interface SimulatedClustersOptions {
  /** Where the clusters live: each is a logical cluster named by its infrastructure ID. */
  readonly apiServer: ApiServer;
  /** The simulated Azure whose machines form the clusters. */
  readonly azure: HypervisorEndpoint;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly timings?: Partial<Timings>;
}

/** Running simulations; disposal stops them and leaves the clusters as they are. */
export interface SimulatedClusters extends AsyncDisposable {}

/**
 * Makes machines of the simulated Azure that boot into OpenShift form clusters, and keeps these alive. Returns at
 * once; clusters stored in `apiServer` go on when the hypervisor has told which machines there are.
 */
export async function startSimulatedClusters(options: SimulatedClustersOptions): Promise<SimulatedClusters> {
  const { apiServer, azure, clock, logger } = options;
  const stop = new AbortController();
  const fleet = new Fleet({ apiServer, clock, logger, timings: { ...defaultTimings, ...options.timings } });
  const following = followHypervisor(azure, fleet.view, { clock, logger }, stop.signal);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await following;
      await fleet[Symbol.asyncDispose]();
    },
  };
}
