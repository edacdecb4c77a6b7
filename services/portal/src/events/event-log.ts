import { randomBytes } from "node:crypto";
import type { PortalEvents } from "@keelson/portal-api";

export type EventName = keyof PortalEvents;

export interface PortalEvent<Name extends EventName = EventName> {
  readonly name: Name;
  /** Sequence number within this process. */
  readonly sequence: number;
  readonly data: PortalEvents[Name];
}

/** Recent events of this process. A client that reconnects after a short interruption receives the events that it has missed. */
export class EventLog {
  /** Random prefix of event IDs. By this prefix, the process recognizes and rejects event IDs of other portal processes. */
  readonly #process = randomBytes(6).toString("hex");
  readonly #kept: PortalEvent[] = [];
  readonly #most: number;
  #sequence = 0;

  constructor(most: number) {
    this.#most = most;
  }

  append<Name extends EventName>(name: Name, data: PortalEvents[Name]): PortalEvent<Name> {
    this.#sequence += 1;
    const event = { name, data, sequence: this.#sequence };
    this.#kept.push(event);
    if (this.#kept.length > this.#most) this.#kept.shift();
    return event;
  }

  /** Returns the event ID that a client sends when it reconnects. */
  idOf({ sequence }: { readonly sequence: number }): string {
    return `${this.#process}-${sequence}`;
  }

  /** Returns the position after the last event. */
  get position(): { readonly sequence: number } {
    return { sequence: this.#sequence };
  }

  /**
   * Returns the events after an event ID. Undefined if the ID is unknown, or if the log no longer contains the events after it.
   */
  since(id: string | undefined): readonly PortalEvent[] | undefined {
    const [, process, digits] = /^([0-9a-f]+)-(\d{1,15})$/.exec(id ?? "") ?? [];
    if (process !== this.#process) return undefined;
    const sequence = Number(digits);
    const oldest = this.#sequence - this.#kept.length;
    if (sequence > this.#sequence || sequence < oldest) return undefined;
    return this.#kept.slice(sequence - oldest);
  }
}
