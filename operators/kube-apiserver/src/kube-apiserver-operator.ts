import type { Clock, Logger, Metrics } from "@keelson/base";
import { type ElectionSettings, LeaderElection, Manager, withoutManagedFields } from "@keelson/controller";
import { type KubeApi, resources } from "@keelson/kube";
import { OperatorEvents, type OperatorLog, OperatorResource, podFields } from "@keelson/operator-kit";
import { namespaces } from "./config/namespaces.ts";
import { controllersOf } from "./controllers/controllers.ts";
import type { OperandImages } from "./operand/operand-pod.ts";
import type { OperatorContext } from "./runtime/operator-context.ts";

export interface KubeApiserverOperatorOptions {
  /** The cluster's API, as the operator's service account. */
  readonly api: KubeApi;
  readonly images: OperandImages;
  /** Of the API server: `1.32.9`. */
  readonly operandVersion: string;
  /** What this program was built from. */
  readonly build: string;
  /** The operator's own namespace. */
  readonly namespace?: string;
  /** Names this process: unique among all that run in the cluster. */
  readonly instance: string;
  /** Durations are OpenShift's when absent. None where nothing else runs as this operator. */
  readonly election?: ElectionSettings | "none";
  /** How long a node's API server has to be ready before the next one may end; 30 seconds when absent. */
  readonly minReadyMs?: number;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface KubeApiserverOperator {
  /** True once its caches have been filled. */
  readonly isReady: boolean;
  /** Until the signal aborts. Rejects with `LeadershipLost` when another process took over: end the process then. */
  run(signal: AbortSignal): Promise<void>;
}

const semanticVersion = /^\d+\.\d+\.\d+([-+].*)?$/;

/** @throws Error for a version that is none */
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
    help: "When a certificate ends, in seconds of Unix time",
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
    ...(options.election === "none" ? {} : { election: electionOf(options, namespace) }),
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

/** What lines say from then on. */
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
