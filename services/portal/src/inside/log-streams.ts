import { type Clock, messageOf, withTimeout } from "@keelson/base";
import type { ListenerResponse } from "@keelson/http";
import type { KubeClient } from "@keelson/kube";
import { portalErrors } from "../errors/portal-errors.ts";
import type { PortalContext, PortalResponse } from "../http/portal-route.ts";
import type { SignOuts } from "../sign-in/sign-outs.ts";
import type { LoggedContainer } from "./container-log.ts";
import { LogLines } from "./log-lines.ts";

export interface LogStreamsOptions {
  readonly signOuts: SignOuts;
  readonly clock: Clock;
}

/** Maximum number of open streams per person. */
const maxStreams = 4;
const maxMs = 3_600_000;

/**
 * Streams container logs as server-sent events. A stream ends when the client disconnects or the sign-in or elevation ends. It
 * also ends after an hour.
 */
export class LogStreams {
  readonly #options: LogStreamsOptions;
  readonly #open = new Map<string, number>();

  constructor(options: LogStreamsOptions) {
    this.#options = options;
  }

  /** @throws TooManyRequests */
  open(context: PortalContext, kube: KubeClient, container: LoggedContainer, lines: number): PortalResponse {
    const { signOuts, clock } = this.#options;
    const login = context.login();
    const { username, expires, elevatedUntil = expires } = login;
    const count = this.#open.get(username) ?? 0;
    if (count >= maxStreams) throw portalErrors.TooManyRequests(`You follow ${maxStreams} logs already.`);
    this.#open.set(username, count + 1);
    const over = new AbortController();
    const endMs = Math.min(expires.getTime(), elevatedUntil.getTime());
    const leftMs = Math.max(0, Math.min(maxMs, endMs - clock.now().getTime()));
    const ended = withTimeout(AbortSignal.any([context.signal, over.signal]), leftMs);
    void signOuts.ended(login, ended).then(() => over.abort());
    return {
      status: 200,
      write: async (response) => {
        try {
          await follow(kube, container, lines, response, ended);
        } finally {
          over.abort();
          const left = (this.#open.get(username) ?? 1) - 1;
          if (left > 0) this.#open.set(username, left);
          else this.#open.delete(username);
        }
      },
    };
  }
}

async function follow(
  kube: KubeClient,
  { namespace, pod, container }: LoggedContainer,
  tailLines: number,
  response: ListenerResponse,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  const send = async (name: string, data: unknown) => {
    const isTaken = response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
    // If the client does not read, the log is not read either.
    if (!isTaken) await drained(response, signal);
  };
  const source = new LogLines();
  const sendLines = async (lines: readonly string[]) => {
    if (lines.length > 0) await send("lines", lines);
  };
  try {
    const options = { container, tailLines, follow: true };
    for await (const chunk of kube.logs({ namespace, name: pod }, options, signal))
      await sendLines(source.push(chunk));
    await sendLines(source.end());
    await send("end", { reason: "The log has ended, or 16 MiB of it were sent." });
  } catch (error) {
    if (!signal.aborted) await send("end", { reason: messageOf(error) });
  } finally {
    response.end();
  }
}

function drained(response: ListenerResponse, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted || response.destroyed) return Promise.resolve();
  const done = () => resolve();
  signal.addEventListener("abort", done, { once: true });
  response.once("drain", done).once("close", done);
  return promise.finally(() => {
    signal.removeEventListener("abort", done);
    response.off("drain", done).off("close", done);
  });
}
