import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { defineErrors, isCoded } from "@keelson/base";
import { acquireState, stateHolder, withDatabase } from "./state-lock.ts";

const module = JSON.stringify(new URL("state-lock.ts", import.meta.url).href);

test("a lock excludes others, names its holder, and ends with the process that is killed", async () => {
  const directory = mkdtempSync(join(tmpdir(), "keelson-lock-"));
  const script = `const { acquireState } = await import(${module}); acquireState(process.argv[1]); console.log("held"); setInterval(() => {}, 1000);`;
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script, directory],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  try {
    await once(child.stdout, "data");
    assert.equal(stateHolder(directory), child.pid);
    assert.throws(
      () => acquireState(directory),
      (error) => isCoded(error, "StateLocked") && error.message.includes(`process ${child.pid}`),
    );
    child.kill("SIGKILL");
    await once(child, "exit");
    assert.equal(stateHolder(directory), undefined);
    acquireState(directory)[Symbol.dispose]();
    using _ = acquireState(directory);
    assert.equal(stateHolder(directory), process.pid);
    writeFileSync(join(directory, "pid"), "");
    assert.throws(
      () => stateHolder(directory),
      (error) => isCoded(error, "StateUnreadable"),
    );
  } finally {
    child.kill("SIGKILL");
    rmSync(directory, { recursive: true });
  }
});

const { StoreInUse, StoreUnavailable } = defineErrors({
  StoreInUse: { retry: "backoff" },
  StoreUnavailable: { retry: "backoff" },
});

test("work on a database that a running instance has open fails with the process and the command that stops it", async () => {
  const directory = mkdtempSync(join(tmpdir(), "keelson-lock-"));
  const failing = (error: Error) => withDatabase(directory, () => Promise.reject(error));
  try {
    {
      using _ = acquireState(directory);
      const message = new RegExp(`process ${process.pid}\\).*"keelson down --state ${directory}"`);
      await assert.rejects(failing(StoreInUse("in use")), { code: "StateLocked", message });
      await assert.rejects(failing(StoreUnavailable("no room")), { code: "StoreUnavailable" });
    }
    await assert.rejects(
      failing(StoreInUse("in use")),
      { code: "StoreInUse" },
      "a process without this state",
    );
    assert.equal(await withDatabase(directory, () => Promise.resolve(7)), 7);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
