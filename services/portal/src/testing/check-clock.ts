import assert from "node:assert/strict";
import { systemClock } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";

/** Interval in ms at which a portal checks the sessions and elevations of open streams. */
const checkEveryMs = 5_000;
/** Maximum number of checks between an expiry and the end of the streams. The checks take 15 seconds of simulated time. */
const mostChecks = 3;
const signal = AbortSignal.timeout(900_000);

/**
 * Manual clock for tests of open streams. It waits in real time for the end of each check, so a busy machine does not increase
 * the simulated time.
 */
export class CheckClock extends ManualClock {
  /** Number of checks that wait for their next time. */
  #scheduled = 0;

  override sleep(ms: number, ended: AbortSignal): Promise<void> {
    const slept = super.sleep(ms, ended);
    if (ms !== checkEveryMs) return slept;
    this.#scheduled += 1;
    return slept.finally(() => {
      this.#scheduled -= 1;
    });
  }

  /** Advances the clock. Then waits until each stream has ended or has its next check scheduled. */
  async advanceChecks(ms: number, openStreams: () => number): Promise<void> {
    await this.advance(ms);
    while (this.#scheduled < openStreams()) {
      await systemClock.sleep(5, signal);
      // Wakes sleeps of 0 ms. An SSH connection ends after such a sleep.
      await this.advance(0);
    }
  }

  /** Asserts that all open streams continue until the expiry, and that they end within 15 seconds after it. */
  async assertEndAfter(expiryMs: number, openStreams: () => number): Promise<void> {
    const count = openStreams();
    await this.advanceChecks(expiryMs - 1 - this.now().getTime(), openStreams);
    assert.equal(openStreams(), count, "streams continue until the expiry");
    for (let checks = 0; checks < mostChecks && openStreams() > 0; checks++)
      await this.advanceChecks(checkEveryMs, openStreams);
    assert.equal(openStreams(), 0, `streams end after at most ${mostChecks} checks`);
  }
}
