import process from "node:process";
import { failureText } from "../output/failure-text.ts";
import type { FromComponent, ToComponent } from "./component.ts";

/** Channel of a process to its supervisor. */
export interface SupervisorChannel {
  /** Aborts when the process is to stop. */
  readonly signal: AbortSignal;
  readonly send: (message: FromComponent) => void;
  /** Sets the receiver of messages that the supervisor posts. */
  readonly receive: (receiver: (message: unknown) => void) => void;
}

/** Serves until the signal of the channel aborts. */
export type Serve<Settings> = (settings: Settings, channel: SupervisorChannel) => Promise<void>;

/**
 * Runs this process for the supervisor at the other end of the IPC channel, until that asks it to stop. `load` runs while the
 * process waits for its start. The process exits at once when the channel closes: the supervisor is gone, and its successor must
 * find nothing in use.
 */
export async function runSupervised<Settings>(load: () => Promise<Serve<Settings>>): Promise<void> {
  process.once("disconnect", () => process.exit(1));
  // Terminals and service managers signal all processes of the program. The supervisor stops its processes in order.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
  const stop = new AbortController();
  const start = Promise.withResolvers<Settings | undefined>();
  let receiver: (message: unknown) => void = () => undefined;
  process.on("message", (message: ToComponent<Settings>) => {
    switch (message.kind) {
      case "start":
        return start.resolve(message.settings);
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
    const serve = await load();
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
