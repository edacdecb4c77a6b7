import assert from "node:assert/strict";
import { valueAt } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import type { InputSeries } from "@keelson/operator-kit/testing";
import { configMaps, operatorNamespace } from "../resources/resources.ts";
import { catalogueDirectory, streamSample } from "./catalogue-directory.ts";
import type { SamplesWorld } from "./samples-world.ts";

/** Behavior of an operator while imports fail. */
export interface FailedImports {
  /** Times at which each stream was imported again, in minutes after the start of the test. */
  readonly retries: ReadonlyMap<string, readonly number[]>;
  /** Data of the failing streams' ConfigMaps: `reported` before the recovery, and `left` at the end. */
  readonly reported: Readonly<Record<string, unknown>>;
  readonly left: Readonly<Record<string, unknown>>;
  /** Number of writes after the failures were reported. Imports are not counted. */
  readonly writes: number;
  /** Series for Prometheus, with one value per minute. */
  readonly series: readonly InputSeries[];
}

const stepMs = 15_000;

/**
 * Makes the imports of `streams` imagestreams fail for `failing` minutes of a manual clock. The imports then succeed for `after`
 * minutes. Finally, resets the API server.
 */
export async function failingImports(
  world: SamplesWorld,
  { streams, failing, after }: { readonly streams: number; readonly failing: number; readonly after: number },
): Promise<FailedImports> {
  const names = Array.from({ length: streams }, (_, at) => `stream-${at}`);
  const files = names.map((name) => [
    `x86_64/imagestreams/${name}.json`,
    streamSample(name, { "1": `registry.redhat.io/ubi9/${name}:1` }),
  ]);
  await using catalogue = await catalogueDirectory(Object.fromEntries(files));
  const clock = new ManualClock();
  const retries = new Map<string, number[]>();
  const values = new Map<string, string[]>();
  try {
    await using operator = await world.start({ content: catalogue.directory, clock });
    await world.eventually(async () => assert.match((await world.operator()).Available ?? "", /^True/));
    for (const name of names) await world.imported(name, { "1": `no access to ${name}` });
    const reported = async () =>
      Object.fromEntries(
        (await world.api.list(configMaps, { namespace: operatorNamespace }, world.signal)).items
          .filter(({ metadata }) => metadata.name.startsWith("stream-"))
          .map((each) => [each.metadata.name, valueAt(each, "data")]),
      );
    await world.eventually(async () => assert.equal(Object.keys(await reported()).length, streams));
    await operator.idle();
    const otherWrites = async () => (await operator.writes()) - operator.imports.length;
    const before = await otherWrites();
    let atRecovery = { reported: await reported(), writes: 0 };
    let seen = 0;
    const start = clock.now().getTime();
    for (let minute = 0; minute < failing + after; minute++) {
      if (minute === failing) {
        atRecovery = { reported: await reported(), writes: (await otherWrites()) - before };
        for (const name of names) await world.imported(name, { "1": undefined });
        await world.eventually(async () => assert.deepEqual(await reported(), {}));
      }
      for (let step = 0; step < 60_000; step += stepMs) {
        for (const { metadata } of operator.imports.slice(seen)) {
          const at = (clock.now().getTime() - start) / 60_000;
          retries.set(metadata.name, [...(retries.get(metadata.name) ?? []), at]);
        }
        seen = operator.imports.length;
        await clock.advance(stepMs);
        await operator.idle();
      }
      for (const line of (await operator.metrics.expose()).body.split("\n")) {
        if (!line.startsWith("openshift_samples_")) continue;
        const [series = "", value = ""] = line.split(" ");
        const row = values.get(series) ?? [];
        // If a series first appears later, its values for the earlier minutes are missing.
        while (row.length < minute) row.push("_");
        row.push(value);
        values.set(series, row);
      }
    }
    return {
      retries,
      ...atRecovery,
      left: await reported(),
      series: [...values].map(([series, each]) => ({ series, values: each.join(" ") })),
    };
  } finally {
    await world.reset();
  }
}

/**
 * Verifies that each stream is retried immediately and then every 10 to 20 minutes. After the first half hour, there may be at
 * most `most` retries per minute.
 */
export function assertRetries(
  { retries }: FailedImports,
  { streams, failing, most }: { readonly streams: number; readonly failing: number; readonly most: number },
): void {
  assert.equal(retries.size, streams);
  for (const [stream, [first = -1, ...times]] of retries) {
    assert.equal(first, 0, `${stream} is tried at once`);
    const gaps = times.map((time, at) => time - (times[at - 1] ?? first));
    assert.ok(
      gaps.every((gap) => gap >= 10 && gap <= 20),
      `${stream}: ${gaps.join(", ")}`,
    );
    assert.ok(times.length >= Math.floor(failing / 20), `${stream}: ${times.length} times`);
  }
  const late = [...retries.values()].flat().filter((time) => time > 30);
  for (const [minute, { length }] of Map.groupBy(late, Math.floor))
    assert.ok(length <= most, `${length} in minute ${minute}`);
}
