import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { createLogger, openLogFile } from "./log.ts";

test("lines are appended to a file that only its owner reads", async () => {
  const directory = mkdtempSync(join(tmpdir(), "keelson-log-"));
  const path = join(directory, "log");
  try {
    for (const message of ["first", "second"]) {
      const destination = openLogFile(path, assert.fail);
      createLogger({ level: "info", destination }).info({ fact: 1 }, message);
      await turn();
    }
    const lines = readFileSync(path, "utf8").trim().split("\n");
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).msg),
      ["first", "second"],
    );
    assert.equal(statSync(path).mode & 0o777, 0o600);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("a full disk loses lines, not the process", { skip: !existsSync("/dev/full") }, async () => {
  const errors: Error[] = [];
  const logger = createLogger({
    level: "info",
    destination: openLogFile("/dev/full", (error) => errors.push(error)),
  });
  for (let i = 0; i < 3; i++) {
    logger.info("lost");
    await turn();
  }
  assert.ok(errors.length > 0);
  assert.match(errors[0]?.message ?? "", /ENOSPC/);
});

test("a process that exits at once has written its lines", () => {
  const program = `
    import { createLogger } from ${JSON.stringify(import.meta.resolve("./log.ts"))};
    const logger = createLogger({ level: "info" });
    logger.info("first");
    logger.fatal("last");
    process.exit(3);`;
  const ended = spawnSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" });
  assert.equal(ended.status, 3);
  assert.deepEqual(ended.stderr.match(/"msg":"\w+"/g), ['"msg":"first"', '"msg":"last"']);
});

test("a log line has no character that a terminal obeys, and the same value", async () => {
  const lines: string[] = [];
  const logger = createLogger({
    level: "info",
    destination: { write: (line: string) => void lines.push(line) },
  });
  const hostile = "a\u001b[31m\n\u009b2J\u009d0;title\u0007\u0085\u007f\u2028\u202eb é😀";
  logger.child({ ofChild: hostile }).info({ userAgent: hostile }, hostile);
  await turn();
  const text = lines.join("").trimEnd();
  assert.doesNotMatch(text, /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
  const { ofChild, userAgent, msg } = JSON.parse(text);
  assert.deepEqual([ofChild, userAgent, msg], [hostile, hostile, hostile]);
});
