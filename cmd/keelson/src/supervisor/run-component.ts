import process from "node:process";
import { aborted, type Clock, FileLock, type Logger, systemClock } from "@keelson/base";
import { cliErrors } from "../output/cli-errors.ts";
import { limitBufferPool } from "../process/buffer-pool.ts";
import { idleCollection, responsiveHeapBytes } from "../process/idle-collection.ts";
import { busyNewSpaceBytes } from "../process/new-space-limit.ts";
import { componentLock } from "../state/component-locks.ts";
import type { ComponentSettings, OperatorsProcess } from "./component.ts";
import { openComponentLog } from "./component-log.ts";
import { runSupervised, type SupervisorChannel } from "./supervised-process.ts";

export interface ComponentDeps {
  readonly settings: ComponentSettings;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Opens an additional log file in the state directory. */
  readonly openLog: (name: string) => Logger;
  /** Aborts when the component must stop. */
  readonly signal: AbortSignal;
  readonly report: (text: string) => void;
  readonly reportOperators: (operators: OperatorsProcess) => void;
}

/** Functions of a component after its modules have been loaded. */
export interface LoadedComponent {
  readonly start: (deps: ComponentDeps) => Promise<AsyncDisposable>;
  /** Rehearses the start of a standby process. Uses no files of the running component. Default: nothing. */
  readonly warm?: (settings: ComponentSettings) => Promise<void>;
}

/** Loads the modules of a component. */
export type LoadComponent = () => Promise<LoadedComponent>;

/**
 * Runs a component in this process until the supervisor stops it. `name` is the name of the process.
 * @throws NotRunning if the process has no supervisor
 */
export async function runComponent(name: string, load: LoadComponent): Promise<void> {
  if (!process.connected)
    throw cliErrors.NotRunning(`the component ${name} is started by "keelson up" only: run "keelson up"`);
  limitBufferPool();
  await runSupervised<ComponentSettings>(async () => {
    const { start, warm } = await load();
    return { serve: (settings, channel) => serve(name, settings, start, channel), warm };
  });
}

async function serve(
  name: string,
  settings: ComponentSettings,
  begin: LoadedComponent["start"],
  { signal, send }: SupervisorChannel,
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
  using _collection = idleCollection({ maxHeapBytes: responsiveHeapBytes, newSpaceBytes: busyNewSpaceBytes });
  await aborted(signal);
  logger.info("stopping");
}

function inUse(name: string, directory: string): never {
  throw cliErrors.StateLocked(`the component ${name} of an earlier run still uses ${directory}`);
}
