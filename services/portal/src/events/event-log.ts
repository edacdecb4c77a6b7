import { randomBytes } from "node:crypto";
import type { PortalEvents } from "@keelson/portal-api";

export type EventName = keyof PortalEvents;

export interface PortalEvent<Name extends EventName = EventName> {
  readonly name: Name;
  /** Increasing number within this process. */
  readonly sequence: number;
  readonly data: PortalEvents[Name];
}

/** Last events of this process, for clients that reconnect after a short interruption. */
export class EventLog {
  /** Prefix of positions. Positions of other processes are unknown here. */
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

  /** Returns the ID that a reconnecting client sends. */
  idOf({ sequence }: { readonly sequence: number }): string {
    return `${this.#process}-${sequence}`;
  }

  /** Returns the position after the last event. */
  get position(): { readonly sequence: number } {
    return { sequence: this.#sequence };
  }

  /** Returns the events after an ID. Undefined if they are unknown. */
  since(id: string | undefined): readonly PortalEvent[] | undefined {
    const [, process, digits] = /^([0-9a-f]+)-(\d{1,15})$/.exec(id ?? "") ?? [];
    if (process !== this.#process) return undefined;
    const sequence = Number(digits);
    const oldest = this.#sequence - this.#kept.length;
    if (sequence > this.#sequence || sequence < oldest) return undefined;
    return this.#kept.slice(sequence - oldest);
  }
}
