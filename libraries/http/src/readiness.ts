import { type Clock, type Logger, messageOf } from "@keelson/base";
import { sharedPing } from "./shared-ping.ts";

/** Reason why a process does not serve requests or writes. */
export interface NotReady {
  /** Reason in one sentence. It must not contain addresses or secrets. */
  readonly reason: string;
  /** Additional details. They are only logged. */
  readonly detail?: string;
}

/** Database methods that determine readiness. */
interface Pinged {
  ping(signal: AbortSignal): Promise<void>;
  writes():
    | { readonly kind: "accepted" }
    | { readonly kind: "blocked"; readonly cause: string; readonly reason: string };
}

export interface ReadinessOptions {
  readonly database: Pinged;
  /**
   * Returns a reason that does not depend on the database, for example a missing list of callers. Default: no such reason exists.
   */
  readonly own?: () => NotReady | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Readiness of a process for `/healthz/ready` and `/healthz/ready/write`. Each change is logged with its reason. */
export class Readiness {
  readonly #options: ReadinessOptions;
  readonly #ping: (signal?: AbortSignal) => Promise<void>;
  #logged: string | undefined;
  #loggedWrite: string | undefined;

  constructor(options: ReadinessOptions) {
    this.#options = options;
    this.#ping = sharedPing(options.database, options.clock);
  }

  /** Returns the reason why the process cannot serve requests. Returns `undefined` if it can serve requests. */
  async reads(signal?: AbortSignal): Promise<NotReady | undefined> {
    const notReady = this.#options.own?.() ?? (await this.#database(signal)) ?? this.#options.own?.();
    if (notReady?.reason !== this.#logged) this.#log(notReady, "ready", "not ready");
    this.#logged = notReady?.reason;
    return notReady;
  }

  /** Returns the reason why the process cannot serve writes. Returns `undefined` if it can serve writes. */
  async writes(signal?: AbortSignal): Promise<NotReady | undefined> {
    const notReady = (await this.reads(signal)) ?? this.#blocked();
    if (notReady?.reason !== this.#loggedWrite)
      this.#log(notReady, "ready for writes", "not ready for writes");
    this.#loggedWrite = notReady?.reason;
    return notReady;
  }

  async #database(signal?: AbortSignal): Promise<NotReady | undefined> {
    return this.#ping(signal).then(
      () => undefined,
      (error: unknown) => ({ reason: "The database does not respond.", detail: messageOf(error) }),
    );
  }

  #blocked(): NotReady | undefined {
    const state = this.#options.database.writes();
    if (state.kind === "accepted") return undefined;
    return { reason: `The database accepts no writes (${state.cause}).`, detail: state.reason };
  }

  #log(notReady: NotReady | undefined, ready: string, unready: string): void {
    const { logger } = this.#options;
    if (notReady) logger.warn({ ...notReady }, unready);
    else logger.info(ready);
  }
}
