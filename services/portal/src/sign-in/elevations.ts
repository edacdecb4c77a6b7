import { findElevation, type GovernanceSettings } from "@keelson/admin-actions";
import { type Clock, timeLimit } from "@keelson/base";
import type { ServiceDatabase } from "@keelson/model";
import type { Login } from "./login.ts";

export interface ElevationsOptions {
  readonly database: ServiceDatabase;
  readonly governance: GovernanceSettings;
  readonly clock: Clock;
}

const readMs = 10_000;
/** Interval in ms at which a person's elevation is checked during long requests. */
const watchedEveryMs = 5_000;

/**
 * Determines people's current roles. A person in a group with the role `elevated` has this role only after activating it, and
 * only for a limited time.
 */
export class Elevations {
  readonly #options: ElevationsOptions;

  constructor(options: ElevationsOptions) {
    this.#options = options;
  }

  /** Returns the sign-in with the person's current role. */
  async apply(login: Login): Promise<Login> {
    const { governance } = this.#options;
    if (!governance.elevation || login.role !== "elevated") return login;
    const { subject } = login;
    if (subject === undefined) return { ...login, role: "operator", mayElevate: false };
    const elevation = await findElevation(this.#options, subject, timeLimit(readMs));
    if (!elevation) return { ...login, role: "operator", mayElevate: true };
    const { from, until } = elevation;
    return { ...login, mayElevate: true, elevation: { of: subject, from, until } };
  }

  /** Resolves to true if the sign-in has no elevation, or if its elevation has not been ended early. */
  async isCurrent({ elevation }: Login): Promise<boolean> {
    if (!elevation) return true;
    const current = await findElevation(this.#options, elevation.of, timeLimit(readMs));
    return current?.from === elevation.from;
  }

  /** Waits until the elevation of the sign-in has ended or the signal aborts. */
  async ended({ elevation }: Login, signal: AbortSignal): Promise<void> {
    if (!elevation) return;
    while (!signal.aborted) {
      await this.#options.clock.sleep(watchedEveryMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      // If the database does not respond, the elevation remains valid until its expiry.
      const isElevated = await findElevation(this.#options, elevation.of, timeLimit(readMs)).then(
        (current) => current?.from === elevation.from,
        () => true,
      );
      if (!isElevated) return;
    }
  }
}
