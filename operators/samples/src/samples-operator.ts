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
  /** The cluster's API, as the operator's service account. */
  readonly api: KubeApi;
  /** The release that the program belongs to: the version of samples and ClusterOperator. */
  readonly release: string;
  /** The folder of the catalogues. */
  readonly content: string;
  /** Node.js' name of the machine's architecture. */
  readonly arch: string;
  readonly registry: RegistryAccess;
  /** The operator's own namespace; `openshift-cluster-samples-operator` when absent. */
  readonly namespace?: string;
  /** Names this process, for example its pod: unique among all that run in the cluster. */
  readonly instance: string;
  /** Durations are OpenShift's when absent. */
  readonly election?: ElectionSettings;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The samples operator of one cluster. */
export interface SamplesOperator {
  /** True once its caches have been filled and everything has been reconciled once. */
  readonly isReady: boolean;
  /** Whether nothing is to be done now or later. For tests. */
  readonly isIdle: boolean;
  /** Resolves when nothing is to be done now; something may be due later. For tests. */
  idle(): Promise<void>;
  /** Until the signal aborts. Rejects with `LeadershipLost` when another took over: end the process then. */
  run(signal: AbortSignal): Promise<void>;
}

/** Of the Deployment, its pods' lease and the component of its Events. */
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
