import { type Logger, Metrics, stringAt, systemClock } from "@keelson/base";
import { serveHealth } from "@keelson/controller";
import { type KubeApi, resources } from "@keelson/kube";
import {
  createKubeApiserverOperator,
  type KubeApiserverOperator,
  type KubeApiserverOperatorOptions,
} from "@keelson/kube-apiserver-operator";
import { delegatedAccess } from "@keelson/operator-kit";
import { serveMetrics } from "../metrics/serve-metrics.ts";
import { cliErrors } from "../output/cli-errors.ts";
import { buildVersion } from "../process/build-version.ts";
import { connectOperator, type OperatorAccess } from "./connect-operator.ts";
import { watchFiles } from "./files-change.ts";
import { metricsServing } from "./metrics-serving.ts";
import { nodeReader } from "./node-place.ts";
import { podInstance } from "./pod-instance.ts";

export interface ApiserverOperatorOptions extends OperatorAccess {
  readonly namespace: string;
  /** `address:port` of the health endpoint. */
  readonly listen: string;
  readonly healthPort?: number;
  /** Path of a GenericOperatorConfig, which configures metrics over HTTPS. The process exits when the file changes. */
  readonly config?: string;
  /** Metrics port. Default: the port in the configuration, or 8888 without a configuration. */
  readonly metricsPort?: number;
  /** Interval between reads of the files. Default: 10,000 ms. */
  readonly rereadMs?: number;
  /** Minimum time that a master must be ready before the rollout restarts the next master. Default: 30,000 ms. */
  readonly minReadyMs?: number | undefined;
  /** Files that the process watches. The process exits when one of the files changes, and its supervisor restarts it. */
  readonly terminateOnFiles: readonly string[];
  /** Leader election durations. Default: OpenShift's durations. */
  readonly election?: Exclude<KubeApiserverOperatorOptions["election"], "none">;
  /** Registry for the operator's metrics. Default: a new registry with the process metrics. */
  readonly metrics?: Metrics;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Longer durations for a single-node cluster. Each restart of its only API server causes an outage, in which the operator could
 * not renew a shorter lease in time.
 */
const singleNodeElection = { leaseDurationMs: 270_000, renewDeadlineMs: 240_000, retryPeriodMs: 60_000 };

/** Runs the operator until the signal aborts. Rejects if it loses its lease. After a rejection, the process should exit. */
export async function runApiserverOperator(options: ApiserverOperatorOptions): Promise<void> {
  const { config, environment, namespace, logger, minReadyMs, rereadMs: everyMs } = options;
  const build = buildVersion();
  const images = {
    operand: required(environment, "IMAGE"),
    operator: required(environment, "OPERATOR_IMAGE"),
    version: required(environment, "OPERATOR_IMAGE_VERSION"),
  };
  const operandVersion = required(environment, "OPERAND_IMAGE_VERSION");
  const files = [...(config === undefined ? [] : [config]), ...options.terminateOnFiles];
  const following = { logger, read: nodeReader(environment), ...(everyMs === undefined ? {} : { everyMs }) };
  // Computes the fingerprints before the operator reads the files, so that a change during the start is detected.
  const untilChange = await watchFiles(files, following);
  const { disabled, ...serving } = await metricsServing(options, metricsDefaults);
  let operator: KubeApiserverOperator | undefined;
  // The health endpoint is served before the first API request, so that an API server outage does not fail the liveness probe.
  const ready = () => {
    if (!operator?.isReady) throw new Error("the caches are not filled yet");
  };
  const { host, port } = addressOf(options.listen);
  await using health = await serveHealth({
    host,
    port: options.healthPort ?? port,
    live: { ready: () => undefined },
    ready: { ready },
  });
  await using api = await connectOperator(options, {
    userAgent: `kube-apiserver-operator/${build}`,
    fieldManager: "kube-apiserver-operator",
  });
  const metrics = options.metrics ?? new Metrics().includeProcess();
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const { instance, election } = podInstance(environment);
  operator = createKubeApiserverOperator({
    api,
    images,
    operandVersion,
    build,
    namespace,
    instance,
    election: {
      ...election,
      ...((await isSingleNode(api, signal)) ? singleNodeElection : {}),
      ...options.election,
    },
    minReadyMs,
    metrics,
    clock: systemClock,
    logger,
  });
  const checks = { api, clock: systemClock, logger, ...(disabled === undefined ? {} : { disabled }) };
  const access = serving.tls ? { access: delegatedAccess(checks) } : {};
  await using served = await serveMetrics({ metrics, host, ...serving, ...access });
  logger.info({ build, api: api.server, health: health.port, metrics: served.url }, "operator started");
  const watching = untilChange(signal).then(() => stop.abort());
  await operator.run(signal);
  stop.abort();
  await watching;
}

/** Metrics settings in the manifests of the upstream operator. */
const metricsDefaults = {
  certificateDirectory: "/var/run/secrets/serving-cert",
  httpsPort: 8_443,
  httpPort: 8_888,
  selfSigned: true,
};

function required(environment: OperatorAccess["environment"], name: string): string {
  const value = environment[name];
  if (!value)
    throw cliErrors.RequestFailed(`set ${name}: the operator's Deployment has it in its environment`);
  return value;
}

function addressOf(listen: string): { host: string; port: number } {
  const match = listen.match(/^(.*):(\d{1,5})$/);
  if (!match) throw cliErrors.RequestFailed(`--listen ${listen}: expected ADDRESS:PORT such as 0.0.0.0:8443`);
  return { host: match[1]?.replace(/^\[|\]$/g, "") || "0.0.0.0", port: Number(match[2]) };
}

async function isSingleNode(api: KubeApi, signal: AbortSignal): Promise<boolean> {
  const infrastructure = await api.find(resources.infrastructures, { name: "cluster" }, signal);
  return stringAt(infrastructure, "status", "controlPlaneTopology") === "SingleReplica";
}
