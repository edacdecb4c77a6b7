import type { Clock } from "@keelson/base";
import type { ListenerResponse } from "@keelson/http";
import type { PortalContext, PortalRoute } from "../http/portal-route.ts";
import { PersonStreams } from "../sign-in/person-streams.ts";
import type { SignOuts } from "../sign-in/sign-outs.ts";
import type { FleetEvents } from "./fleet-events.ts";
import { UnsentEvents } from "./unsent-events.ts";

export interface EventsRouteDeps {
  readonly events: FleetEvents;
  readonly clock: Clock;
  readonly signOuts: SignOuts;
}

/** Maximum number of open streams per person. Each open page has one stream. */
const mostStreams = 8;
const heartbeatMs = 15_000;

/**
 * Route that sends changes of the fleet as server-sent events. The stream ends when the client disconnects, the sign-in ends or
 * the portal stops.
 */
export function eventsRoute({ events, clock, signOuts }: EventsRouteDeps): PortalRoute {
  const refusal = `You have ${mostStreams} streams of events already.`;
  const streams = new PersonStreams({ signOuts, clock, most: mostStreams, refusal });
  return {
    method: "GET",
    path: "/api/events",
    carriesClusterData: true,
    handle(context) {
      const { signal, release } = streams.open(context);
      return {
        status: 200,
        write: (response) => stream(events, clock, context, response, signal).finally(release),
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
  const unsent = new UnsentEvents(events, header("last-event-id"));
  let wake = () => {};
  const stop = events.listen((event) => {
    unsent.add(event);
    wake();
  });
  try {
    while (!signal.aborted) {
      const text = unsent.take() || ": still here\n\n";
      // A client that does not read makes the response buffer its data. The next events are sent only after this buffer is empty.
      if (!response.write(text)) await drained(response, signal);
      if (unsent.isEmpty) await somethingOr(heartbeatMs, (woken) => (wake = woken), clock, signal);
    }
  } finally {
    stop();
    response.end();
  }
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

/** Resolves when the function passed to `onWake` is called, when `ms` have passed, or when the signal aborts. */
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
