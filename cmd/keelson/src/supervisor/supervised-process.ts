import process from "node:process";
import { failureText } from "../output/failure-text.ts";
import type { FromComponent, ToComponent } from "./component.ts";

/** Connection of a process to its supervisor. */
export interface SupervisorChannel {
  /** Aborts when the process must stop. */
  readonly signal: AbortSignal;
  readonly send: (message: FromComponent) => void;
  /** Sets the handler of the supervisor's messages. */
  readonly receive: (receiver: (message: unknown) => void) => void;
}

/** Serves until the channel's signal aborts. */
export type Serve<Settings> = (settings: Settings, channel: SupervisorChannel) => Promise<void>;

/** Modules of a process that waits for its start. */
export interface Loaded<Settings> {
  readonly serve: Serve<Settings>;
  /** Runs code that the start needs, so that a standby process starts faster. Default: nothing. */
  readonly warm?: ((settings: Settings) => Promise<void>) | undefined;
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
  const start = Promise.withResolvers<Settings | undefined>();
  const rehearsal = Promise.withResolvers<Settings>();
  let receiver: (message: unknown) => void = () => undefined;
  process.on("message", (message: ToComponent<Settings>) => {
    switch (message.kind) {
      case "start":
        return start.resolve(message.settings);
      case "warm":
        return rehearsal.resolve(message.settings);
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
    await Promise.race([rehearsal.promise.then(warm).then(() => send({ kind: "warmed" })), start.promise]);
    const settings = await start.promise;
    if (settings !== undefined) await serve(settings, { signal: stop.signal, send, receive });
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
