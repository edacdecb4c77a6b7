import type { ChildProcess, SpawnOptions } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import process from "node:process";
import { type Clock, Secret, spawnBound, untilAborted } from "@keelson/base";
import { buildVersion } from "../process/build-version.ts";
import { type ComponentStatus, writeRunStatus } from "../state/component-status.ts";
import { type Endpoints, lastControlPort } from "../state/endpoints.ts";
import type { Pace } from "../state/pace.ts";
import { type PortChoice, portNames } from "../state/ports.ts";
import {
  type ComponentRef,
  type ComponentSettings,
  componentProcesses,
  parseProcessName,
  processName,
} from "../supervisor/component.ts";
import { componentEnvironment } from "../supervisor/component-environment.ts";
import { logPath, openComponentLog } from "../supervisor/component-log.ts";
import { ComponentProcess } from "../supervisor/component-process.ts";
import { heapOptions } from "../supervisor/heap-limits.ts";
import { openState } from "./open-state.ts";
import { publishEndpoints } from "./publish-endpoints.ts";
import { publishPorts } from "./publish-ports.ts";
import { startControlServer } from "./snapshots/control-server.ts";
import { supervisedWorld } from "./snapshots/supervised-world.ts";
import { WorldControl } from "./snapshots/world-control.ts";

export interface SupervisorOptions {
  readonly settings: ComponentSettings;
  readonly ports: PortChoice;
  /** Pace of the simulated world. Default: the pace of the last start. */
  readonly pace?: Pace | undefined;
  /** Number of processes that run the simulated clusters. Default: the number of the last start. */
  readonly clusterProcesses?: number | undefined;
  /** Seed of a new directory's IDs. Default: random IDs. */
  readonly seed?: number | undefined;
  /** Directory of Hive's CustomResourceDefinitions. Default: the directory of the last start. */
  readonly hive?: string | undefined;
  /** Program of ARO's installer. Default: the program of the last start. */
  readonly aroInstaller?: string | undefined;
  /** True if the ports also accept connections from other machines. Default: false. */
  readonly publish?: boolean | undefined;
  readonly report: (text: string) => void;
  readonly clock: Clock;
}

/** Running components. Disposal stops them in this order: service, clusters with operators, simulated Azure. */
export interface Supervisor extends AsyncDisposable {
  readonly endpoints: Endpoints;
}

/**
 * Starts the components of `keelson up` in a state directory and restarts components that exit. Owns the directory lock, the
 * ports and `endpoints.json`, which stay the same across restarts. Resolves when all components are serving.
 * @throws NotRunning with the error of a component; the errors of `openState`
 */
export async function startSupervisor(options: SupervisorOptions, signal: AbortSignal): Promise<Supervisor> {
  const { settings, ports, pace, clusterProcesses, seed, hive, aroInstaller, publish, report, clock } =
    options;
  const { directory } = settings;
  await using stack = new AsyncDisposableStack();
  const hasConsole = !settings.without.includes("console");
  const listening = portNames.filter((name) => hasConsole || name !== "console");
  const state = stack.use(
    await openState(directory, ports, {
      listening,
      pace,
      clusterProcesses,
      seed,
      hive,
      aroInstaller,
      report,
    }),
  );
  const logger = openComponentLog("keelson", { directory, level: settings.logLevel, report });
  const components: ComponentProcess[] = [];
  const stopping = new AbortController();
  const world = stack.use(
    new WorldControl({
      directory,
      processes: supervisedWorld({ components, clock, signal: stopping.signal }),
      version: buildVersion(),
      clock,
      logger: logger.child({ component: "snapshots" }),
    }),
  );
  const control = await startControlServer({
    tls: state.local.serving,
    token: new Secret(state.identity.adminToken),
    port: lastControlPort(directory),
    control: world,
    logger: logger.child({ component: "control" }),
  });
  stack.use(control);
  const endpoints = publishEndpoints(state, { hasConsole, control: control.url });
  const started = clock.now().toISOString();
  const write = (stopped?: string) => writeStatus(directory, { started, components, stopped }, report);
  stack.defer(() => write(clock.now().toISOString()));
  stack.defer(async () => {
    stopping.abort("draining");
    for (const component of components.toReversed()) await component.stop();
  });
  const processes = componentProcesses(state.clusterProcesses.length);
  for (const ref of processes) {
    const name = processName(ref.component, ref.number);
    // Processes of the same component do not wait for each other.
    const before = components.slice(
      0,
      processes.findIndex(({ component }) => component === ref.component),
    );
    components.push(
      new ComponentProcess({
        name,
        log: logPath(directory, name),
        spawn: () => spawnComponent(ref, state.clusterProcesses.length, settings),
        settings,
        dependency: async (stopping) => {
          for (const each of before) await each.serving(stopping);
        },
        report,
        changed: () => write(),
        clock,
        logger: logger.child({ component: "supervisor" }),
      }),
    );
  }
  await untilAborted(Promise.all(components.map((each) => each.firstServing)), signal);
  if (publish) {
    const further = state.clusterProcesses.slice(1).map(({ clusters }) => clusters);
    stack.use(await publishPorts([...listening.map((name) => state.ports[name]), ...further]));
  }
  logger.info({ endpoints: { ...endpoints, clientSecret: undefined } }, "up");
  const running = stack.move();
  return { endpoints, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

function spawnComponent(
  { component, number }: ComponentRef,
  clusterProcesses: number,
  { directory }: ComponentSettings,
): ChildProcess {
  const name = processName(component, number);
  // Node.js writes its fatal errors to the component's log file.
  const output = openSync(logPath(directory, name), "a", 0o600);
  try {
    const options: SpawnOptions = { env: componentEnvironment(), stdio: ["ignore", output, output, "ipc"] };
    const nodeOptions = process.execArgv.filter((each) => !each.startsWith("--max-old-space-size"));
    const heap = heapOptions(component, component === "clusters" ? { processes: clusterProcesses } : {});
    const args = [...nodeOptions, ...heap, process.argv[1] ?? ""];
    return spawnBound(process.execPath, [...args, "component", name, "--state", directory], options);
  } finally {
    closeSync(output);
  }
}

interface Run {
  readonly started: string;
  readonly components: readonly ComponentProcess[];
  readonly stopped?: string | undefined;
}

function writeStatus(directory: string, { components, ...run }: Run, report: (text: string) => void): void {
  try {
    writeRunStatus(directory, {
      ...run,
      process: process.pid,
      components: components.flatMap((each) => [each.status, ...operatorsOf(directory, each)]),
    });
  } catch (error) {
    // Logs the error, for example a full disk, and continues.
    report(`components.json cannot be written: ${String(error)}`);
  }
}

function operatorsOf(directory: string, { operators, status }: ComponentProcess): readonly ComponentStatus[] {
  if (!operators) return [];
  const state = operators.process === undefined ? "restarting" : "serving";
  const component = processName("operators", parseProcessName(status.component)?.number ?? 1);
  return [{ component, ...operators, state, log: logPath(directory, component) }];
}
