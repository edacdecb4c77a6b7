import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Histogram as PromHistogram, Registry } from "prom-client";
import { HistogramCounts } from "./histogram-counts.ts";

const bounds = [0.005, 0.1, 1, 2.5, 10, 100];
const label = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom('a "quoted" \\ text', "two\nlines", "", "constructor"),
);
const observation = fc.record({
  labels: fc.record({ verb: label, code: label }),
  value: fc.oneof(fc.constantFrom(...bounds, 0, 1_000), fc.double({ min: 0, max: 200, noNaN: true })),
});

const linesOf = (text: string) => text.split("\n").filter(Boolean).toSorted();

test("what was observed is exposed line by line as prom-client has it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(observation, { maxLength: 20 }), async (observations) => {
      const registers = [new Registry()];
      const spec = { name: "requests_seconds", help: "Requests\nand \\ more" };
      const theirs = new PromHistogram({
        ...spec,
        buckets: [...bounds],
        labelNames: ["verb", "code"],
        registers,
      });
      const ours = new HistogramCounts(spec.name, spec.help, bounds, ["verb", "code"]);
      for (const { labels, value } of observations) {
        theirs.observe(labels, value);
        ours.observe(labels, value);
      }
      assert.deepEqual(linesOf(ours.expose()), linesOf((await registers[0]?.metrics()) ?? ""));
    }),
  );
});

test("without labels there is one series from the beginning, without empty braces", () => {
  const histogram = new HistogramCounts("h", "help", [1], []);
  const values = () => histogram.expose().split("\n").slice(2);
  assert.deepEqual(values(), ['h_bucket{le="1"} 0', 'h_bucket{le="+Inf"} 0', "h_sum 0", "h_count 0"]);
  histogram.observe({}, 3);
  assert.deepEqual(values(), ['h_bucket{le="1"} 0', 'h_bucket{le="+Inf"} 1', "h_sum 3", "h_count 1"]);
});

test("a label that the histogram does not have is a mistake", () => {
  assert.throws(
    () => new HistogramCounts("h", "help", [1], ["verb"]).observe({ code: "200" }, 1),
    /no label code/,
  );
});
