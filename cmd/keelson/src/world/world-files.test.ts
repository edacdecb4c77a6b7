import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { isCoded } from "@keelson/base";
import { openState } from "./open-state.ts";

for (const gone of ["azure.sqlite", "clusters.sqlite"]) {
  test(`a database without ${gone} beside it is refused; neither without a database is`, async () => {
    const directory = mkdtempSync(join(tmpdir(), "keelson-world-"));
    const open = async () => (await openState(directory, { auto: true, asked: {} }))[Symbol.dispose]();
    try {
      await open();
      mkdirSync(join(directory, "database"));
      for (const file of ["azure.sqlite", "clusters.sqlite"]) writeFileSync(join(directory, file), "");
      await open();
      rmSync(join(directory, gone));
      await assert.rejects(
        open(),
        (error) =>
          isCoded(error, "StateUnreadable") &&
          error.message.includes(`${gone} cannot be used`) &&
          /restore it from a backup, or start afresh with another --state DIR$/.test(error.message),
      );
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
}
