import type { PortalEvent } from "./event-log.ts";
import type { FleetEvents } from "./fleet-events.ts";

/** Maximum number of unsent events. If a slow client exceeds this number, it must read all data again. */
const mostWaiting = 200;

/** Events that one stream has not sent yet, as frames of server-sent events. */
export class UnsentEvents {
  readonly #events: Pick<FleetEvents, "log" | "inFlight">;
  /** Undefined if the client must read all data again. */
  #waiting: PortalEvent[] | undefined;

  /** Starts with the events after `lastEventId`, or with the start frames if these events are unknown. */
  constructor(events: Pick<FleetEvents, "log" | "inFlight">, lastEventId: string | undefined) {
    this.#events = events;
    this.#waiting = events.log.since(lastEventId)?.slice();
  }

  get isEmpty(): boolean {
    return this.#waiting?.length === 0;
  }

  add(event: PortalEvent): void {
    if (this.#waiting === undefined) return;
    if (this.#waiting.length < mostWaiting) this.#waiting.push(event);
    else this.#waiting = undefined;
  }

  /** Removes and returns all frames. */
  take(): string {
    const { log } = this.#events;
    const text =
      this.#waiting?.map((event) => frameOf(event, log.idOf(event))).join("") ?? this.#startFrames();
    this.#waiting = [];
    return text;
  }

  /**
   * Returns frames that make a client read all data again, followed by the running operations. Only the last frame has an ID.
   * Otherwise a client that loses the connection before the last frame would not receive the remaining frames.
   */
  #startFrames(): string {
    const { log, inFlight } = this.#events;
    const all = [
      { name: "resync", data: {} } as const,
      ...inFlight.map((data) => ({ name: "operation", data }) as const),
    ];
    const last = all.length - 1;
    return all.map((event, at) => frameOf(event, at === last ? log.idOf(log.position) : undefined)).join("");
  }
}

function frameOf({ name, data }: Pick<PortalEvent, "name" | "data">, id: string | undefined): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
