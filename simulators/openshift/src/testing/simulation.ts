import { type ApiServer, type ApiServerOptions, startApiServer } from "@keelson/apiserver";
import { type KeyPair, type Logger, Secret, silentLogger, systemClock } from "@keelson/base";
import type { ReleasePayload } from "../payload/release-manifest.ts";
import type { Timings } from "../settings/timings.ts";
import { type SimulatedClusters, startSimulatedClusters } from "../simulated-clusters.ts";

/** JSON-serializable configuration for a separate process. */
export interface SimulationConfig {
  readonly azureUrl: string;
  readonly adminToken: string;
  readonly caPem: string;
  readonly tls: KeyPair;
  readonly storage: ApiServerOptions["storage"];
  readonly timings: Timings;
}

export async function startSimulation(
  config: SimulationConfig,
  logger: Logger = silentLogger,
  releasePayload?: ReleasePayload,
): Promise<{ readonly apiServer: ApiServer; readonly clusters: SimulatedClusters }> {
  const { azureUrl, caPem, tls, storage, timings } = config;
  const apiServer = await startApiServer({
    host: "localhost",
    port: 0,
    tls,
    certificateAuthorityPem: caPem,
    storage,
    logger: silentLogger,
    clock: systemClock,
  });
  const clusters = await startSimulatedClusters({
    apiServer,
    azure: { url: azureUrl, adminToken: new Secret(config.adminToken), caPem },
    logger,
    clock: systemClock,
    timings,
    releasePayload,
  });
  return { apiServer, clusters };
}
