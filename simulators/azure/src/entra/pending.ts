import { createHash } from "node:crypto";
import type { Clock } from "@keelson/base";

/**
 * Maximum number of pending sign-ins. Above this limit, the oldest sign-ins are removed, because anyone can start a sign-in
 * without authentication.
 */
const most = 10_000;

/**
 * Pending sign-ins, by a secret code of the client. They are kept in memory and lost at a restart. Only digests of codes are
 * stored, so that the duration of a lookup reveals nothing about the codes.
 */
export class Pending<Value> {
  readonly #clock: Clock;
  readonly #lifetimeMs: number;
  readonly #rows = new Map<string, { readonly value: Value; readonly endsAtMs: number }>();

  constructor(clock: Clock, lifetimeMs: number) {
    this.#clock = clock;
    this.#lifetimeMs = lifetimeMs;
  }

  add(code: string, value: Value): void {
    const now = this.#clock.now().getTime();
    for (const [key, { endsAtMs }] of this.#rows) {
      if (endsAtMs > now && this.#rows.size < most) break;
      this.#rows.delete(key);
    }
    this.#rows.set(keyOf(code), { value, endsAtMs: now + this.#lifetimeMs });
  }

  find(code: string): Value | undefined {
    const row = this.#rows.get(keyOf(code));
    return row && row.endsAtMs > this.#clock.now().getTime() ? row.value : undefined;
  }

  /** Replaces the value of a pending sign-in without changing its expiry. */
  change(code: string, value: Value): void {
    const row = this.#rows.get(keyOf(code));
    if (row) this.#rows.set(keyOf(code), { ...row, value });
  }

  remove(code: string): void {
    this.#rows.delete(keyOf(code));
  }
}

function keyOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
