import type { Clock, Logger } from "@keelson/base";
import type { Cache, EventRecorder } from "@keelson/controller";
import type { KubeApi } from "@keelson/kube";
import type { ClusterOperatorStatus } from "@keelson/operator-kit";
import type { FirstStateCheck } from "../bootstrap/first-state.ts";
import type { CatalogueStore } from "../content/catalogue-store.ts";
import type { SampleRepairs } from "../status/sample-repairs.ts";
import type { SamplesMetrics } from "../status/samples-metrics.ts";
import type { ImportRetries } from "./import-retries.ts";

/** Dependencies of the controller. */
export interface OperatorContext {
  readonly api: KubeApi;
  readonly cache: Cache;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Namespace of the operator. */
  readonly namespace: string;
  /** Release version of the program. */
  readonly release: string;
  /** Architecture of this machine, as named in Configs. `undefined` if there are no samples for the architecture. */
  readonly architecture: string | undefined;
  readonly firstState: FirstStateCheck;
  readonly catalogues: CatalogueStore;
  readonly retries: ImportRetries;
  readonly metrics: SamplesMetrics;
  readonly repairs: SampleRepairs;
  readonly clusterOperator: ClusterOperatorStatus;
}
