import { join } from "node:path";
import { createLogger, openLogFile, systemClock } from "@keelson/base";
import type { OperatorMode, OptionalRole } from "../commands/options.ts";
import { embedded } from "../embedded-defaults.ts";
import { startService } from "../run-service.ts";
import type { Endpoints } from "../state/endpoints.ts";
import type { PortChoice } from "../state/ports.ts";
import { MachineConnections } from "./machine-connections.ts";
import { openState } from "./open-state.ts";
import { publish } from "./publish.ts";
import { seedNetwork } from "./seed-network.ts";
import { startAzure, startClusters } from "./simulated-world.ts";

export interface EverythingOptions {
  readonly directory: string;
  readonly ports: PortChoice;
  /** Clusters for which subnets are made, besides the walk-through's. */
  readonly subnetsFor: readonly string[];
  readonly operators: OperatorMode;
  readonly without: readonly OptionalRole[];
  readonly logLevel: string;
  readonly report: (text: string) => void;
}

export interface Everything extends AsyncDisposable {
  readonly endpoints: Endpoints;
}

/** The simulated world and the service on it, in this process, on the state of a directory. */
export async function startEverything(options: EverythingOptions, signal: AbortSignal): Promise<Everything> {
  const { directory, report } = options;
  await using stack = new AsyncDisposableStack();
  const state = stack.use(await openState(directory, options.ports));
  const log = join(directory, "keelson.log");
  const destination = openLogFile(log, (error) => report(`log lines are lost: ${error.message} (${log})`));
  const logger = createLogger({ level: options.logLevel, destination });
  const deps = { ...state, machines: new MachineConnections(), clock: systemClock, logger };
  report("starting the simulated Azure");
  stack.use(await startAzure(deps));
  report("starting the clusters");
  stack.use(await startClusters(deps, options.operators));
  const { endpoints, config } = publish(state);
  const names = [...new Set([...options.subnetsFor, embedded.walkThroughCluster])];
  await seedNetwork(
    endpoints.arm,
    state.local.authority.certificatePem,
    state.identity,
    names,
    logger,
    signal,
  );
  report("starting the resource provider");
  stack.use(
    await startService({
      config,
      withMaintenance: true,
      withMonitor: !options.without.includes("monitor"),
      withPortal: !options.without.includes("portal"),
      clock: systemClock,
      logger,
      signal,
    }),
  );
  logger.info({ endpoints: { ...endpoints, clientSecret: undefined } }, "up");
  const kept = stack.move();
  return { endpoints, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
