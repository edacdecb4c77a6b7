import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import type { Document, Leased, LeasedCollection } from "@keelson/database";
import { type TakingTerms, workQueue } from "./work-queue.ts";

const leaseMs = 60_000;
const signal = new AbortController().signal;
const signals = { signal, draining: signal };

/** Queue with one document. Its lease is never renewed. */
function queueOf(
  clock: ManualClock,
  work: (survivedLosses: readonly number[], lost: AbortSignal) => Promise<void>,
) {
  let attempt = 0;
  const collection = {
    definition: { name: "c" },
    renew: () => Promise.reject(new Error("no connection")),
    acquire: async (): Promise<Leased<Document>[]> => {
      attempt += 1;
      const expiresAt = new Date(clock.now().getTime() + leaseMs);
      const lease = {
        collection: "c",
        partitionKey: "p",
        id: "1",
        owner: "o",
        generation: attempt,
        expiresAt,
      };
      return [{ document: { id: "1", partitionKey: "p" }, etag: "1", lease, attempt }];
    },
    // The fake collection has only the functions that the queue uses here.
  } as unknown as LeasedCollection<Document>;
  return workQueue({ collection, work: (_, held) => work(held.survivedLosses, held.signal) });
}

function termsOf(clock: ManualClock, cpuMs: () => number): TakingTerms {
  return { owner: "o", limit: 1, leaseMs, heartbeatMs: 10_000, clock, logger: silentLogger, cpuMs, signal };
}

async function attempts(cpuMs: (clock: ManualClock) => number): Promise<readonly (readonly number[])[]> {
  const clock = new ManualClock();
  const seen: (readonly number[])[] = [];
  const queue = queueOf(clock, async (survivedLosses, lost) => {
    seen.push(survivedLosses);
    // The third attempt ends normally.
    if (seen.length !== 3) await new Promise((resolve) => lost.addEventListener("abort", resolve));
  });
  for (let round = 0; round < 4; round++) {
    const [taken] = await queue.take(termsOf(clock, () => cpuMs(clock)));
    const ended = taken?.run(signals);
    if (round !== 2) await clock.advance(leaseMs);
    await ended;
  }
  return seen;
}

test("an attempt whose lease expired on a busy machine does not count, until the work ends", async () => {
  assert.deepEqual(await attempts(() => 0), [[], [1], [1, 2], []]);
});

test("an attempt that used the CPU itself while its lease expired counts", async () => {
  assert.deepEqual(await attempts((clock) => clock.monotonicMs()), [[], [], [], []]);
});
