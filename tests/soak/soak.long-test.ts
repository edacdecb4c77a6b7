import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { spawnBound } from "@keelson/base";
import { RowFile } from "../../scripts/row-file.ts";
import { progressOf, type SoakRow } from "./soak-row.ts";

test("a soak measures rounds, and a second call resumes with a moved clock", async () => {
  const directory = mkdtempSync(join(tmpdir(), "soak-"));
  const rows = join(directory, "soak.jsonl");
  const script = new URL("main.ts", import.meta.url).pathname;
  const soak = async (...args: readonly string[]) => {
    const fixed = ["--rows", rows, "--hours", "0.001", "--settle", "0", "--pause", "0", "--warm-up", "0"];
    const command = ["--disable-warning=ExperimentalWarning", script, ...fixed, ...args];
    const child = spawnBound(process.execPath, command, { stdio: ["ignore", "ignore", "inherit"] });
    const [code] = await once(child, "exit");
    return code;
  };
  try {
    const heaps = join(directory, "heaps");
    assert.equal(await soak("--moved-hours", "0", "--snapshots", heaps), 0);
    assert.ok(readdirSync(heaps).includes("keelson-component-service-end-1.heapsnapshot"));
    assert.equal(await soak("--moved-hours", "2"), 0);
    const all = new RowFile<SoakRow>(rows).rows();
    const { movedHours, rounds } = progressOf(all);
    assert.deepEqual([movedHours, rounds], [2, 3]);
    const [first] = all.filter((row) => row.kind === "measure");
    assert.deepEqual(first?.processes.map(({ role }) => role).toSorted(), [
      "keelson component azure",
      "keelson component clusters",
      "keelson component service",
      "keelson up",
      "operators",
    ]);
    // At the end of each segment, the service stops. The program then opens the database and counts the documents in each table.
    const tables = all.filter((row) => row.kind === "tables");
    assert.ok(tables.every((each) => (each.rows.journal ?? 0) > 0));
    assert.equal(tables.length, 2);
  } finally {
    rmSync(directory, { recursive: true, maxRetries: 5 });
  }
});
