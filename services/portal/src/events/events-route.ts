import { type Clock, withTimeout } from "@keelson/base";
import type { ListenerResponse } from "@keelson/http";
import { portalErrors } from "../errors/portal-errors.ts";
import type { PortalContext, PortalRoute } from "../http/portal-route.ts";
import type { SignOuts } from "../sign-in/sign-outs.ts";
import type { PortalEvent } from "./event-log.ts";
import type { FleetEvents } from "./fleet-events.ts";

export interface EventsRouteDeps {
  readonly events: FleetEvents;
  readonly clock: Clock;
  readonly signOuts: SignOuts;
}

/** Maximum number of open streams per person. Each open page has one stream. */
const mostStreams = 8;
/** Maximum number of unsent events per stream. A slower client must read all data again. */
const mostWaiting = 200;
const heartbeatMs = 15_000;

/**
 * Route that sends changes of the fleet as server-sent events. The stream ends when the client disconnects, the sign-in ends or
 * the portal stops.
 */
export function eventsRoute({ events, clock, signOuts }: EventsRouteDeps): PortalRoute {
  const open = new Map<string, number>();
  return {
    method: "GET",
    path: "/api/events",
    access: "login",
    carriesClusterData: true,
    handle(context) {
      const login = context.login();
      const { username, expires } = login;
      const count = open.get(username) ?? 0;
      if (count >= mostStreams)
        throw portalErrors.TooManyRequests(`You have ${mostStreams} streams of events already.`);
      open.set(username, count + 1);
      const leftMs = Math.max(0, expires.getTime() - clock.now().getTime());
      const over = new AbortController();
      const ended = withTimeout(AbortSignal.any([context.signal, over.signal]), leftMs);
      void signOuts.ended(login, ended).then(() => over.abort());
      return {
        status: 200,
        async write(response) {
          try {
            await stream(events, clock, context, response, ended);
          } finally {
            over.abort();
            const left = (open.get(username) ?? 1) - 1;
            if (left > 0) open.set(username, left);
            else open.delete(username);
          }
        },
      };
    },
  };
}

async function stream(
  events: FleetEvents,
  clock: Clock,
  { header }: PortalContext,
  response: ListenerResponse,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  const { log } = events;
  const missed = log.since(header("last-event-id"));
  let waiting: string[] = missed
    ? missed.map((event) => frameOf(event, log.idOf(event)))
    : [frameOf({ name: "resync", data: {} }, log.idOf(log.position))];
  let wake = () => {};
  const stop = events.listen((event) => {
    const frame = frameOf(event, log.idOf(event));
    if (waiting.length < mostWaiting) waiting.push(frame);
    else waiting = [frameOf({ name: "resync", data: {} }, log.idOf(event))];
    wake();
  });
  try {
    while (!signal.aborted) {
      const text = waiting.join("") || ": still here\n\n";
      waiting = [];
      // If the client does not read, its data is buffered here, and further events wait.
      if (!response.write(text)) await drained(response, signal);
      if (waiting.length === 0) await somethingOr(heartbeatMs, (woken) => (wake = woken), clock, signal);
    }
  } finally {
    stop();
    response.end();
  }
}

function frameOf({ name, data }: Pick<PortalEvent, "name" | "data">, id: string): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

function drained(response: ListenerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      signal.removeEventListener("abort", done);
      response.off("drain", done).off("close", done);
      resolve();
    };
    signal.addEventListener("abort", done);
    response.once("drain", done).once("close", done);
  });
}

/** Waits until it is woken, until `ms` have passed, or until an abort. */
async function somethingOr(
  ms: number,
  onWake: (wake: () => void) => void,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const woken = new AbortController();
  onWake(() => woken.abort());
  await clock.sleep(ms, AbortSignal.any([signal, woken.signal])).catch(() => undefined);
}
