import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { isCoded } from "@keelson/base";
import { acquireState, stateHolder } from "./state-lock.ts";

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
