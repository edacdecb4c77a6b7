import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { systemClock } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { processRun } from "./process-run.ts";

const options = {
  env: {},
  environment: {},
  directory: "/",
  clock: systemClock,
  stdin: false,
  hostPorts: new Map<number, number>(),
};
const node = (script: string) => ({ ...options, command: process.execPath, args: ["-e", script] });

test("a process receives SIGTERM, and SIGKILL if it does not stop", { timeout: 900_000 }, async () => {
  const run = processRun(
    node("process.on('SIGTERM', () => console.log('no')); setInterval(() => {}, 1000); console.log('up')"),
  );
  await eventually(() => assert.match(run.log.text(), /up/));
  run.stop(200);
  assert.deepEqual(await run.ended, { exitCode: 137, reason: "Error" });
  assert.match(run.log.text(), /up\nno/);
});

test("a missing program ends the run and is not an internal error", async () => {
  const ending = await processRun({ ...options, command: "/nowhere/program", args: [] }).ended;
  assert.notEqual(ending.exitCode, 0);
});

test("a container's environment reaches a process as data and never as its environment", {
  timeout: 900_000,
}, async () => {
  const environment = {
    NODE_OPTIONS: "--import=data:text/javascript,console.log('imported')",
    NODE_EXTRA_CA_CERTS: "/tmp/ca.pem",
    NODE_COMPILE_CACHE: "/tmp/cache",
    NODE_TLS_REJECT_UNAUTHORIZED: "0",
    LD_PRELOAD: "/tmp/evil.so",
    PATH: "/tmp/evil",
    AZURE_CLIENT_ID: "id",
  };
  const script = `process.once("message", ({ environment }) => {
    console.log(JSON.stringify({ environment, names: Object.keys(process.env), path: process.env.PATH }));
    process.disconnect();
  })`;
  const run = processRun({ ...node(script), env: { KEELSON_ROOT: "/root" }, environment });
  assert.deepEqual(await run.ended, { exitCode: 0, reason: "Completed" });
  const seen = JSON.parse(run.log.text());
  assert.deepEqual(seen.environment, environment);
  assert.equal(seen.path, process.env.PATH);
  assert.deepEqual(seen.names.sort(), ["KEELSON_ROOT", "PATH"]);
});

test("a process that reads no message exits by itself", { timeout: 900_000 }, async () => {
  const environment = { LARGE: "x".repeat(1_000_000) };
  const run = processRun({ ...node("console.log('done')"), environment });
  assert.deepEqual(await run.ended, { exitCode: 0, reason: "Completed" });
  assert.equal(run.log.text(), "done\n");
});

const skip = existsSync("/usr/bin/setpriv") ? false : "setpriv is not installed";
test("no process outlives a parent that is killed", { skip, timeout: 900_000 }, async () => {
  const directory = await mkdtemp(join(tmpdir(), "process-"));
  try {
    const parent = join(directory, "parent.ts");
    await writeFile(
      parent,
      `import { processRun } from ${JSON.stringify(new URL("process-run.ts", import.meta.url).href)};
       import { systemClock } from ${JSON.stringify(import.meta.resolve("@keelson/base"))};
       const run = processRun({ env: {}, environment: {}, folder: "/", clock: systemClock, stdin: false, hostPorts: new Map(),
         command: process.execPath, args: ["-e", "console.log(process.pid); setInterval(() => {}, 1000)"] });
       run.listen((_stream, chunk) => process.stdout.write(chunk));`,
    );
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", parent], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let pid = 0;
    for await (const line of createInterface(child.stdout)) {
      pid = Number(line);
      break;
    }
    assert.ok(pid > 0);
    process.kill(pid, 0);
    child.kill("SIGKILL");
    await eventually(() => assert.throws(() => process.kill(pid, 0)));
  } finally {
    await rm(directory, { recursive: true });
  }
});
