import process from "node:process";
import { aborted, type Clock, FileLock, type Logger, processCpuMs, systemClock } from "@keelson/base";
import { cliErrors } from "../output/cli-errors.ts";
import { limitBufferPool } from "../process/buffer-pool.ts";
import { idleCollection, responsiveHeapBytes } from "../process/idle-collection.ts";
import { busyNewSpaceBytes } from "../process/new-space-limit.ts";
import { componentLock } from "../state/component-locks.ts";
import type { ComponentSettings, OperatorsProcess } from "./component.ts";
import { openComponentLog } from "./component-log.ts";
import { runSupervised, type SupervisorChannel } from "./supervised-process.ts";

/** Dependencies of a component that opens its files. */
export interface OpenDeps {
  readonly settings: ComponentSettings;
  /**
   * Directory of the world's files. This is the state directory, or a copy that replaces the world in the state directory before
   * `serve`.
   */
  readonly world: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Opens an additional log file in the state directory. */
  readonly openLog: (name: string) => Logger;
  /** Aborts when the component must stop. */
  readonly signal: AbortSignal;
}

/** Dependencies of a component that serves. */
export interface ServeDeps {
  /** Resolves when all components on which this component depends are serving. */
  readonly dependencies: Promise<void>;
  readonly report: (text: string) => void;
  readonly reportOperators: (operators: OperatorsProcess) => void;
}

/** Component with open files that does not listen yet. */
export interface OpenedComponent extends AsyncDisposable {
  readonly serve: (deps: ServeDeps) => Promise<AsyncDisposable>;
}

/**
 * Opens the files of a component. All components open their files concurrently. A standby process opens the files in advance, so
 * the function must not use files outside of `world` that can change before `serve`.
 */
export type OpenComponent = (deps: OpenDeps) => Promise<OpenedComponent>;

/** Loads the modules of a component. */
export type LoadComponent = () => Promise<OpenComponent>;

/**
 * Runs a component in this process until the supervisor stops it. `name` is the name of the process.
 * @throws NotRunning if the process has no supervisor
 */
export async function runComponent(name: string, load: LoadComponent): Promise<void> {
  if (!process.connected)
    throw cliErrors.NotRunning(`the component ${name} is started by "keelson up" only: run "keelson up"`);
  limitBufferPool();
  await runSupervised<ComponentSettings>(async () => {
    const open = await load();
    /** Component that this process has opened as a standby, by directory of the world. */
    const prepared = new Map<string, Opening>();
    const openIn = (
      world: string,
      settings: ComponentSettings,
      { signal, send }: Pick<SupervisorChannel, "signal" | "send">,
    ): Opening => {
      const { directory, logLevel } = settings;
      const report = (text: string) => send({ kind: "progress", text });
      const openLog = (file: string) => openComponentLog(file, { directory, level: logLevel, report });
      const logger = openLog(name);
      return { opened: open({ settings, world, clock: systemClock, logger, openLog, signal }), logger };
    };
    return {
      async warm(settings, world, channel) {
        const opening = openIn(world, settings, channel);
        prepared.set(world, opening);
        await opening.opened;
      },
      async serve(settings, channel) {
        const { directory } = settings;
        const { world = directory } = channel;
        using _ = FileLock.acquire(componentLock(directory, name)) ?? inUse(name, directory);
        const { opened, logger } = prepared.get(world) ?? openIn(world, settings, channel);
        await using component = await opened;
        await serve(component, logger, channel);
      },
    };
  });
}

interface Opening {
  readonly opened: Promise<OpenedComponent>;
  readonly logger: Logger;
}

async function serve(
  opened: OpenedComponent,
  logger: Logger,
  { signal, dependencies, send }: SupervisorChannel,
): Promise<void> {
  const startedMs = systemClock.monotonicMs();
  const startedCpuMs = processCpuMs();
  await using _component = await opened.serve({
    dependencies,
    report: (text) => send({ kind: "progress", text }),
    reportOperators: (operators) => send({ kind: "operators", operators }),
  });
  send({ kind: "serving" });
  const durationMs = Math.round(systemClock.monotonicMs() - startedMs);
  // Also logs the CPU time, because it does not depend on the load of the machine.
  logger.info({ durationMs, cpuMs: Math.round(processCpuMs() - startedCpuMs) }, "component serves");
  using _collection = idleCollection({ maxHeapBytes: responsiveHeapBytes, newSpaceBytes: busyNewSpaceBytes });
  await aborted(signal);
  logger.info("stopping");
}

function inUse(name: string, directory: string): never {
  throw cliErrors.StateLocked(`the component ${name} of an earlier run still uses ${directory}`);
}
