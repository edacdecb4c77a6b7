import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger } from "@keelson/base";
import { Explanations } from "./explanations.ts";

interface Line {
  readonly msg: string;
  readonly name?: string;
  readonly message?: string;
  readonly collector?: string;
  readonly omitted?: number;
}

function explain(count: number, message = "m"): readonly Line[] {
  const lines: Line[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  const explanations = new Explanations(createLogger({ level: "info", destination: { write } }));
  for (let at = 0; at < count; at++) explanations.log({ name: `pod-${at}`, message });
  explanations.end({ collector: "pods" });
  return lines;
}

test("a collector logs at most 100 values of a cluster, and the number of omitted ones", () => {
  assert.deepEqual(
    explain(100).map(({ name }) => name),
    Array.from({ length: 100 }, (_, at) => `pod-${at}`),
  );
  const lines = explain(12_500);
  assert.equal(lines.length, 101);
  assert.equal(lines[99]?.name, "pod-99");
  assert.deepEqual([lines[100]?.collector, lines[100]?.omitted], ["pods", 12_400]);
});

test("strings of a cluster are cut to 1,024 characters, without control characters", () => {
  const [line] = explain(1, `\u202e\r${"x".repeat(1_000_000)}`);
  assert.equal(line?.message?.length, 1_024);
  assert.match(line?.message ?? "", /^ {2}x+…$/);
});
