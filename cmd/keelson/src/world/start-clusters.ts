import { join } from "node:path";
import { type ApiServer, type OpenedApiServer, openApiServer } from "@keelson/apiserver";
import { type Logger, Secret } from "@keelson/base";
import {
  type AdminEndpoint,
  recordedTimings,
  type SharedProcessState,
  startSimulatedClusters,
  type UnknownPrograms,
} from "@keelson/sim-openshift";
import type { OperatorMode } from "../options/options.ts";
import { clustersFile } from "../state/cluster-processes.ts";
import type { OperatorsProcess } from "../supervisor/component.ts";
import { clusterAddressOf } from "./cluster-address.ts";
import { clusterServers } from "./cluster-servers.ts";
import { type HostPrograms, mapHostPrograms } from "./host-programs.ts";
import { operatorImageName, operatorImages } from "./operator-images.ts";
import { OperatorsStatus } from "./operators-status.ts";
import { releasePayload } from "./release-payload.ts";
import { startManagementCluster } from "./start-management-cluster.ts";
import type { WorldDeps } from "./world-deps.ts";

export interface ClustersDeps extends WorldDeps {
  /** Number of this process, from 1. Default: the first process. */
  readonly processNumber?: number;
  /** True if each cluster's API server has a separate address in 127.0.0.0/8. */
  readonly clusterAddresses?: boolean;
  /** Logger of the process that runs all operators. Default: `logger`. */
  readonly operatorsLogger?: Logger;
  /** Resolves when the simulated Azure is running. Default: the simulated Azure is already running. */
  readonly azureServes?: Promise<void>;
  /** Called with each state change of the process that runs all operators. */
  readonly reportOperators?: (operators: OperatorsProcess) => void;
}

export interface PodSettings extends Partial<HostPrograms> {
  readonly operators: OperatorMode;
  readonly unknownPrograms: UnknownPrograms;
}

/**
 * Loads the simulated clusters from the directory `world`. Their API server does not listen until `startClusters`. Disposal also
 * stops the listening server.
 */
export function openClusters(deps: ClustersDeps, world: string): Promise<OpenedApiServer> {
  const { local, clusterProcesses, processNumber = 1, clock, logger } = deps;
  const { port, admins } = processOf(deps);
  return openApiServer({
    host: "127.0.0.1",
    port,
    publicUrl: `https://localhost:${port}`,
    certificateAuthorityPem: local.authority.certificatePem,
    tls: local.serving,
    storage: { kind: "file", path: join(world, clustersFile(processNumber)) },
    // The host names of all clusters resolve to the first process. This process forwards connections to the clusters of other
    // processes.
    ...(processNumber === 1 && admins.length > 1 && { findServer: clusterServers(clusterProcesses, admins) }),
    logger: logger.child({ component: "apiserver" }),
    clock,
  });
}

/** Ports and credentials of this process, and the administration servers of all processes of clusters, in order. */
function processOf({ identity, local, ports, clusterProcesses, processNumber = 1 }: ClustersDeps) {
  const { clusters: port, admin: adminPort } = clusterProcesses[processNumber - 1] ?? ports;
  const token = new Secret(identity.adminToken);
  const caPem = local.authority.certificatePem;
  const admins: readonly AdminEndpoint[] = clusterProcesses.map(({ admin }) => ({
    url: `https://localhost:${admin}`,
    caPem,
    token,
  }));
  return { port, adminPort, token, caPem, admins };
}

/** Starts the API server of the simulated clusters and, when the simulated Azure is running, the OpenShift controllers. */
export async function startClusters(
  deps: ClustersDeps,
  opened: OpenedApiServer,
  { operators, unknownPrograms, runImages = [], runImagesFor = [] }: PodSettings,
): Promise<AsyncDisposable> {
  const {
    directory,
    local,
    ports,
    clusterProcesses,
    processNumber = 1,
    pace,
    managementCluster,
    clock,
    logger,
    operatorsLogger = logger,
    azureServes,
    reportOperators,
    clusterAddresses = false,
  } = deps;
  const isFirst = processNumber === 1;
  const { adminPort, token, caPem, admins } = processOf(deps);
  await using stack = new AsyncDisposableStack();
  const apiServer: ApiServer = await opened.listen();
  const operatorsStatus = new OperatorsStatus(clock);
  const changed = (state: SharedProcessState) => reportOperators?.(operatorsStatus.after(state));
  const { images } = stack.use(
    operatorImages({
      mode: operators,
      unknownPrograms,
      logger: operatorsLogger.child({ component: "operators" }),
      changed,
      processes: clusterProcesses.length,
    }),
  );
  mapHostPrograms(images, { runImages, runImagesFor });
  await azureServes;
  if (managementCluster && isFirst) stack.use(await startManagementCluster(managementCluster, images, deps));
  const payload = releasePayload(operators, `${operatorImageName}:latest`, pace);
  stack.use(
    await startSimulatedClusters({
      apiServer,
      azure: {
        url: `https://localhost:${ports.azure}`,
        adminToken: token,
        caPem,
      },
      admin: { host: "127.0.0.1", port: adminPort, tls: local.serving, token },
      share: { process: processNumber - 1, admins },
      images,
      imageRulesFile: join(directory, "image-rules.json"),
      ...(payload && { releasePayload: payload }),
      ...(pace.kind === "recorded" && { timings: recordedTimings(pace.factor) }),
      ...(clusterAddresses && { clusterAddress: (domain: string) => clusterAddressOf(domain, true) }),
      clusterPort: ports.clusters,
      directory: join(directory, "nodes"),
      logger: logger.child({ component: "sim-openshift" }),
      clock,
    }),
  );
  return stack.move();
}
