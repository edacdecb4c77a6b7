import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger } from "@keelson/base";
import { recordingLogger, type StepLogEntry } from "./step-log.ts";

const at = "2026-01-01T00:00:00.000Z";

function record(level = "info") {
  const entries: StepLogEntry[] = [];
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logger = recordingLogger(
    createLogger({ level, destination }),
    () => new Date(at),
    (entry) => entries.push(entry),
  );
  return { entries, lines, logger };
}

test("a recording logger records lines and forwards them, also from child loggers", () => {
  const { entries, lines, logger } = record();
  logger.info("plain");
  logger.child({ step: "a" }).warn({ name: "x", count: 2 }, "with fields");
  logger.error(new Error("broken"), "failed");
  logger.debug("not recorded");
  assert.deepEqual(entries, [
    { at, level: "info", message: "plain" },
    { at, level: "warning", message: "with fields", details: '{"name":"x","count":2}' },
    { at, level: "error", message: "failed", details: '{"error":"broken"}' },
  ]);
  assert.deepEqual(
    lines.map(({ msg, step, name }) => [msg, step, name]),
    [
      ["plain", undefined, undefined],
      ["with fields", "a", "x"],
      ["failed", undefined, undefined],
    ],
  );
  assert.equal(logger.level, "info");
});

test("a retry has its attempt and its error as fields", () => {
  const { entries, logger } = record();
  logger.warn({ attempt: 2, waitMs: 10, error: "no quota" }, "step will be tried again");
  assert.deepEqual(entries, [
    {
      ...{ at, level: "warning", message: "step will be tried again" },
      ...{ details: '{"waitMs":10}', attempt: 2, error: "no quota" },
    },
  ]);
});

test("recorded lines contain no secrets and no control characters", () => {
  const { entries, logger } = record();
  const signature = "https://a.blob.example/b?sig=c2VjcmV0";
  logger.info({ password: "hunter2", url: signature, nested: { token: "hunter2" } }, "a\u001b[2Jb");
  logger.warn({ attempt: 1, error: "Bearer hunter2hunter2" }, "retry");
  assert.doesNotMatch(JSON.stringify(entries), /hunter2|c2VjcmV0|\\u001b/);
  assert.equal(entries[0]?.message, "a [2Jb");
});

test("recorded lines are short, whatever their fields", () => {
  const { entries, logger } = record();
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  logger.info({ long: "x ".repeat(1_000_000) }, "m".repeat(10_000));
  logger.info(cyclic, "cyclic");
  logger.info({ error: "e ".repeat(10_000), attempt: 1 }, "retry");
  assert.ok(entries.every((entry) => JSON.stringify(entry).length < 2_600));
  assert.equal(entries[1]?.details, undefined);
});
