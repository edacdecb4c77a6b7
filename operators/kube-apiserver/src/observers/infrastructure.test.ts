import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLogger, systemClock } from "@keelson/base";
import { Cache } from "@keelson/controller";
import type { SparseConfig } from "@keelson/operator-kit";
import { configObject, observe } from "../testing/observe.ts";
import { observeGoawayChance } from "./goaway-chance.ts";
import { observeGracefulTermination } from "./graceful-termination.ts";
import { missingPodToleranceMs } from "./infrastructure.ts";
import { observeRetryAfter } from "./retry-after.ts";
import { observeShutdownDelay } from "./shutdown-delay.ts";

const infrastructure = (type: string, controlPlaneTopology = "HighlyAvailable") =>
  configObject("Infrastructure", { spec: { platformSpec: { type } }, status: { controlPlaneTopology } });
const args = (values: object) => ({ apiServerArguments: values });

const rows: readonly (readonly [string, readonly unknown[]])[] = [
  [
    "Azure",
    [
      {},
      {},
      args({ "send-retry-after-while-not-ready-once": ["false"] }),
      args({ "goaway-chance": ["0.001"] }),
    ],
  ],
  ["AWS", [args({ "shutdown-delay-duration": ["129s"] }), { gracefulTerminationDuration: "194" }]],
  ["GCP", [args({ "shutdown-delay-duration": ["95s"] }), { gracefulTerminationDuration: "160" }]],
];
const observers = [observeShutdownDelay, observeGracefulTermination, observeRetryAfter, observeGoawayChance];

for (const [platform, expected] of rows)
  test(`on ${platform}`, () => {
    for (const [index, config] of expected.entries()) {
      const observer = observers[index];
      assert.ok(observer);
      assert.deepEqual(observe(observer, [infrastructure(platform)]).config, config, observer.name);
    }
  });

test("a single master stops immediately on every platform and asks clients to retry", () => {
  const single = [infrastructure("AWS", "SingleReplica")];
  assert.deepEqual(
    observers.map((observer) => observe(observer, single).config),
    [
      args({ "shutdown-delay-duration": ["0s"] }),
      { gracefulTerminationDuration: "15" },
      args({ "send-retry-after-while-not-ready-once": ["true"] }),
      args({ "goaway-chance": ["0"] }),
    ],
  );
});

test("without an Infrastructure the observed values are preserved", () => {
  const existing: SparseConfig = { ...args({ "goaway-chance": ["0"] }), gracefulTerminationDuration: "15" };
  assert.deepEqual(observe(observeGoawayChance, [], existing).config, args({ "goaway-chance": ["0"] }));
  assert.deepEqual(observe(observeGracefulTermination, [], existing).config, {
    gracefulTerminationDuration: "15",
  });
});

test("a static pod may be missing for longer where it is the only one", () => {
  const cache = new Cache({ api: {} as never, clock: systemClock, logger: silentLogger });
  for (const [topology, toleratedMs] of [
    ["HighlyAvailable", 150_000],
    ["SingleReplica", 180_000],
  ] as const) {
    cache.known = () => ({ object: infrastructure("Azure", topology) });
    assert.equal(missingPodToleranceMs(cache), toleratedMs);
  }
});
