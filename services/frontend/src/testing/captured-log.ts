import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { createLogger, isPlainObject, type Logger } from "@keelson/base";

type LogLine = Record<string, unknown>;

export interface CapturedLog {
  readonly logger: Logger;
  /** Returns the complete log output. */
  text(): string;
  audits(): LogLine[];
  /**
   * Waits until the log contains at least `count` audit lines about a target, and returns these lines. The wait is necessary,
   * because the frontend writes audit lines after the response.
   */
  auditsOf(target: string, count: number): Promise<LogLine[]>;
}

/** Creates a logger with output that a test can read. */
export function captureLog(): CapturedLog {
  let text = "";
  const destination = {
    write(line: string) {
      text += line;
    },
  };
  const audits = () =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line): unknown => JSON.parse(line))
      .filter(isPlainObject)
      .filter((line) => line.logKind === "audit");
  return {
    logger: createLogger({ level: "info", destination }),
    text: () => text,
    audits,
    async auditsOf(target, count) {
      const limit = Date.now() + 5_000;
      for (;;) {
        const lines = audits().filter((line) => line.target === target.toLowerCase());
        if (lines.length >= count) return lines;
        assert.ok(Date.now() < limit, `${lines.length} of ${count} audit lines about ${target}`);
        await delay(5);
      }
    },
  };
}
