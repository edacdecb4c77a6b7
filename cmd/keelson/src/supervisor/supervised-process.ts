import process from "node:process";
import { untilAborted } from "@keelson/base";
import { failureText } from "../output/failure-text.ts";
import type { FromComponent, ToComponent } from "./component.ts";

/** Connection of a process to its supervisor. */
export interface SupervisorChannel {
  /** Aborts when the process must stop. */
  readonly signal: AbortSignal;
  /** Directory that the supervisor selected for the start. Undefined: the default directory of the process. */
  readonly world?: string | undefined;
  /** Resolves when all components on which this process depends are serving. Rejects when `signal` aborts. */
  readonly dependencies: Promise<void>;
  readonly send: (message: FromComponent) => void;
  /** Sets the handler of the supervisor's messages. */
  readonly receive: (receiver: (message: unknown) => void) => void;
}

/** Serves until the channel's signal aborts. */
export type Serve<Settings> = (settings: Settings, channel: SupervisorChannel) => Promise<void>;

/** Modules of a process that waits for its start. */
export interface Loaded<Settings> {
  readonly serve: Serve<Settings>;
  /** Opens the files in `world` in a standby process, so that a later start with this directory is faster. Default: nothing. */
  readonly warm?:
    | ((
        settings: Settings,
        world: string,
        channel: Pick<SupervisorChannel, "signal" | "send">,
      ) => Promise<void>)
    | undefined;
}

interface Start<Settings> {
  readonly settings: Settings;
  readonly world?: string | undefined;
}

/**
 * Runs this process until its supervisor stops it through the IPC channel. `load` runs while the process waits for the start
 * message. A closed channel means that the supervisor has exited. This process then exits immediately, so that the next
 * supervisor finds no locked files or ports.
 */
export async function runSupervised<Settings>(load: () => Promise<Loaded<Settings>>): Promise<void> {
  process.once("disconnect", () => process.exit(1));
  // Ignores SIGINT and SIGTERM, because a terminal or service manager sends them to all processes. The supervisor stops its
  // processes in a defined order instead.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
  const stop = new AbortController();
  const start = Promise.withResolvers<Start<Settings> | undefined>();
  const warming = Promise.withResolvers<{ readonly settings: Settings; readonly world: string }>();
  const dependencies = Promise.withResolvers<void>();
  let receiver: (message: unknown) => void = () => undefined;
  process.on("message", (message: ToComponent<Settings>) => {
    switch (message.kind) {
      case "start":
        return start.resolve(message);
      case "dependencies":
        return dependencies.resolve();
      case "warm":
        return warming.resolve(message);
      case "stop":
        stop.abort("draining");
        return start.resolve(undefined);
      case "ping":
        return send({ kind: "pong" });
      case "message":
        return receiver(message.message);
      default:
        return message satisfies never;
    }
  });
  const receive = (next: typeof receiver) => {
    receiver = next;
  };
  try {
    const { serve, warm } = await load();
    send({ kind: "loaded" });
    const { signal } = stop;
    const warmed = warming.promise.then(async ({ settings, world }) => {
      await warm?.(settings, world, { signal, send });
      send({ kind: "warmed" });
    });
    await Promise.race([warmed, start.promise]);
    const started = await start.promise;
    if (started === undefined) return;
    const { settings, world } = started;
    const ready = untilAborted(dependencies.promise, signal);
    // Prevents an unhandled rejection, because `serve` may not have awaited the dependencies yet.
    ready.catch(() => undefined);
    await serve(settings, { signal, world, dependencies: ready, send, receive });
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

function send(message: FromComponent): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
