import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createLogger, openLogFile } from "./log.ts";

test("lines are appended to a file that only its owner reads", () => {
  const folder = mkdtempSync(join(tmpdir(), "keelson-log-"));
  const path = join(folder, "log");
  try {
    for (const message of ["first", "second"]) {
      const destination = openLogFile(path, assert.fail);
      createLogger({ level: "info", destination }).info({ fact: 1 }, message);
    }
    const lines = readFileSync(path, "utf8").trim().split("\n");
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).msg),
      ["first", "second"],
    );
    assert.equal(statSync(path).mode & 0o777, 0o600);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a full disk loses lines, not the process", { skip: !existsSync("/dev/full") }, () => {
  const errors: Error[] = [];
  const logger = createLogger({
    level: "info",
    destination: openLogFile("/dev/full", (error) => errors.push(error)),
  });
  for (let i = 0; i < 3; i++) logger.info("lost");
  assert.ok(errors.length > 0);
  assert.match(errors[0]?.message ?? "", /ENOSPC/);
});
