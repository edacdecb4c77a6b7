import { type Logger, messageOf } from "@keelson/base";
import { parseServingInfo, type ServingInfo } from "@keelson/operator-kit";
import type { MetricsServerOptions } from "../metrics/serve-metrics.ts";
import { cliErrors } from "../output/cli-errors.ts";
import type { OperatorAccess } from "./connect-operator.ts";
import { containerRoot, nodeReader } from "./node-place.ts";

export interface MetricsServingOptions {
  /** A GenericControllerConfig or GenericOperatorConfig, which configures metrics over HTTPS. Default: plain HTTP. */
  readonly config?: string;
  /** Metrics port. Default: that of the configuration. */
  readonly metricsPort?: number;
  /** Interval of reading the certificate again. Default: 10,000 ms. */
  readonly rereadMs?: number;
  readonly environment: OperatorAccess["environment"];
  readonly logger: Logger;
}

/** Metrics settings of an operator's manifests, for values that its configuration leaves out. */
export interface MetricsServingDefaults {
  /** Directory of the serving certificate that the metrics Service requests. */
  readonly certificateFolder: string;
  readonly httpsPort: number;
  readonly httpPort: number;
  /** Serves a self-signed certificate until that one exists. The cluster that issues it may need this operator first. */
  readonly selfSigned?: boolean;
}

type Serving = Pick<MetricsServerOptions, "port" | "tls"> & {
  readonly host?: string;
  /** Parts of the access checks that the configuration switches off. */
  readonly disabled?: ServingInfo["disabled"];
};

/** @throws RequestFailed for a configuration that cannot be read; Error for one that is wrong */
export async function metricsServing(
  { config, environment, metricsPort, logger, rereadMs }: MetricsServingOptions,
  { certificateFolder, httpPort, httpsPort, selfSigned = false }: MetricsServingDefaults,
): Promise<Serving> {
  if (config === undefined) return { port: metricsPort ?? httpPort };
  const read = nodeReader(environment);
  const content = await read(config).catch((error: unknown) => {
    throw cliErrors.RequestFailed(`--config ${config} cannot be read: ${messageOf(error)}`);
  });
  const info = parseServingInfo(content.toString(), config);
  const { host, port, certificateFile, keyFile, disabled, ...limits } = info;
  const tls = {
    certificateFile: certificateFile ?? `${certificateFolder}/tls.crt`,
    keyFile: keyFile ?? `${certificateFolder}/tls.key`,
    read,
    ...limits,
    ...(rereadMs === undefined ? {} : { rereadMs }),
    selfSigned,
    logger,
  };
  // The host chooses the address: a simulated container shares the network of the host.
  const isSimulated = containerRoot(environment) !== undefined;
  return {
    ...(host === undefined || isSimulated ? {} : { host }),
    port: metricsPort ?? port ?? httpsPort,
    tls,
    ...(disabled === undefined ? {} : { disabled }),
  };
}
