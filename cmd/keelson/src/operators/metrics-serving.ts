import { type Logger, messageOf } from "@keelson/base";
import { parseServingInfo, type ServingInfo } from "@keelson/operator-kit";
import type { MetricsServerOptions } from "../metrics/serve-metrics.ts";
import { cliErrors } from "../output/cli-errors.ts";
import type { OperatorAccess } from "./connect-operator.ts";
import { containerRoot, nodeReader } from "./node-place.ts";

export interface MetricsServingOptions {
  /** Path of a GenericControllerConfig or GenericOperatorConfig, which configures metrics over HTTPS. Default: plain HTTP. */
  readonly config?: string;
  /** Metrics port. Default: the port in the configuration. */
  readonly metricsPort?: number;
  /** Interval between reads of the certificate files. Default: 10,000 ms. */
  readonly rereadMs?: number;
  readonly environment: OperatorAccess["environment"];
  readonly logger: Logger;
}

/** Default metrics settings from an operator's manifests. They apply to settings that the configuration omits. */
export interface MetricsServingDefaults {
  /** Directory of the serving certificate that the annotation of the metrics Service requests. */
  readonly certificateDirectory: string;
  readonly httpsPort: number;
  readonly httpPort: number;
  /**
   * If true, a self-signed certificate is served until the certificate files exist. The cluster may be unable to issue
   * certificates before this operator runs.
   */
  readonly selfSigned?: boolean;
}

type Serving = Pick<MetricsServerOptions, "port" | "tls"> & {
  readonly host?: string;
  /** Access checks that the configuration file turns off. */
  readonly disabled?: ServingInfo["disabled"];
};

/** Returns the metrics server settings. @throws RequestFailed if the configuration cannot be read; Error if it is invalid */
export async function metricsServing(
  { config, environment, metricsPort, logger, rereadMs }: MetricsServingOptions,
  { certificateDirectory, httpPort, httpsPort, selfSigned = false }: MetricsServingDefaults,
): Promise<Serving> {
  if (config === undefined) return { port: metricsPort ?? httpPort };
  const read = nodeReader(environment);
  const content = await read(config).catch((error: unknown) => {
    throw cliErrors.RequestFailed(`--config ${config} cannot be read: ${messageOf(error)}`);
  });
  const info = parseServingInfo(content.toString(), config);
  const { host, port, certificateFile, keyFile, disabled, ...limits } = info;
  const tls = {
    certificateFile: certificateFile ?? `${certificateDirectory}/tls.crt`,
    keyFile: keyFile ?? `${certificateDirectory}/tls.key`,
    read,
    ...limits,
    ...(rereadMs === undefined ? {} : { rereadMs }),
    selfSigned,
    logger,
  };
  // A simulated container shares the network of its host, so the configured address is ignored. The caller's listen address
  // applies instead.
  const isSimulated = containerRoot(environment) !== undefined;
  return {
    ...(host === undefined || isSimulated ? {} : { host }),
    port: metricsPort ?? port ?? httpsPort,
    tls,
    ...(disabled === undefined ? {} : { disabled }),
  };
}
