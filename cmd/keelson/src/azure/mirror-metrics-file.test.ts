import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { metricsFile, writeMirrorMetrics } from "./mirror-metrics-file.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-mirror-metrics-"));
const path = join(directory, "mirror.prom");
after(() => rmSync(directory, { recursive: true }));

const at = (seconds: number) => new Date(seconds * 1_000);
const values = () =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));

test("a failed run keeps the time of the last complete run", async () => {
  const images = { copied: 0, present: 3, failed: 1 };
  await writeMirrorMetrics(path, { images, isComplete: false, startedAt: at(100), endedAt: at(110) });
  assert.deepEqual(values(), [
    'mirror_images{result="copied"} 0',
    'mirror_images{result="present"} 3',
    'mirror_images{result="failed"} 1',
    "mirror_duration_seconds 10",
  ]);
  await writeMirrorMetrics(path, { images, isComplete: true, startedAt: at(200), endedAt: at(205) });
  assert.equal(values().at(-1), "mirror_last_success_seconds 205");
  await writeMirrorMetrics(path, { images, isComplete: false, startedAt: at(300), endedAt: at(301) });
  assert.equal(values().at(-1), "mirror_last_success_seconds 205");
});

test("a path without the extension .prom or in a missing directory is refused with an example", () => {
  assert.equal(metricsFile(path), path);
  assert.throws(() => metricsFile(join(directory, "mirror.txt")), /extension \.prom, for example/);
  assert.throws(() => metricsFile(join(directory, "absent", "mirror.prom")), /absent not found.*mkdir/);
});
