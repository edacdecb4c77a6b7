import type { Clock, Logger, Metrics } from "@keelson/base";
import { type ElectionSettings, LeaderElection, Manager, withoutManagedFields } from "@keelson/controller";
import { type KubeApi, resources } from "@keelson/kube";
import { OperatorEvents, type OperatorLog, OperatorResource, podFields } from "@keelson/operator-kit";
import { namespaces } from "./config/namespaces.ts";
import { controllersOf } from "./controllers/controllers.ts";
import type { OperandImages } from "./operand/operand-pod.ts";
import type { OperatorContext } from "./runtime/operator-context.ts";

export interface KubeApiserverOperatorOptions {
  /** Cluster API. It authenticates with the operator's service account. */
  readonly api: KubeApi;
  readonly images: OperandImages;
  /** Version of the API server, for example `1.32.9`. */
  readonly operandVersion: string;
  /** Source version of this program. */
  readonly build: string;
  /** Namespace of the operator. Default: `openshift-kube-apiserver-operator`. */
  readonly namespace?: string;
  /** Identity of this process. It must be unique in the cluster. */
  readonly instance: string;
  /**
   * Leader election durations. Default: those of OpenShift. `none` disables the election. Use it only if a single process runs
   * this operator.
   */
  readonly election?: ElectionSettings | "none";
  /** Time in ms that a node's API server must be ready before the API server of the next node may stop. Default: 30 s. */
  readonly minReadyMs?: number | undefined;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface KubeApiserverOperator {
  /** True after the caches were filled. */
  readonly isReady: boolean;
  /**
   * Runs until the signal aborts. Rejects with `LeadershipLost` if a second process has become the leader.
   * The process must then exit.
   */
  run(signal: AbortSignal): Promise<void>;
}

const semanticVersion = /^\d+\.\d+\.\d+([-+].*)?$/;

/**
 * Creates an operator.
 * @throws Error for an invalid version
 */
export function createKubeApiserverOperator(options: KubeApiserverOperatorOptions): KubeApiserverOperator {
  const { api, images, operandVersion, build, instance, metrics, clock, logger, minReadyMs } = options;
  const { namespace = namespaces.operator } = options;
  for (const [variable, version] of [
    ["OPERATOR_IMAGE_VERSION", images.version],
    ["OPERAND_IMAGE_VERSION", operandVersion],
  ] as const)
    if (!semanticVersion.test(version))
      throw new Error(`${variable} "${version}" is no semantic version such as 4.19.0`);
  const expiry = metrics.gauge({
    name: "keelson_kube_apiserver_operator_certificate_end_seconds",
    help: "Expiry of a certificate, in Unix seconds",
    labels: ["namespace", "name"],
  });
  return new Manager<OperatorContext>({
    api,
    component: "kube-apiserver-operator",
    instance,
    context: ({ events, ...parts }) => ({
      ...parts,
      images,
      operandVersion,
      build,
      metrics,
      expiry,
      operator: new OperatorResource({
        ...parts,
        resource: resources.kubeApiServers,
        instance: "kube-apiserver",
      }),
      events: new OperatorEvents(events, { namespace, name: "kube-apiserver-operator" }),
    }),
    controllers: controllersOf({
      images,
      operandVersion,
      log: operatorLog(logger),
      minReadyMs,
    }),
    election: options.election === "none" ? undefined : electionOf(options, namespace),
    reportsLeader: true,
    strip: (resource) => (resource === resources.pods ? podFields : withoutManagedFields),
    metrics,
    clock,
    logger,
  });
}

function electionOf(options: KubeApiserverOperatorOptions, namespace: string): LeaderElection {
  const { api, instance, metrics, clock, logger, election } = options;
  return new LeaderElection({
    api,
    lease: { namespace, name: "kube-apiserver-operator-lock" },
    identity: instance,
    ...(election === "none" ? {} : election),
    clock,
    logger,
    metrics,
  });
}

const levels = { Normal: "info", Debug: "debug", Trace: "trace", TraceAll: "trace" } as const;

/** Returns a log with an adjustable level. */
function operatorLog(logger: Logger): OperatorLog {
  let level: OperatorLog["level"] = "Normal";
  return {
    get level() {
      return level;
    },
    set(wanted) {
      level = wanted;
      logger.level = levels[wanted];
    },
  };
}
