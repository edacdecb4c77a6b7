import type { Clock, Logger, Metrics } from "@keelson/base";
import { type ElectionSettings, LeaderElection, Manager } from "@keelson/controller";
import type { KubeApi } from "@keelson/kube";
import { ClusterOperatorStatus } from "@keelson/operator-kit";
import { architectureName } from "./bootstrap/default-config.ts";
import { FirstStateCheck } from "./bootstrap/first-state.ts";
import type { RegistryAccess } from "./bootstrap/registry-access.ts";
import { CatalogueStore } from "./content/catalogue-store.ts";
import { ImportRetries } from "./context/import-retries.ts";
import type { OperatorContext } from "./context/operator-context.ts";
import { samplesController } from "./operator/samples-controller.ts";
import { clusterOperatorName, operatorNamespace } from "./resources/resources.ts";
import { SampleRepairs } from "./status/sample-repairs.ts";
import { SamplesMetrics } from "./status/samples-metrics.ts";

export interface SamplesOperatorOptions {
  /** Client of the cluster's API server. It authenticates with the operator's service account. */
  readonly api: KubeApi;
  /** Release version of the program. It is also the version of the samples and the ClusterOperator. */
  readonly release: string;
  /** Directory of the catalogues. */
  readonly content: string;
  /** Architecture of the machine, as named by Node.js. */
  readonly arch: string;
  readonly registry: RegistryAccess;
  /** Namespace of the operator. Default: `openshift-cluster-samples-operator`. */
  readonly namespace?: string;
  /** Identity of this process, for example its pod name. It must be unique in the cluster. */
  readonly instance: string;
  /** Leader election durations. Default: the durations of OpenShift's operators. */
  readonly election?: ElectionSettings | undefined;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Samples operator of one cluster. */
export interface SamplesOperator {
  /** True after the caches were filled and all keys were reconciled once. */
  readonly isReady: boolean;
  /** True if no work is pending or scheduled. Only for tests. */
  readonly isIdle: boolean;
  /** Resolves when no work is pending. Work may be scheduled for a later time. Only for tests. */
  idle(): Promise<void>;
  /**
   * Runs until the signal aborts. Rejects with `LeadershipLost` if a second process has become the leader.
   * The process must then exit.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** Name of the Deployment and the lease. It is also the component of Events. */
const name = "cluster-samples-operator";

export function createSamplesOperator(options: SamplesOperatorOptions): SamplesOperator {
  const { api, release, content, registry, instance, metrics, clock, logger } = options;
  const { namespace = operatorNamespace } = options;
  return new Manager<OperatorContext>({
    api,
    component: name,
    instance,
    context: (parts) => ({
      ...parts,
      namespace,
      release,
      architecture: architectureName(options.arch),
      firstState: new FirstStateCheck({ ...parts, registry }),
      catalogues: new CatalogueStore(content, clock),
      retries: new ImportRetries(clock),
      metrics: new SamplesMetrics(metrics),
      repairs: new SampleRepairs(parts.events, { namespace, name }, metrics),
      clusterOperator: new ClusterOperatorStatus({ ...parts, name: clusterOperatorName }),
    }),
    controllers: [samplesController(namespace)],
    election: new LeaderElection({
      api,
      lease: { namespace, name },
      identity: instance,
      ...options.election,
      clock,
      logger,
      metrics,
    }),
    metrics,
    clock,
    logger,
  });
}
