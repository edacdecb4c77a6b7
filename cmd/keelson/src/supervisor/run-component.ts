import process from "node:process";
import { aborted, type Clock, FileLock, type Logger, systemClock } from "@keelson/base";
import { cliErrors } from "../output/cli-errors.ts";
import { failureText } from "../output/failure-text.ts";
import { limitBufferPool } from "../process/buffer-pool.ts";
import { idleCollection, responsiveHeapBytes } from "../process/idle-collection.ts";
import { componentLock } from "../state/component-locks.ts";
import type {
  ComponentName,
  ComponentSettings,
  FromComponent,
  OperatorsProcess,
  ToComponent,
} from "./component.ts";
import { openComponentLog } from "./component-log.ts";

export interface ComponentDeps {
  readonly settings: ComponentSettings;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Opens a second log file in the state directory. */
  readonly openLog: (name: string) => Logger;
  /** Aborts when the component is to stop. */
  readonly signal: AbortSignal;
  readonly report: (text: string) => void;
  readonly reportOperators: (operators: OperatorsProcess) => void;
}

/** Loads a component. The function that it resolves to starts it. */
export type LoadComponent = () => Promise<(deps: ComponentDeps) => Promise<AsyncDisposable>>;

/**
 * Runs a component in this process, for the supervisor at the other end of the IPC channel, until that asks it to stop. The process
 * exits at once when the channel closes: the supervisor is gone, and its successor must find nothing in use.
 * @throws NotRunning without a supervisor
 */
export async function runComponent(name: ComponentName, load: LoadComponent): Promise<void> {
  if (!process.connected)
    throw cliErrors.NotRunning(`the component ${name} is started by "keelson up" only: run "keelson up"`);
  process.once("disconnect", () => process.exit(1));
  // Terminals and service managers signal all processes of the program. The supervisor stops its components in order.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
  const stop = new AbortController();
  const start = Promise.withResolvers<ComponentSettings | undefined>();
  const stopNow = () => {
    stop.abort("draining");
    start.resolve(undefined);
  };
  process.on("message", (message: ToComponent) => {
    if (message.kind === "start") start.resolve(message.settings);
    else if (message.kind === "stop") stopNow();
    else send({ kind: "pong" });
  });
  limitBufferPool();
  try {
    const begin = await load();
    const settings = await start.promise;
    if (settings) await serve(name, settings, begin, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) {
      send({ kind: "failed", message: failureText(error) });
      throw error;
    }
  } finally {
    process.removeAllListeners("disconnect");
    if (process.connected) process.disconnect();
  }
}

async function serve(
  name: ComponentName,
  settings: ComponentSettings,
  begin: Awaited<ReturnType<LoadComponent>>,
  signal: AbortSignal,
): Promise<void> {
  const { directory, logLevel } = settings;
  using _ = FileLock.acquire(componentLock(directory, name)) ?? inUse(name, directory);
  const report = (text: string) => send({ kind: "progress", text });
  const openLog = (file: string) => openComponentLog(file, { directory, level: logLevel, report });
  const logger = openLog(name);
  await using _component = await begin({
    settings,
    clock: systemClock,
    logger,
    openLog,
    signal,
    report,
    reportOperators: (operators) => send({ kind: "operators", operators }),
  });
  send({ kind: "serving" });
  using _collection = idleCollection({ maxHeapBytes: responsiveHeapBytes });
  await aborted(signal);
  logger.info("stopping");
}

function inUse(name: ComponentName, directory: string): never {
  throw cliErrors.StateLocked(`the component ${name} of an earlier run still uses ${directory}`);
}

function send(message: FromComponent): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
