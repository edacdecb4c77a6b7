import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { freePort } from "@keelson/base/testing";
import { InspectedProcess } from "./inspected-process.ts";

test("a process that started without the inspector reports memory, resources and profiles, twice", async () => {
  const directory = mkdtempSync(join(tmpdir(), "inspected-"));
  const script =
    "globalThis.kept = Buffer.alloc(50 * 2 ** 20, 1); setInterval(() => {}, 10); console.log('ready')";
  const port = await freePort();
  const child = spawn(process.execPath, [`--inspect-port=${port}`, "-e", script], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    await once(child.stdout, "data");
    for (const name of ["first", "second"]) {
      await using inspected = await InspectedProcess.connect(child.pid ?? 0, port);
      const mib = await inspected.liveMib();
      assert.ok(mib > 50 && mib < 80, `${mib} MiB`);
      assert.ok((await inspected.liveHeapMib()) < mib - 50);
      assert.ok((await inspected.activeResources()) > 0);
      const snapshot = join(directory, `${name}.heapsnapshot`);
      await inspected.writeHeapSnapshot(snapshot);
      assert.ok(JSON.parse(readFileSync(snapshot, "utf8")).nodes.length > 0);
      const file = join(directory, name);
      await inspected.profileUntil(new Promise((resolve) => setTimeout(resolve, 50)), file);
      assert.ok(JSON.parse(readFileSync(file, "utf8")).nodes.length > 0);
    }
  } finally {
    child.kill("SIGKILL");
    rmSync(directory, { recursive: true });
  }
});

test("the connection to a process waits while another process has the port of the inspector", async () => {
  const port = await freePort();
  const children = ["one", "two"].map(() =>
    spawn(
      process.execPath,
      [`--inspect-port=${port}`, "-e", "setInterval(() => {}, 10); console.log('ready')"],
      { stdio: ["ignore", "pipe", "ignore"] },
    ),
  );
  try {
    await Promise.all(children.map((child) => once(child.stdout, "data")));
    const [one, two] = children.map(({ pid = 0 }) => pid);
    const first = await InspectedProcess.connect(one ?? 0, port);
    let isConnected = false;
    const waiting = InspectedProcess.connect(two ?? 0, port).then((connected) => {
      isConnected = true;
      return connected;
    });
    assert.ok((await first.liveMib()) > 0);
    assert.equal(isConnected, false);
    await first[Symbol.asyncDispose]();
    await using second = await waiting;
    assert.ok((await second.liveMib()) > 0);
  } finally {
    for (const child of children) child.kill("SIGKILL");
  }
});

test("a process that exits before it listens is an error", async () => {
  // SIGUSR1 starts the inspector only in Node.js. Other programs exit.
  const child = spawn("sleep", ["600"], { stdio: "ignore" });
  await once(child, "spawn");
  await assert.rejects(InspectedProcess.connect(child.pid ?? 0, await freePort()), { code: "ESRCH" });
});
