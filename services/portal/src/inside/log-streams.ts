import { messageOf } from "@keelson/base";
import type { ListenerResponse } from "@keelson/http";
import type { KubeClient } from "@keelson/kube";
import type { PortalContext, PortalResponse } from "../http/portal-route.ts";
import { PersonStreams, type PersonStreamsOptions } from "../sign-in/person-streams.ts";
import type { LoggedContainer } from "./container-log.ts";
import { LogLines } from "./log-lines.ts";

const maxStreams = 4;
const maxMs = 3_600_000;

/**
 * Streams container logs as server-sent events. A stream ends when the client disconnects or the sign-in or elevation ends. It
 * also ends after an hour.
 */
export class LogStreams {
  readonly #streams: PersonStreams;

  constructor(options: Pick<PersonStreamsOptions, "signOuts" | "elevations" | "clock">) {
    const refusal = `You follow ${maxStreams} logs already.`;
    this.#streams = new PersonStreams({ ...options, most: maxStreams, refusal, maxMs });
  }

  /** @throws TooManyRequests */
  open(context: PortalContext, kube: KubeClient, container: LoggedContainer, lines: number): PortalResponse {
    const { signal, release } = this.#streams.open(context);
    return {
      status: 200,
      write: (response) => follow(kube, container, lines, response, signal).finally(release),
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
    // If the client does not read the stream, the log is not read from the cluster either.
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
